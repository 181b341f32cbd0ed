//! Rules that read nothing but the condition of a two-way branch.
//!
//! Each answers with the weights of the edges taken on true and on false, or with nothing. All go back to
//! Thomas Ball and James Larus, "Branch prediction for free" (PLDI 1993): a program mostly compares values
//! to find the exceptional one.

mod constant;
mod floating_point;
mod pointer;

use super::Rule;
use crate::snapshot::Condition;

/// Weights of a branch's two edges, on true and on false.
pub(super) type BranchWeights = [u32; 2];

/// The comparison mostly holds, 20 to 12 (62.50%).
const LIKELY: BranchWeights = [20, 12];
/// The comparison mostly fails, 12 to 20 (37.50%).
const UNLIKELY: BranchWeights = [12, 20];

/// What the first rule that knows `condition` says.
pub(super) fn judge(condition: Condition) -> Option<(Rule, BranchWeights)> {
    match condition {
        Condition::Opaque => None,
        Condition::Pointer { unequal } => Some((Rule::Pointer, pointer::judge(unequal))),
        Condition::Integer { predicate, operand, constant } => {
            constant::judge(predicate, operand, constant).map(|weights| (Rule::Constant, weights))
        }
        Condition::Float { predicate } => {
            floating_point::judge(predicate).map(|weights| (Rule::FloatingPoint, weights))
        }
    }
}
