//! Questions to a live condition, for the one rule that follows values around loops.

use crate::cfg::Block;

/// A natural loop, as far as [`LoopConditions`] have to know it.
pub struct LoopAround<'a> {
    /// The header, which no other loop has.
    pub header: Block,
    /// Whether a block is in the loop.
    pub contains: &'a dyn Fn(Block) -> bool,
}

/// The live condition behind a branch, for the one rule that follows values through phis and folds constants.
pub trait LoopConditions {
    /// Which of the two successors of `branch` are unlikely, since they set their own condition false: having gone
    /// there, the value under test comes back as a constant that sends the branch the other way.
    ///
    /// `branch` carries [`COMPARES_WITH_CONSTANT`](super::Marks::COMPARES_WITH_CONSTANT) and `around` is its innermost
    /// loop: values from blocks outside do not count.
    fn unlikely_successors(&mut self, branch: Block, around: &LoopAround) -> [bool; 2];

    /// The constant as which the value under test comes back, for each unlikely successor, as text. Only explanations
    /// ask.
    fn unlikely_constants(&mut self, branch: Block, around: &LoopAround) -> [Option<String>; 2] {
        self.unlikely_successors(branch, around).map(|unlikely| unlikely.then(|| "a constant".to_string()))
    }
}

/// Conditions of which nothing is known: no successor is unlikely.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoConditions;

impl LoopConditions for NoConditions {
    fn unlikely_successors(&mut self, _: Block, _: &LoopAround) -> [bool; 2] {
        [false; 2]
    }
}
