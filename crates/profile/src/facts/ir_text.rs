//! Text of the IR, for explanations.

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
