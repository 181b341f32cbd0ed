//! The rows: what the columns say of a branch.

use super::columns::{BLOCK_COLUMNS, DECISION_COLUMNS, SIDE_COLUMNS, TEST_COLUMNS};
use super::names::{BRANCH_COUNT, SIDE_COUNT};
use super::view::{Side, View};
use crate::cfg::Block;

/// Features of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchFeatures {
    /// The block that it ends.
    pub block: Block,
    /// Integers, called what [`BRANCH_NAMES`](super::BRANCH_NAMES) say.
    pub values: [i32; BRANCH_COUNT],
    /// Where it may go, each block once, in the order of the terminator.
    pub sides: Vec<SideFeatures>,
}

/// Features of a side of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideFeatures {
    /// The block there.
    pub target: Block,
    /// Integers, called what [`SIDE_NAMES`](super::SIDE_NAMES) say.
    pub values: [i32; SIDE_COUNT],
}

impl View<'_> {
    /// Features of all branches that the entry reaches and that have at least two different blocks to go to, in layout
    /// order.
    pub fn branches(&self) -> impl Iterator<Item = BranchFeatures> + '_ {
        let graph = self.graph();
        graph.blocks().filter(|&block| graph.tree().reaches(block)).filter_map(|block| self.branch(block))
    }

    /// Features of the branch at the end of `block`; none if there is no choice.
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
        Some(self.row(block, &self.sides(block)))
    }

    /// Features of the branch at the end of `block`, whose sides are `sides`.
    pub(super) fn row(&self, block: Block, sides: &[Side]) -> BranchFeatures {
        let of_side = |&side: &Side| SideFeatures {
            target: side.target,
            values: SIDE_COLUMNS.map(|column| (column.of)(self, side)),
        };
        BranchFeatures {
            block,
            values: self.branch_values(block),
            sides: sides.iter().map(of_side).collect(),
        }
    }

    fn branch_values(&self, block: Block) -> [i32; BRANCH_COUNT] {
        let test = self.test(block);
        let tests = TEST_COLUMNS.iter().map(|column| test.map_or(0, column.of));
        let decision = DECISION_COLUMNS.iter().map(|column| (column.of)(self, block));
        in_order(tests.chain(decision).chain(self.block_values(block)))
    }

    /// The features of where something stands.
    pub(super) fn block_values(&self, block: Block) -> impl Iterator<Item = i32> + '_ {
        BLOCK_COLUMNS.iter().map(move |column| (column.of)(self, block))
    }

    /// A side for each block that `block` may go to.
    pub(super) fn sides(&self, block: Block) -> Vec<Side> {
        let graph = self.graph();
        let mut edges: Vec<(Block, usize)> =
            graph.successors(block).iter().copied().zip(graph.edges(block)).collect();
        edges.sort_unstable();
        let mut sides: Vec<Side> = edges
            .chunk_by(|(one, _), (other, _)| one == other)
            .map(|same| Side {
                source: block,
                target: same[0].0,
                edge: same[0].1,
                edges: same.len() as u32,
                // Each of its predecessors stands there as often as it has edges there.
                is_exclusive: graph.predecessors(same[0].0).len() == same.len(),
            })
            .collect();
        sides.sort_unstable_by_key(|side| side.edge);
        sides
    }
}

/// As many values as there are names for them.
pub(super) fn in_order<const COUNT: usize>(mut values: impl Iterator<Item = i32>) -> [i32; COUNT] {
    std::array::from_fn(|_| values.next().expect("a value for each name"))
}
