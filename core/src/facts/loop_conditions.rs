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
    /// Which of the two successors of `branch` set their own condition false: having gone there, the value
    /// under test comes back as a constant that sends the branch the other way.
    ///
    /// `branch` carries [`COMPARES_WITH_CONSTANT`](super::Marks::COMPARES_WITH_CONSTANT) and `around` is its innermost
    /// loop: values from blocks outside do not count.
    fn self_defeating(&mut self, branch: Block, around: &LoopAround) -> [bool; 2];

    /// The constant as which the value under test comes back, for each successor that sets its own condition false, as
    /// text. Only explanations ask.
    fn defeating_constants(&mut self, branch: Block, around: &LoopAround) -> [Option<String>; 2] {
        self.self_defeating(branch, around).map(|defeats| defeats.then(|| "a constant".to_string()))
    }
}

/// Conditions of which nothing is known: no successor makes its own condition false.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoConditions;

impl LoopConditions for NoConditions {
    fn self_defeating(&mut self, _: Block, _: &LoopAround) -> [bool; 2] {
        [false; 2]
    }
}
