//! Reasons in words: of the IR, as `rust-bpi<explain>` prints them, or of the source.
//!
//! Sentences are made here alone. A [`Vocabulary`] has the names of what they are about.

mod derivation;
mod full;
mod short;

pub use full::{full, others};
pub use short::short;

use crate::{Condition, MarkedCall, Place, Reason};

/// What blocks, conditions and functions are called.
pub trait Vocabulary {
    /// A block: `%if.then`, or `line 8`.
    fn block(&self, block: usize) -> String;

    /// What a terminator tests.
    fn condition(&self, condition: &Condition) -> String {
        condition.to_string()
    }

    /// The function that is called.
    fn callee(&self, call: &MarkedCall) -> String {
        call.callee.to_string()
    }

    /// A block by its name, a loop by that of a block.
    fn place(&self, place: Place) -> String {
        match place {
            Place::Block(block) => self.block(block),
            Place::Loop(header) => format!("the loop of {}", self.block(header)),
            Place::Cycle(first) => format!("the irreducible cycle of {}", self.block(first)),
        }
    }
}

/// The words of the IR: blocks have the names that a function knows, all else is as LLVM's assembly has it.
pub struct IrWords<F>(pub F);

impl<F: Fn(usize) -> String> Vocabulary for IrWords<F> {
    fn block(&self, block: usize) -> String {
        self.0(block)
    }
}

/// A reason, the edge that it is about, and the words for both.
#[derive(Clone, Copy)]
pub struct Explained<'a, V> {
    /// The reason.
    pub reason: &'a Reason<'a>,
    /// The block that the edge leads from.
    pub from: usize,
    /// The block that the edge leads to.
    pub to: usize,
    /// The words.
    pub vocabulary: &'a V,
}

/// `count` things.
fn counted(count: usize, thing: &str) -> String {
    match count {
        1 => format!("{count} {thing}"),
        _ => format!("{count} {thing}s"),
    }
}
