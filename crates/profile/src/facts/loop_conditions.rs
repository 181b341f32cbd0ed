//! Queries about loop conditions. The queries find unlikely successors. A branch never takes the edge to an unlikely
//! successor in two successive iterations.

use crate::cfg::Block;

/// A natural loop, with the data that [`LoopConditions`] needs.
pub struct LoopAround<'a> {
    /// The header of the loop. No other loop has the same header.
    pub header: Block,
    /// Whether a block is in the loop.
    pub contains: &'a dyn Fn(Block) -> bool,
}

/// Queries about the condition of a branch in a loop. A rule follows the compared value through phis, and folds
/// constants.
pub trait LoopConditions {
    /// Determines which of the two successors of `branch` are unlikely. If an iteration executes an unlikely successor,
    /// the value that `branch` tests in the next iteration is a constant. With this constant, `branch` does not
    /// take the edge to the unlikely successor.
    ///
    /// `branch` has the property [`COMPARES_WITH_CONSTANT`](super::BlockProperties::COMPARES_WITH_CONSTANT). The
    /// parameter `around` is the innermost loop that contains `branch`. Values from blocks outside the loop are
    /// ignored.
    fn unlikely_successors(&mut self, branch: Block, around: &LoopAround) -> [bool; 2];

    /// For each unlikely successor, the text of a constant: if an iteration executes the successor, the condition tests
    /// this constant in the next iteration. Only explanations call this method.
    fn unlikely_constants(&mut self, branch: Block, around: &LoopAround) -> [Option<String>; 2] {
        self.unlikely_successors(branch, around).map(|unlikely| unlikely.then(|| "a constant".to_string()))
    }
}

/// An implementation of [`LoopConditions`] for functions whose conditions are unknown. No successor is unlikely.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoConditions;

impl LoopConditions for NoConditions {
    fn unlikely_successors(&mut self, _: Block, _: &LoopAround) -> [bool; 2] {
        [false; 2]
    }
}
