//! Renders reasons as sentences. The sentences use names of the IR, as in `rust-bpi<explain>`, or names of the source.
//!
//! No other module renders reasons. A [`Vocabulary`] provides the names of blocks, conditions and functions.

mod derivation;
mod full;
mod short;

pub use full::{full, others};
pub use short::short;

use crate::{AttributedCall, Condition, Estimate, Reason, WeightOwner};

/// Provides names of blocks, conditions and functions.
pub trait Vocabulary {
    /// The name of a block, for example `%if.then` or `line 8`.
    fn block(&self, block: usize) -> String;

    /// The text of a terminator's condition.
    fn condition(&self, condition: &Condition) -> String {
        condition.to_string()
    }

    /// The name of the callee of a call.
    fn callee(&self, call: &AttributedCall) -> String {
        call.callee.to_string()
    }

    /// The name of a block or loop. The name of a loop contains the name of its header.
    fn weight_owner(&self, owner: WeightOwner) -> String {
        match owner {
            WeightOwner::Block(block) => self.block(block),
            WeightOwner::Loop(header) => format!("the loop of {}", self.block(header)),
            WeightOwner::Cycle(header) => format!("the irreducible cycle of {}", self.block(header)),
        }
    }
}

/// Provides names as in LLVM's assembly. The closure returns the names of blocks.
pub struct IrWords<F>(pub F);

impl<F: Fn(usize) -> String> Vocabulary for IrWords<F> {
    fn block(&self, block: usize) -> String {
        self.0(block)
    }
}

/// The input for the text of a reason: the reason, the edge whose probability it explains, and the names of blocks.
#[derive(Clone, Copy)]
pub struct Explained<'a, V> {
    /// The reason.
    pub reason: &'a Reason<'a>,
    /// The source block of the edge.
    pub from: usize,
    /// The destination of the edge.
    pub to: usize,
    /// The names of blocks, conditions and functions.
    pub vocabulary: &'a V,
}

impl<V: Vocabulary> Explained<'_, V> {
    /// A clause about the value that the branch tests in the next iteration. If this value is unknown, the text is
    /// empty.
    fn next_value(&self, estimate: &Estimate) -> String {
        let Some(next) = &estimate.next_value else { return String::new() };
        let condition = self.vocabulary.condition(&next.condition);
        let value = &next.value;
        format!(
            "; in the next iteration the tested value is {value}, which changes the result of {condition}"
        )
    }
}

/// Formats a number with its noun. Examples: `1 weight`, `2 weights`.
fn counted(count: usize, thing: &str) -> String {
    match count {
        1 => format!("{count} {thing}"),
        _ => format!("{count} {thing}s"),
    }
}
