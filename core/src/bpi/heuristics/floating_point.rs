//! Floating point comparisons: NaNs are all but unheard of.
//!
//! The equality tests follow LLVM to the letter, which calls a test likely unless it is one that holds whenever
//! both sides are the same: `oeq` comes out likely.

use super::branch_weights::{BranchWeights, LIKELY, UNLIKELY};
use crate::facts::FloatPredicate::{self, EqualityOrdered, EqualityUnordered, Ordered, Other, Unordered};

/// Out of 2^20 comparisons one has a NaN in it.
///
/// LLVM: `FPH_ORD_WEIGHT`.
const NUMBER: u32 = (1 << 20) - 1;
/// LLVM: `FPH_UNO_WEIGHT`.
const NAN: u32 = 1;

/// Weights for a comparison of two floating point numbers.
///
/// LLVM: `FCmpTable`, `BranchProbabilityInfo::calcFloatingPointHeuristics`.
pub(super) fn judge(predicate: FloatPredicate) -> Option<BranchWeights> {
    match predicate {
        EqualityOrdered => Some(LIKELY),
        EqualityUnordered => Some(UNLIKELY),
        Ordered => Some([NUMBER, NAN]),
        Unordered => Some([NAN, NUMBER]),
        Other => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
