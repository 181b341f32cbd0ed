//! Rules that read nothing but the condition of a two-way branch.
//!
//! Each answers with the weights of the edges taken on true and on false, or with nothing. All go back to
//! Thomas Ball and James Larus, "Branch prediction for free" (PLDI 1993): a program mostly compares values
//! to find the exceptional one.

mod branch_weights;
mod constant;
mod floating_point;
mod pointer;

use super::rule::Rule;
use crate::facts::Condition;
use branch_weights::BranchWeights;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{FloatPredicate, IntegerConstant, IntegerOperand, IntegerPredicate};

    /// Each kind of condition goes to its own rule, and that rule is named with the answer.
    #[test]
    fn every_condition_has_its_rule() {
        assert_eq!(judge(Condition::Opaque), None);
        assert_eq!(judge(Condition::Pointer { unequal: false }), Some((Rule::Pointer, [12, 20])));
        let integer = |constant| Condition::Integer {
            predicate: IntegerPredicate::Equal,
            operand: IntegerOperand::Plain,
            constant,
        };
        assert_eq!(judge(integer(IntegerConstant::Zero)), Some((Rule::Constant, [12, 20])));
        assert_eq!(judge(integer(IntegerConstant::Other)), None);
        let float = |predicate| Condition::Float { predicate };
        assert_eq!(judge(float(FloatPredicate::Ordered)), Some((Rule::FloatingPoint, [1_048_575, 1])));
        assert_eq!(judge(float(FloatPredicate::Other)), None);
    }
}
