//! Rules about the condition of a two-way branch.
//!
//! Each rule returns the weights of the true edge and the false edge, or `None` if the rule does not apply. All rules
//! follow Thomas Ball and James Larus, "Branch prediction for free" (PLDI 1993). The rules assume that most comparisons
//! test for an exceptional value, for example for a null pointer or an error code.

mod constant;
mod floating_point;
mod pointer;

use crate::facts::Condition;
use crate::rules::Rule;
use crate::rules::{BranchWeights, RuleSet};

/// Applies `rule`, with the weights in `predictor`, to `condition`. Returns the weights of the true edge and of the
/// false edge, or `None` if the rule does not apply.
pub fn condition_weights(rule: Rule, condition: Condition, predictor: &RuleSet) -> Option<BranchWeights> {
    match rule {
        Rule::Pointer => {
            let Condition::Pointer { unequal } = condition else { return None };
            pointer::condition_weights(unequal, &predictor.pointer)
        }
        Rule::Constant => {
            let Condition::Integer { predicate, operand, constant } = condition else { return None };
            constant::condition_weights(predicate, operand, constant, &predictor.constant)
        }
        Rule::FloatingPoint => {
            let Condition::Float { predicate } = condition else { return None };
            floating_point::condition_weights(predicate, &predictor.floating_point)
        }
        Rule::Single
        | Rule::Metadata
        | Rule::Learned
        | Rule::EstimatedWeights
        | Rule::Even
        | Rule::Update => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{ConstantKind, FloatPredicate, IntegerOperand, Predicate};

    /// The weights of LLVM's rules for `condition`. At most one of LLVM's rules applies.
    fn decided(condition: Condition) -> Option<(Rule, BranchWeights)> {
        let weights = |&rule| Some((rule, condition_weights(rule, condition, RuleSet::llvm())?));
        let found: Vec<_> = RuleSet::llvm().rules().iter().filter_map(weights).collect();
        assert!(found.len() < 2, "{found:?}");
        found.first().copied()
    }

    /// Each kind of condition has its own rule.
    #[test]
    fn each_condition_has_one_rule() {
        assert_eq!(decided(Condition::Opaque), None);
        assert_eq!(decided(Condition::Pointer { unequal: false }), Some((Rule::Pointer, [12, 20])));
        let integer = |constant| Condition::Integer {
            predicate: Predicate::Equal,
            operand: IntegerOperand::Plain,
            constant,
        };
        assert_eq!(decided(integer(ConstantKind::Zero)), Some((Rule::Constant, [12, 20])));
        assert_eq!(decided(integer(ConstantKind::Other)), None);
        let float = |predicate| Condition::Float { predicate };
        assert_eq!(decided(float(FloatPredicate::Ordered)), Some((Rule::FloatingPoint, [1_048_575, 1])));
        assert_eq!(decided(float(FloatPredicate::Other)), None);
    }
}
