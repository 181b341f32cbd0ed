//! Control-flow graphs as plain data, and the classic algorithms over them.
//!
//! [`ControlFlow`] is the way in: a graph, and each structure over it when it is first asked for. Everything works on
//! flat arrays indexed by [`Block`], without recursion, because a function may have a million blocks in a row. Each
//! algorithm is a struct with a `compute` method that fills the struct's own tables, so that its memory serves function
//! after function.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod checked;
mod control_flow;
mod cycles;
mod dominator_tree;
mod dominators;
mod graph;
mod lengauer_tarjan;
mod loops;
#[cfg(any(test, feature = "definitions"))]
#[doc(hidden)]
pub mod naive;
mod nesting;
mod post_dominators;
mod scc;
mod spanning_tree;
// For the crates of this workspace: no promise.
#[doc(hidden)]
pub mod scratch;
mod tables;
#[cfg(any(test, feature = "test-support"))]
#[doc(hidden)]
pub mod test_support;
mod text;

pub use cranelift_entity;

pub use checked::GraphError;
pub use control_flow::ControlFlow;
pub use dominators::Dominators;
pub use graph::{Adjacency, AdjacencyRef, Block, Graph};
pub use loops::{Loop, LoopForest};
pub use nesting::Nesting;
pub use post_dominators::PostDominators;
#[doc(hidden)]
pub use scc::SccFinder;
pub use scc::{Scc, Sccs};
pub use spanning_tree::SpanningTree;
pub use tables::table;
#[doc(hidden)]
pub use tables::{refill, refill_first, refill_with};
pub use text::{parse_graph, ParseGraphError};
