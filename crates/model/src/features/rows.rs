//! Computes a row of features for each branch, and for each of its successors. A row has one value for each column.

use super::column::collected;
use super::columns::{block_values, decision_values, successor_values, test_values};
use super::counts::{BRANCH_COUNT, DECISION_COUNT, SUCCESSOR_COUNT, TEST_COUNT};
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
        let graph = self.graph();
        let start = successors.len();
        let edges = graph.edges(block);
        successors.extend(graph.successors(block).iter().zip(edges).map(|(&target, edge)| SuccessorEdges {
            source: block,
            target,
            edge,
            edges: 1,
            is_exclusive: false,
        }));
        let own = &mut successors[start..];
        let mut kept = own.len();
        // Most branches have two different successors. Their successors need not be sorted.
        if !matches!(&own[..], [first, second] if first.target != second.target) {
            own.sort_unstable_by_key(|successor| (successor.target, successor.edge));
            kept = 0;
            for place in 0..own.len() {
                if kept > 0 && own[kept - 1].target == own[place].target {
                    own[kept - 1].edges += 1;
                } else {
                    own[kept] = own[place];
                    kept += 1;
                }
            }
            own[..kept].sort_unstable_by_key(|successor| successor.edge);
        }
        for successor in &mut own[..kept] {
            // If several edges lead from a predecessor to the block, the list repeats the predecessor.
            successor.is_exclusive = graph.predecessors(successor.target).len() == successor.edges as usize;
        }
        successors.truncate(start + kept);
    }
}
