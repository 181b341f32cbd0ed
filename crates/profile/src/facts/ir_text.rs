//! Questions to the live IR, for explanations that quote it.

use bpa_schema::{Condition, MarkedCall};

use super::Terminator;
use crate::cfg::Block;
use crate::source::BlockSource;

/// What explanations quote of the IR, in the words of LLVM's assembly. It is asked late, and of few blocks.
pub trait IrText {
    /// The name of `block` as an operand: `%name`, or `%7` if it has none.
    fn block_name(&self, block: Block) -> String;

    /// What the terminator of `block` tests: a comparison, `icmp eq %p, null`, or else a value, `%c`. Its kind has no name
    /// here.
    fn condition(&self, block: Block) -> Condition<'static>;

    /// The first `cold` call in `block`.
    fn cold_call(&self, block: Block) -> Option<MarkedCall<'static>>;

    /// The last call in `block` that does not return.
    fn noreturn_call(&self, block: Block) -> Option<MarkedCall<'static>>;

    /// The instruction by which `block` handles an exception: `landingpad`.
    fn pad(&self, block: Block) -> &'static str;

    /// Why the profile metadata on the terminator of `block` does not count as branch weights; none if there is no such
    /// metadata, or it does count. The terminator is of `kind`.
    fn unread_profile(&self, block: Block, kind: Terminator) -> Option<UnreadProfile>;

    /// Where `block` stands in the source of the program; none if nobody knows.
    fn source(&self, block: Block) -> Option<&BlockSource> {
        let _ = block;
        None
    }
}

/// Why profile metadata does not count as branch weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnreadProfile {
    /// This version of LLVM reads no weights from such a terminator.
    Terminator,
    /// Its name, if it has one, is another than `branch_weights`.
    Name(String),
    /// Another number of weights than of successors.
    Count {
        /// How many weights there are.
        weights: usize,
        /// How many successors there are.
        successors: usize,
    },
    /// Some weight is no number.
    NoNumber,
}
