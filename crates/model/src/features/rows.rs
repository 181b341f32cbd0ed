//! Rows of features: the values of the columns for each branch.

use super::columns::{block_values, decision_values, side_values, test_values};
use super::names::{BRANCH_COUNT, DECISION_COUNT, SIDE_COUNT, TEST_COUNT};
use super::view::{SuccessorEdges, View};
use bpa_profile::cfg::Block;

/// The features of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchFeatures {
    /// The block that the branch ends.
    pub block: Block,
    /// The integers that [`BRANCH_NAMES`](super::BRANCH_NAMES) name.
    pub values: [i32; BRANCH_COUNT],
    /// The successors, each block once, in the order of the terminator.
    pub sides: Vec<SideFeatures>,
}

/// The features of a successor of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideFeatures {
    /// The successor block.
    pub target: Block,
    /// The integers that [`SUCCESSOR_NAMES`](super::SUCCESSOR_NAMES) name.
    pub values: [i32; SIDE_COUNT],
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
    /// If the function has no such block.
    pub fn branch(&self, block: Block) -> Option<BranchFeatures> {
        let graph = self.graph();
        let successors = graph.successors(block);
        if successors.iter().all(|target| target == &successors[0]) {
            return None;
        }
        let mut sides = Vec::new();
        self.add_sides(block, &mut sides);
        let of_side =
            |side: SuccessorEdges| SideFeatures { target: side.target, values: side_values(self, side) };
        let sides = sides.into_iter().map(of_side).collect();
        Some(BranchFeatures { block, values: self.branch_values(block), sides })
    }

    /// The features of the branch at the end of `block`, without the features of its successors.
    pub(crate) fn branch_values(&self, block: Block) -> [i32; BRANCH_COUNT] {
        let mut values = [0; BRANCH_COUNT];
        let (tests, others) = values.split_at_mut(TEST_COUNT);
        let (decision, place) = others.split_at_mut(DECISION_COUNT);
        if let Some(test) = self.test(block) {
            tests.copy_from_slice(&test_values(test));
        }
        decision.copy_from_slice(&decision_values(self, block));
        place.copy_from_slice(&block_values(self, block));
        values
    }

    /// Appends one item for each successor of `block`, in the order of the terminator.
    pub(crate) fn add_sides(&self, block: Block, sides: &mut Vec<SuccessorEdges>) {
        let graph = self.graph();
        let start = sides.len();
        let edges = graph.edges(block);
        sides.extend(graph.successors(block).iter().zip(edges).map(|(&target, edge)| SuccessorEdges {
            source: block,
            target,
            edge,
            edges: 1,
            is_exclusive: false,
        }));
        let own = &mut sides[start..];
        own.sort_unstable_by_key(|side| (side.target, side.edge));
        let mut kept = 0;
        for place in 0..own.len() {
            if kept > 0 && own[kept - 1].target == own[place].target {
                own[kept - 1].edges += 1;
            } else {
                own[kept] = own[place];
                kept += 1;
            }
        }
        for side in &mut own[..kept] {
            // Each predecessor occurs in the list as often as it has edges to the block.
            side.is_exclusive = graph.predecessors(side.target).len() == side.edges as usize;
        }
        own[..kept].sort_unstable_by_key(|side| side.edge);
        sides.truncate(start + kept);
    }
}
