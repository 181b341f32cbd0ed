//! Floating point comparisons: NaNs are all but unheard of.

use crate::facts::FloatPredicate::{self, EqualityOrdered, EqualityUnordered, Ordered, Other, Unordered};
use crate::rules::{BranchWeights, FloatWeights};

/// Weights for a comparison of two floating point numbers.
///
/// LLVM: `BranchProbabilityInfo::calcFloatingPointHeuristics`.
pub(super) fn judge(predicate: FloatPredicate, weights: &FloatWeights) -> Option<BranchWeights> {
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

    /// What LLVM says.
    fn judge(predicate: FloatPredicate) -> Option<BranchWeights> {
        super::judge(predicate, &RuleSet::llvm().floating_point)
    }

    #[test]
    fn a_nan_test_holds_once_in_a_million() {
        assert_eq!(judge(Unordered), Some([1, 1_048_575]));
        assert_eq!(judge(Ordered), Some([1_048_575, 1]));
    }

    #[test]
    fn equality_follows_what_is_true_of_a_number_and_itself() {
        assert_eq!(judge(EqualityOrdered), Some([20, 12]));
        assert_eq!(judge(EqualityUnordered), Some([12, 20]));
        assert_eq!(judge(Other), None);
    }
}
