//! Renders reasons as sentences, in terms of the IR (for `rust-bpi<explain>`) or of the source.
//!
//! No other module renders reasons. A [`Vocabulary`] names the blocks, conditions and functions.

mod derivation;
mod full;
mod short;

pub use full::{full, others};
pub use short::short;

use crate::{AttributedCall, Condition, Reason, WeightOwner};

/// Names of blocks, conditions and functions.
pub trait Vocabulary {
    /// A block: `%if.then`, or `line 8`.
    fn block(&self, block: usize) -> String;

    /// The condition of a terminator.
    fn condition(&self, condition: &Condition) -> String {
        condition.to_string()
    }

    /// The callee of a call.
    fn callee(&self, call: &AttributedCall) -> String {
        call.callee.to_string()
    }

    /// The name of a block or loop. A loop is named by its header.
    fn weight_owner(&self, owner: WeightOwner) -> String {
        match owner {
            WeightOwner::Block(block) => self.block(block),
            WeightOwner::Loop(header) => format!("the loop of {}", self.block(header)),
            WeightOwner::Cycle(first) => format!("the irreducible cycle of {}", self.block(first)),
        }
    }
}

/// Names as in LLVM's assembly. The closure returns the names of blocks.
pub struct IrWords<F>(pub F);

impl<F: Fn(usize) -> String> Vocabulary for IrWords<F> {
    fn block(&self, block: usize) -> String {
        self.0(block)
    }
}

/// A reason, its edge, and the names for both.
#[derive(Clone, Copy)]
pub struct Explained<'a, V> {
    /// The reason.
    pub reason: &'a Reason<'a>,
    /// The source block of the edge.
    pub from: usize,
    /// The destination of the edge.
    pub to: usize,
    /// The names.
    pub vocabulary: &'a V,
}

/// `count` with `thing` in the singular or plural.
fn counted(count: usize, thing: &str) -> String {
    match count {
        1 => format!("{count} {thing}"),
        _ => format!("{count} {thing}s"),
    }
}
