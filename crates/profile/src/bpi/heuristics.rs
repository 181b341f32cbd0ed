//! Rules about the condition of a two-way branch.
//!
//! Each rule returns the weights of the true edge and the false edge, or `None` if the rule does not apply. All rules
//! follow Thomas Ball and James Larus, "Branch prediction for free" (PLDI 1993). The rules assume that most comparisons
//! test for an exceptional value, for example for a null pointer or an error code.

use crate::facts::ConstantKind::{self, MinusOne, One, Zero};
use crate::facts::IntegerOperand::{self, Plain, SingleBit, StringComparison};
use crate::facts::{Condition, FloatPredicate, Predicate};
use crate::rules::{BranchWeights, ConstantWeights, FloatWeights, PointerWeights, Rule, RuleSet};

/// Applies `rule`, with the weights in `predictor`, to `condition`. Returns the weights of the true edge and of the
/// false edge, or `None` if the rule does not apply.
pub fn condition_weights(rule: Rule, condition: Condition, predictor: &RuleSet) -> Option<BranchWeights> {
    match rule {
        Rule::Pointer => {
            let Condition::Pointer { unequal } = condition else { return None };
            pointer_weights(unequal, &predictor.pointer)
        }
        Rule::Constant => {
            let Condition::Integer { predicate, operand, constant } = condition else { return None };
            constant_weights(predicate, operand, constant, &predictor.constant)
        }
        Rule::FloatingPoint => {
            let Condition::Float { predicate } = condition else { return None };
            float_weights(predicate, &predictor.floating_point)
        }
        Rule::Single
        | Rule::Metadata
        | Rule::Learned
        | Rule::EstimatedWeights
        | Rule::Even
        | Rule::Update => None,
    }
}

/// The weights for a comparison of two pointers. A pointer is rarely equal to another pointer or to null. The
/// comparison is `!=` if `unequal` is true, otherwise `==`.
///
/// LLVM: `BranchProbabilityInfo::calcPointerHeuristics`.
fn pointer_weights(unequal: bool, weights: &PointerWeights) -> Option<BranchWeights> {
    if unequal {
        weights.unequal
    } else {
        weights.equal
    }
}

/// The weights for a comparison of `operand` with `constant`.
///
/// Zero and negative numbers are usually error codes or end markers. LLVM canonicalises `x >= 0` to `x > -1`, and `x <=
/// 0` to `x < 1`. For this reason the rule includes 1 and -1. Functions such as `strcmp` return zero for equal strings,
/// and any other number for unequal strings. The rule predicts that the result of such a function differs from any
/// constant. LLVM's weights do not predict comparisons such as `strcmp(a, b) < 0`, or tests of a single bit.
///
/// LLVM: `BranchProbabilityInfo::calcZeroHeuristics`.
fn constant_weights(
    predicate: Predicate,
    operand: IntegerOperand,
    constant: ConstantKind,
    weights: &ConstantWeights,
) -> Option<BranchWeights> {
    let by_predicate = match (operand, constant) {
        (SingleBit, _) => &weights.bit,
        (StringComparison, _) => &weights.string,
        (Plain, Zero) => &weights.zero,
        (Plain, One) => &weights.one,
        (Plain, MinusOne) => &weights.minus_one,
        (Plain, _) => &weights.other,
    };
    by_predicate.of(predicate)
}

/// The weights for a comparison of two floating-point numbers. The rule assumes that NaNs are very rare.
///
/// LLVM: `BranchProbabilityInfo::calcFloatingPointHeuristics`.
fn float_weights(predicate: FloatPredicate, weights: &FloatWeights) -> Option<BranchWeights> {
    match predicate {
        FloatPredicate::EqualityOrdered => weights.equality_ordered,
        FloatPredicate::EqualityUnordered => weights.equality_unordered,
        FloatPredicate::Ordered => weights.ordered,
        FloatPredicate::Unordered => weights.unordered,
        FloatPredicate::Other => weights.other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Predicate::{Equal, Greater, Less, Unequal};

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
        let integer = |constant| Condition::Integer { predicate: Equal, operand: Plain, constant };
        assert_eq!(decided(integer(Zero)), Some((Rule::Constant, [12, 20])));
        assert_eq!(decided(integer(ConstantKind::Other)), None);
        let float = |predicate| Condition::Float { predicate };
        assert_eq!(decided(float(FloatPredicate::Ordered)), Some((Rule::FloatingPoint, [1_048_575, 1])));
        assert_eq!(decided(float(FloatPredicate::Other)), None);
    }

    #[test]
    fn equality_of_pointers_is_unlikely_and_inequality_likely() {
        let weights = |unequal| pointer_weights(unequal, &RuleSet::llvm().pointer);
        assert_eq!([weights(false), weights(true)], [Some([12, 20]), Some([20, 12])]);
    }

    /// The weights of LLVM's rule.
    fn of_constant(
        predicate: Predicate,
        operand: IntegerOperand,
        constant: ConstantKind,
    ) -> Option<BranchWeights> {
        constant_weights(predicate, operand, constant, &RuleSet::llvm().constant)
    }

    #[test]
    fn zero_one_and_minus_one_each_have_their_own_predicates() {
        assert_eq!(of_constant(Equal, Plain, Zero), Some([12, 20]));
        assert_eq!(of_constant(Less, Plain, Zero), Some([12, 20]));
        assert_eq!(of_constant(Less, Plain, One), Some([12, 20])); // x < 1 is x <= 0
        assert_eq!(of_constant(Greater, Plain, MinusOne), Some([20, 12])); // x > -1 is x >= 0
        assert_eq!([Zero, MinusOne].map(|constant| of_constant(Equal, Plain, constant)), [Some([12, 20]); 2]);
        assert_eq!(
            [Zero, MinusOne].map(|constant| of_constant(Unequal, Plain, constant)),
            [Some([20, 12]); 2]
        );
        assert_eq!(of_constant(Greater, Plain, Zero), Some([20, 12]));
        assert_eq!(of_constant(Equal, Plain, One), None);
        assert_eq!(of_constant(Unequal, Plain, One), None);
        assert_eq!(of_constant(Less, Plain, MinusOne), None);
        assert_eq!(of_constant(Greater, Plain, One), None);
        assert_eq!(of_constant(Equal, Plain, ConstantKind::Other), None);
    }

    #[test]
    fn equality_of_strings_is_unlikely_for_any_constant() {
        for constant in [Zero, One, MinusOne, ConstantKind::Other] {
            assert_eq!(of_constant(Equal, StringComparison, constant), Some([12, 20]));
            assert_eq!(of_constant(Unequal, StringComparison, constant), Some([20, 12]));
            assert_eq!(of_constant(Less, StringComparison, constant), None);
        }
    }

    #[test]
    fn a_test_of_one_bit_is_not_predicted() {
        assert_eq!(of_constant(Equal, SingleBit, Zero), None);
    }

    #[test]
    fn a_nan_test_is_true_once_in_a_million() {
        let weights = &RuleSet::llvm().floating_point;
        assert_eq!(float_weights(FloatPredicate::Unordered, weights), Some([1, 1_048_575]));
        assert_eq!(float_weights(FloatPredicate::Ordered, weights), Some([1_048_575, 1]));
    }

    #[test]
    fn ordered_equality_is_likely_and_unordered_equality_unlikely() {
        let weights = &RuleSet::llvm().floating_point;
        assert_eq!(float_weights(FloatPredicate::EqualityOrdered, weights), Some([20, 12]));
        assert_eq!(float_weights(FloatPredicate::EqualityUnordered, weights), Some([12, 20]));
        assert_eq!(float_weights(FloatPredicate::Other, weights), None);
    }
}
