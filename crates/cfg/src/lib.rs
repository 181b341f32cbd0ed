//! Control-flow graphs as plain data, and the classic algorithms over them.
//!
//! Start with [`ControlFlow`]: a graph with all its structures, each computed at its first use. All algorithms work
//! without recursion on flat arrays indexed by [`Block`], because a function may have a million blocks. When a
//! structure is dropped, the next function on the same thread reuses its memory.
//!
//! # Loops and cycles
//!
//! | type | is | because |
//! | --- | --- | --- |
//! | [`LoopForest`] | natural loops, or all cycles, and how they nest | LLVM's loops; from LLVM 24 on its cycles |
//! | `cycles::CycleForests` | computes the two forests of cycles that LLVM 24 uses | the second forest is derived from the first |
//! | [`Sccs`] | strongly connected components, which do not nest | until LLVM 23, branch probabilities use them for irreducible cycles |
//!
//! The crate `bpa-profile` adds three more: `bpi::cycles::Cycle` (a loop or a component), `bfi::regions::Region` (a
//! loop or an irreducible region while its mass is solved) and `bfi::nest::LoopNest` (the solved regions). Each is
//! explained where it is defined.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]
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
// This module is public for the crates of this workspace, and not a stable interface.
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
