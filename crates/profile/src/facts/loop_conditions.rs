//! Queries about live conditions, for the rule that follows values around loops.

use crate::cfg::Block;

/// A natural loop, with the data that [`LoopConditions`] need.
pub struct LoopAround<'a> {
    /// The header, which is unique to the loop.
    pub header: Block,
    /// Whether a block is in the loop.
    pub contains: &'a dyn Fn(Block) -> bool,
}

/// The live condition of a branch, for the rule that follows values through phis and folds constants.
pub trait LoopConditions {
    /// Which of the two successors of `branch` are unlikely because they make its condition false: on the path through
    /// the successor, the tested value is a constant in the next iteration, and that constant makes the branch take its
    /// other edge.
    ///
    /// `branch` has the property [`COMPARES_WITH_CONSTANT`](super::BlockProperties::COMPARES_WITH_CONSTANT), and `around` is its
    /// innermost loop. Values from blocks outside of the loop are ignored.
    fn unlikely_successors(&mut self, branch: Block, around: &LoopAround) -> [bool; 2];

    /// The constant that is tested in the next iteration, for each unlikely successor, as text. Only explanations use
    /// it.
    fn unlikely_constants(&mut self, branch: Block, around: &LoopAround) -> [Option<String>; 2] {
        self.unlikely_successors(branch, around).map(|unlikely| unlikely.then(|| "a constant".to_string()))
    }
}

/// No condition is known: no successor is unlikely.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoConditions;

impl LoopConditions for NoConditions {
    fn unlikely_successors(&mut self, _: Block, _: &LoopAround) -> [bool; 2] {
        [false; 2]
    }
}
