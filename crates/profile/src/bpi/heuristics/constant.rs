//! The rule for comparisons of an integer with 0, 1 or -1. If the integer is the result of a string comparison, the
//! rule also applies to comparisons with other constants.
//!
//! Zero and negative numbers are usually error codes or end markers. LLVM canonicalises `x >= 0` to `x > -1`, and `x <=
//! 0` to `x < 1`. For this reason the rule includes 1 and -1. Functions such as `strcmp` return zero for equal strings,
//! and any other number for unequal strings. The rule predicts that the result of such a function differs from any
//! constant. LLVM's weights do not predict comparisons such as `strcmp(a, b) < 0`, or tests of a single bit.

use crate::facts::ConstantKind::{self, MinusOne, One, Zero};
use crate::facts::IntegerOperand::{self, Plain, SingleBit, StringComparison};
use crate::facts::Predicate;
use crate::rules::{BranchWeights, ConstantWeights};

/// The weights for a comparison of `operand` with `constant`.
///
/// LLVM: `BranchProbabilityInfo::calcZeroHeuristics`.
pub(super) fn condition_weights(
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Predicate::{Equal, Greater, Less, Unequal};
    use crate::rules::RuleSet;

    /// The weights of LLVM's rule.
    fn condition_weights(
        predicate: Predicate,
        operand: IntegerOperand,
        constant: ConstantKind,
    ) -> Option<BranchWeights> {
        super::condition_weights(predicate, operand, constant, &RuleSet::llvm().constant)
    }

    #[test]
    fn zero_one_and_minus_one_each_have_their_own_predicates() {
        assert_eq!(condition_weights(Equal, Plain, Zero), Some([12, 20]));
        assert_eq!(condition_weights(Less, Plain, Zero), Some([12, 20]));
        assert_eq!(condition_weights(Less, Plain, One), Some([12, 20])); // x < 1 is x <= 0
        assert_eq!(condition_weights(Greater, Plain, MinusOne), Some([20, 12])); // x > -1 is x >= 0
        assert_eq!(
            [Zero, MinusOne].map(|constant| condition_weights(Equal, Plain, constant)),
            [Some([12, 20]); 2]
        );
        assert_eq!(
            [Zero, MinusOne].map(|constant| condition_weights(Unequal, Plain, constant)),
            [Some([20, 12]); 2]
        );
        assert_eq!(condition_weights(Greater, Plain, Zero), Some([20, 12]));
        assert_eq!(condition_weights(Equal, Plain, One), None);
        assert_eq!(condition_weights(Unequal, Plain, One), None);
        assert_eq!(condition_weights(Less, Plain, MinusOne), None);
        assert_eq!(condition_weights(Greater, Plain, One), None);
        assert_eq!(condition_weights(Equal, Plain, ConstantKind::Other), None);
    }

    #[test]
    fn equality_of_strings_is_unlikely_for_any_constant() {
        for constant in [Zero, One, MinusOne, ConstantKind::Other] {
            assert_eq!(condition_weights(Equal, StringComparison, constant), Some([12, 20]));
            assert_eq!(condition_weights(Unequal, StringComparison, constant), Some([20, 12]));
            assert_eq!(condition_weights(Less, StringComparison, constant), None);
        }
    }

    #[test]
    fn a_test_of_one_bit_is_not_predicted() {
        assert_eq!(condition_weights(Equal, SingleBit, Zero), None);
    }
}
