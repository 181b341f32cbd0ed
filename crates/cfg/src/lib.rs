//! Represents control-flow graphs as plain data, and computes dominators, loops and cycles.
//!
//! Start with [`ControlFlow`], which has a graph and computes each structure at its first use. A function can have a
//! million blocks, so no algorithm is recursive. The algorithms use flat arrays that are indexed by [`Block`]. The
//! memory of a dropped structure is reused for the next function on the same thread.
//!
//! # Loops and cycles
//!
//! - [`LoopForest`]: natural loops or all cycles, and how they nest. Until LLVM 23, LLVM uses natural loops. From LLVM
//!   24 on, LLVM uses cycles.
//! - `cycles::CycleForests`: computes the two forests of cycles that LLVM 24 uses. The first forest contains all
//!   cycles. The second forest contains only the plain cycles. A cycle is *plain* if it has a single entry, and if no
//!   irreducible cycle around it has the same entry.
//! - [`Sccs`]: strongly connected components, which do not nest. Until LLVM 23, LLVM uses these components to
//!   compute branch probabilities of irreducible cycles.
//!
//! The crate `bpa-profile` adds three types. `bpi::cycles::Cycle` is a loop or a strongly connected component.
//! `bfi::regions::Region` is a loop or an irreducible region, and is used while block masses are computed.
//! `bfi::nest::LoopNest` contains all loops and irreducible regions of the final result.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]
#![warn(missing_docs)]

mod checked;
mod control_flow;
mod cycles;
mod dominator_tree;
mod dominators;
mod graph;
mod lazy;
mod loops;
// The module is hidden because its interface is not stable. The module is only public if a feature is enabled.
#[cfg(any(test, feature = "test-support"))]
#[doc(hidden)]
pub mod naive;
mod post_dominators;
mod scc;
mod scratch;
mod spanning_tree;
// The module is hidden because its interface is not stable.
#[cfg(any(test, feature = "test-support"))]
#[doc(hidden)]
pub mod test_support;
mod text;

pub use cranelift_entity;

pub use checked::GraphError;
pub use control_flow::ControlFlow;
pub use control_flow::Nesting;
pub use dominators::Dominators;
pub use graph::{Adjacency, AdjacencyRef, Block, Graph};
pub use lazy::Lazy;
pub use loops::{Loop, LoopForest};
pub use post_dominators::PostDominators;
pub use scc::{Scc, Sccs};
pub use scratch::table;
pub use spanning_tree::SpanningTree;
pub use text::{parse_graph, ParseGraphError};

pub mod unstable {
    //! Helpers that the crates of this workspace share. The interface of these helpers is not stable: any release can
    //! change the interface.
    //!
    //! The helpers are public because analyses in several crates use these helpers to reuse memory.

    pub use crate::scc::SccFinder;
    pub use crate::scratch::{put_back, refill, refill_first, refill_with, take, ScratchSlot};
}
