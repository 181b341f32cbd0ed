//! Reads LLVM's IR in memory and finds loop counters that are compared with constants.

use super::tested::TestReader;
use super::value::{Comparison, Integer, Opcode, Phi, Value};
use bpa_core::cfg::Block;
use bpa_core::features::Counter;

impl TestReader<'_> {
    /// The counter in the integer comparison `compare`, if the other operand is a constant. The branch of
    /// `block` tests `compare`. A counter is a phi, or the sum of a phi and a constant. The phi is in the header of
    /// a loop that contains `block`. The phi starts with a constant and changes by the same constant in each iteration.
    pub(super) fn counter(&self, block: Block, compare: Comparison) -> Option<Counter> {
        let (left, right) = (compare.left(), compare.right());
        let bound = number(right)?;
        let (phi, ahead) = distance(left).unwrap_or((left, 0));
        let phi = phi.phi()?;
        let header = self.header(*phi)?;
        let loops = self.facts.graph().loops();
        if !loops.contains_block(loops.innermost(header)?, block) {
            return None;
        }
        let (start, next) = start_and_next(phi)?;
        let (from, step) = distance(next)?;
        let bits = right.type_of().integer_bits()?;
        (from == **phi).then_some(Counter { bits, start: start.wrapping_add(ahead), step, bound })
    }
}

/// If the incoming values of a phi are one constant and one other value, returns the constant and the other value.
fn start_and_next(phi: Phi) -> Option<(u64, Value)> {
    let (mut start, mut next) = (None, None);
    for (_, incoming) in phi.incoming() {
        let is_same = match number(incoming) {
            Some(constant) => *start.get_or_insert(constant) == constant,
            None => *next.get_or_insert(incoming) == incoming,
        };
        if !is_same {
            return None;
        }
    }
    Some((start?, next?))
}

/// The value of a constant of at most 64 bits.
fn number(value: Value) -> Option<u64> {
    value.integer().filter(|integer| integer.bits() <= 64).map(Integer::unsigned)
}

/// If `value` is the sum of an operand and a constant, returns the operand and the constant. If the constant is
/// subtracted, the result contains the negated constant.
fn distance(value: Value) -> Option<(Value, u64)> {
    let sum = value.binary_operator()?;
    match sum.opcode() {
        Opcode::ADD => Some((sum.left(), number(sum.right())?)),
        Opcode::SUB => Some((sum.left(), number(sum.right())?.wrapping_neg())),
        _ => None,
    }
}
