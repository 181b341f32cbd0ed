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
    use crate::bpi::naive;
    use crate::facts::Predicate::*;

    #[test]
    fn every_condition_has_the_naive_weights() {
        let mut conditions = vec![
            Condition::Opaque,
            Condition::Pointer { unequal: false },
            Condition::Pointer { unequal: true },
        ];
        for predicate in
            [Equal, Unequal, Less, LessOrEqual, Greater, GreaterOrEqual, Below, Above, AboveOrEqual]
        {
            for operand in [Plain, SingleBit, StringComparison] {
                for constant in [Zero, One, MinusOne, ConstantKind::Other] {
                    conditions.push(Condition::Integer { predicate, operand, constant });
                }
            }
        }
        use FloatPredicate::{EqualityOrdered, EqualityUnordered, Ordered, Unordered};
        for predicate in [EqualityOrdered, EqualityUnordered, Ordered, Unordered, FloatPredicate::Other] {
            conditions.push(Condition::Float { predicate });
        }
        for condition in conditions {
            let weights = |&rule| Some((rule, condition_weights(rule, condition, RuleSet::llvm())?));
            let found: Vec<_> = RuleSet::llvm().rules().iter().filter_map(weights).collect();
            assert!(found.into_iter().eq(naive::condition_weights(condition)), "{condition:?}");
        }
    }
}
