//! Comparisons of floating-point numbers. The rule assumes that NaNs are very rare.

use crate::facts::FloatPredicate::{self, EqualityOrdered, EqualityUnordered, Ordered, Other, Unordered};
use crate::rules::{BranchWeights, FloatWeights};

/// The weights for a comparison of two floating-point numbers.
///
/// LLVM: `BranchProbabilityInfo::calcFloatingPointHeuristics`.
pub(super) fn condition_weights(predicate: FloatPredicate, weights: &FloatWeights) -> Option<BranchWeights> {
    match predicate {
        EqualityOrdered => weights.equality_ordered,
        EqualityUnordered => weights.equality_unordered,
        Ordered => weights.ordered,
        Unordered => weights.unordered,
        Other => weights.other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    /// The weights of LLVM's rule.
    fn condition_weights(predicate: FloatPredicate) -> Option<BranchWeights> {
        super::condition_weights(predicate, &RuleSet::llvm().floating_point)
    }

    #[test]
    fn a_nan_test_is_true_once_in_a_million() {
        assert_eq!(condition_weights(Unordered), Some([1, 1_048_575]));
        assert_eq!(condition_weights(Ordered), Some([1_048_575, 1]));
    }

    #[test]
    fn ordered_equality_is_likely_and_unordered_equality_unlikely() {
        assert_eq!(condition_weights(EqualityOrdered), Some([20, 12]));
        assert_eq!(condition_weights(EqualityUnordered), Some([12, 20]));
        assert_eq!(condition_weights(Other), None);
    }
}
