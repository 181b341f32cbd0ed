//! Queries about the IR: its text, for explanations, and the conditions of loops, for a rule.

use bpa_schema::{AttributedCall, Condition};

use super::Terminator;
use crate::cfg::Block;
use crate::source::BlockSource;

/// Queries for the IR text that explanations quote. The text has the syntax of LLVM's assembly. Analyses do not use
/// these queries. Explanations use these queries, but only for a few blocks.
pub trait IrText {
    /// The name of `block` as an operand: `%name`, or `%7` if the block has no name.
    fn block_name(&self, block: Block) -> String;

    /// The condition of the terminator of `block`: a comparison such as `icmp eq %p, null`, or another value such as
    /// `%c`. The field `name` of the result is empty.
    fn condition(&self, block: Block) -> Condition<'static>;

    /// The first `cold` call in `block`.
    fn cold_call(&self, block: Block) -> Option<AttributedCall<'static>>;

    /// The last `noreturn` call in `block`.
    fn noreturn_call(&self, block: Block) -> Option<AttributedCall<'static>>;

    /// The instruction with which `block` handles an exception, such as `landingpad`.
    fn pad(&self, block: Block) -> &'static str;

    /// The reason why LLVM does not read the profile metadata of `block`'s terminator as branch weights. The result is
    /// `None` if the terminator has no profile metadata, or if LLVM reads the metadata as branch weights. `kind` is the
    /// kind of `block`'s terminator.
    fn unread_profile(&self, block: Block, kind: Terminator) -> Option<UnreadProfile>;

    /// The source positions of `block`, or `None` if they are unknown.
    fn source(&self, block: Block) -> Option<&BlockSource> {
        let _ = block;
        None
    }
}

/// The reason why profile metadata is not read as branch weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnreadProfile {
    /// This LLVM version reads no weights from this kind of terminator.
    Terminator,
    /// The name of the metadata is missing, or is not `branch_weights`.
    Name(String),
    /// The number of weights differs from the number of successors.
    Count {
        /// The number of weights.
        weights: usize,
        /// The number of successors.
        successors: usize,
    },
    /// The text of a branch weight is not a number.
    NoNumber,
}

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
