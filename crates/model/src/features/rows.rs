//! Computes a row of features for each branch, and for each of its successors. A row has one value for each column.

use super::columns::collected;
use super::columns::{block_values, decision_values, successor_values, test_values};
use super::columns::{BRANCH_COUNT, DECISION_COUNT, SUCCESSOR_COUNT, TEST_COUNT};
use super::view::{SuccessorEdges, View};
use bpa_profile::cfg::Block;

/// The features of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchFeatures {
    /// The block that ends with the branch.
    pub block: Block,
    /// The integers whose names are in [`BRANCH_NAMES`](super::BRANCH_NAMES).
    pub values: [i32; BRANCH_COUNT],
    /// The successor blocks, without duplicates, in the order of the terminator.
    pub successors: Vec<SuccessorFeatures>,
}

/// The features of a successor of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuccessorFeatures {
    /// The successor block.
    pub target: Block,
    /// The integers whose names are in [`SUCCESSOR_NAMES`](super::SUCCESSOR_NAMES).
    pub values: [i32; SUCCESSOR_COUNT],
}

impl View<'_> {
    /// The features of all reachable branches with at least two different successors, in layout order.
    pub fn branches(&self) -> impl Iterator<Item = BranchFeatures> + '_ {
        let graph = self.graph();
        graph.blocks().filter(|&block| graph.tree().reaches(block)).filter_map(|block| self.branch(block))
    }

    /// The features of the branch at the end of `block`. The result is `None` if the block has fewer than two different
    /// successors.
    ///
    /// # Panics
    ///
    /// Panics if the function has no such block.
    pub(crate) fn branch(&self, block: Block) -> Option<BranchFeatures> {
        let graph = self.graph();
        let targets = graph.successors(block);
        if targets.iter().all(|target| target == &targets[0]) {
            return None;
        }
        let mut successors = Vec::new();
        self.add_successors(block, &mut successors);
        let features = |successor: SuccessorEdges| SuccessorFeatures {
            target: successor.target,
            values: collected(|put| successor_values(self, successor, put)),
        };
        let successors = successors.into_iter().map(features).collect();
        Some(BranchFeatures { block, values: collected(|put| self.branch_values(block, put)), successors })
    }

    /// Computes the features of the branch at the end of `block`, without the features of its successors. Calls `put`
    /// with the index and the value of each feature. Features that are not computed are 0.
    pub(crate) fn branch_values(&self, block: Block, mut put: impl FnMut(usize, i32)) {
        if let Some(test) = self.test(block) {
            test_values(test, &mut put);
        }
        decision_values(self, block, |column, value| put(TEST_COUNT + column, value));
        block_values(self, block, |column, value| put(TEST_COUNT + DECISION_COUNT + column, value));
    }

    /// Appends one item for each successor block of `block`, in the order of the terminator.
    pub(crate) fn add_successors(&self, block: Block, successors: &mut Vec<SuccessorEdges>) {
        if let Some(both) = self.two_successors(block) {
            successors.extend(both);
            return;
        }
        let graph = self.graph();
        let mut own: Vec<(Block, usize)> =
            graph.successors(block).iter().copied().zip(graph.edges(block)).collect();
        own.sort_unstable();
        let groups = own.chunk_by(|(target, _), (next, _)| target == next);
        let start = successors.len();
        successors.extend(groups.map(|edges| self.successor(block, edges[0], edges.len())));
        successors[start..].sort_unstable_by_key(|successor| successor.edge);
    }

    /// The successors of `block`, if the block has two edges, and these lead to different blocks.
    pub(crate) fn two_successors(&self, block: Block) -> Option<[SuccessorEdges; 2]> {
        let graph = self.graph();
        let &[first, second] = graph.successors(block) else { return None };
        let edge = graph.edges(block).start;
        let successor = |target, edge| self.successor(block, (target, edge), 1);
        (first != second).then(|| [successor(first, edge), successor(second, edge + 1)])
    }

    /// The `count` edges from `source` to the block `target`. `edge` is the first of these edges.
    fn successor(&self, source: Block, (target, edge): (Block, usize), count: usize) -> SuccessorEdges {
        // If several edges lead from a predecessor to the block, the list repeats the predecessor.
        let is_exclusive = self.graph().predecessors(target).len() == count;
        SuccessorEdges { source, target, edge, edges: count as u32, is_exclusive }
    }
}
