//! Control-flow graphs as plain data, and the classic algorithms over them.
//!
//! Everything here works on flat arrays indexed by [`Block`], without recursion, because a function
//! may have a million blocks in a single chain. Each algorithm is a struct with a `compute` method that
//! fills the struct's own tables, so that one [`Workspace`] serves function after function without
//! allocating again. No LLVM type is named in this module.

mod dominators;
mod graph;
mod loops;
mod post_dominators;
mod scc;
mod semi_nca;
mod spanning_tree;
mod text;

pub use dominators::Dominators;
pub use graph::{table, Block, Graph, Rows};
pub use loops::{Loop, LoopForest};
pub use post_dominators::PostDominators;
pub use scc::{Scc, SccFinder, Sccs};
pub use spanning_tree::SpanningTree;
pub use text::parse_graph;

/// The structures that both analyses read, kept so that their memory is reused for the next function.
#[derive(Default)]
pub struct Workspace {
    /// Depth-first order from the entry.
    pub tree: SpanningTree,
    /// Dominators of every block that the entry reaches.
    pub dominators: Dominators,
    /// Post-dominators of every block; left to whoever needs them.
    pub post_dominators: PostDominators,
    /// Natural loops.
    pub loops: LoopForest,
    /// Strongly connected components that the entry reaches.
    pub sccs: Sccs,
}

impl Workspace {
    /// Computes every structure for `graph` but the post-dominators, which few functions need.
    pub fn compute(&mut self, graph: &Graph) {
        self.tree.compute(graph);
        self.dominators.compute(graph, &self.tree);
        self.loops.compute(graph, &self.tree, &self.dominators);
        self.sccs.compute(graph);
    }
}
