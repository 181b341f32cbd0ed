//! Control-flow graphs as plain data, and the classic algorithms over them.
//!
//! Everything here works on flat arrays indexed by [`Block`], without recursion, because a function
//! may have a million blocks in a single chain. Each algorithm is a struct with a `compute` method that
//! fills the struct's own tables, so that one [`Workspace`] serves function after function without
//! allocating again. No LLVM type is named in this module.

mod checked;
mod dominators;
mod graph;
mod lengauer_tarjan;
mod loops;
#[cfg(test)]
pub(crate) mod naive;
mod post_dominators;
mod scc;
mod spanning_tree;
#[cfg(test)]
pub(crate) mod test_support;
mod text;

pub use checked::GraphError;
pub use dominators::Dominators;
pub use graph::{refill, table, Block, Graph, Rows};
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
    /// Strongly connected components that the entry reaches; none unless some cycle is irreducible.
    pub sccs: Sccs,
}

impl Workspace {
    /// Computes what every function needs: all but the post-dominators, which few do, and the components of
    /// graphs all of whose cycles are in natural loops, where they say nothing new.
    ///
    /// # Panics
    ///
    /// If `graph` has no block.
    pub fn compute(&mut self, graph: &Graph) {
        self.tree.compute(graph);
        self.dominators.compute(graph, &self.tree);
        self.loops.compute(graph, &self.tree, &self.dominators);
        if self.loops.is_reducible() {
            self.sccs.clear();
        } else {
            self.sccs.compute(graph);
        }
    }

    /// Computes every structure for `graph`.
    ///
    /// # Panics
    ///
    /// If `graph` has no block.
    pub fn compute_all(&mut self, graph: &Graph) {
        self.compute(graph);
        self.sccs.compute(graph);
        self.post_dominators.compute(graph);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::test_support::{config, pictures};
    use super::{naive, parse_graph, Block, Graph, Rows, Workspace};

    proptest! {
        #![proptest_config(config())]

        /// Nothing of one function is left when the next one comes, be it smaller or larger.
        #[test]
        fn one_workspace_serves_function_after_function(first in pictures(), second in pictures()) {
            let mut workspace = Workspace::default();
            for picture in [first, second] {
                let (graph, _) = parse_graph(&picture).unwrap();
                workspace.compute_all(&graph);
                naive::check_all(&graph, &workspace);
            }
        }
    }

    /// A ring of 200,000 blocks: recursion would run out of stack, anything quadratic out of patience.
    #[test]
    fn depth_costs_no_stack_and_no_time() {
        let count = 200_000;
        let mut rows = Rows::with_capacity(count, count);
        for block in 0..count as u32 {
            rows.push(Block::from_u32((block + 1) % count as u32));
            rows.end_row();
        }
        let graph = Graph::from_successors(rows);
        let mut workspace = Workspace::default();
        workspace.compute_all(&graph);
        let last = Block::from_u32(count as u32 - 1);
        assert!(workspace.dominators.dominates(graph.entry(), last));
        assert!(workspace.post_dominators.post_dominates(last, graph.entry()));
        assert_eq!(workspace.loops.members(workspace.loops.innermost(last).unwrap()).len(), count);
        assert_eq!(workspace.sccs.members(workspace.sccs.of(last).unwrap()).len(), count);
    }
}
