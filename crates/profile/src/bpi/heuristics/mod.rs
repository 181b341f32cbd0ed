//! Rules that read nothing but the condition of a two-way branch.
//!
//! Each answers with the weights of the edges taken on true and on false, or with nothing. All go back to
//! Thomas Ball and James Larus, "Branch prediction for free" (PLDI 1993): a program mostly compares values
//! to find the exceptional one.

mod constant;
mod floating_point;
mod pointer;

use crate::facts::Condition;
use crate::rules::Rule;
use crate::rules::{BranchWeights, RuleSet};

/// What `rule` says of `condition`, with the numbers of `predictor`; nothing if that is for another rule to say.
pub fn judge(rule: Rule, condition: Condition, predictor: &RuleSet) -> Option<BranchWeights> {
    match (rule, condition) {
        (Rule::Pointer, Condition::Pointer { unequal }) => pointer::judge(unequal, &predictor.pointer),
        (Rule::Constant, Condition::Integer { predicate, operand, constant }) => {
            constant::judge(predicate, operand, constant, &predictor.constant)
        }
        (Rule::FloatingPoint, Condition::Float { predicate }) => {
            floating_point::judge(predicate, &predictor.floating_point)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{FloatPredicate, IntegerConstant, IntegerOperand, IntegerPredicate};

    /// What LLVM's rules say of `condition`: at most one does.
    fn judged(condition: Condition) -> Option<(Rule, BranchWeights)> {
        let rules = [Rule::Pointer, Rule::Constant, Rule::FloatingPoint];
        let judge = |rule| Some((rule, judge(rule, condition, RuleSet::llvm())?));
        let answers: Vec<_> = rules.into_iter().filter_map(judge).collect();
        assert!(answers.len() < 2, "{answers:?}");
        answers.first().copied()
    }

    /// Each kind of condition goes to its own rule, and that rule is named with the answer.
    #[test]
    fn every_condition_has_its_rule() {
        assert_eq!(judged(Condition::Opaque), None);
        assert_eq!(judged(Condition::Pointer { unequal: false }), Some((Rule::Pointer, [12, 20])));
        let integer = |constant| Condition::Integer {
            predicate: IntegerPredicate::Equal,
            operand: IntegerOperand::Plain,
            constant,
        };
        assert_eq!(judged(integer(IntegerConstant::Zero)), Some((Rule::Constant, [12, 20])));
        assert_eq!(judged(integer(IntegerConstant::Other)), None);
        let float = |predicate| Condition::Float { predicate };
        assert_eq!(judged(float(FloatPredicate::Ordered)), Some((Rule::FloatingPoint, [1_048_575, 1])));
        assert_eq!(judged(float(FloatPredicate::Other)), None);
    }
}
