//! Text from the live IR, for explanations that quote it.

use bpa_schema::{AttributedCall, Condition};

use super::Terminator;
use crate::cfg::Block;
use crate::source::BlockSource;

/// Text that explanations quote from the IR, as in LLVM's assembly. It is queried late, and for few blocks.
pub trait IrText {
    /// The name of `block` as an operand: `%name`, or `%7` if it has none.
    fn block_name(&self, block: Block) -> String;

    /// The condition of the terminator of `block`: a comparison, `icmp eq %p, null`, or another value, `%c`. The field
    /// `name` is empty.
    fn condition(&self, block: Block) -> Condition<'static>;

    /// The first `cold` call in `block`.
    fn cold_call(&self, block: Block) -> Option<AttributedCall<'static>>;

    /// The last call in `block` that does not return.
    fn noreturn_call(&self, block: Block) -> Option<AttributedCall<'static>>;

    /// The instruction with which `block` handles an exception: `landingpad`.
    fn pad(&self, block: Block) -> &'static str;

    /// Why the profile metadata on the terminator of `block` is not read as branch weights; none if there is no such
    /// metadata, or if it is read. The terminator is of `kind`.
    fn unread_profile(&self, block: Block, kind: Terminator) -> Option<UnreadProfile>;

    /// The source positions of `block`; none if they are unknown.
    fn source(&self, block: Block) -> Option<&BlockSource> {
        let _ = block;
        None
    }
}

/// Why profile metadata is not read as branch weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnreadProfile {
    /// This version of LLVM reads no weights from this kind of terminator.
    Terminator,
    /// The name is not `branch_weights`, or there is none.
    Name(String),
    /// The numbers of weights and successors differ.
    Count {
        /// The number of weights.
        weights: usize,
        /// The number of successors.
        successors: usize,
    },
    /// A weight is not a number.
    NoNumber,
}
