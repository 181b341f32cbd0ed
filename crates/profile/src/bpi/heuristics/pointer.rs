//! Comparisons of pointers. A pointer is rarely equal to another pointer or to null.

use crate::rules::{BranchWeights, PointerWeights};

/// Returns the weights for a comparison of two pointers. The comparison is `!=` if `unequal` is true, otherwise `==`.
///
/// LLVM: `BranchProbabilityInfo::calcPointerHeuristics`.
pub(super) fn condition_weights(unequal: bool, weights: &PointerWeights) -> Option<BranchWeights> {
    if unequal {
        weights.unequal
    } else {
        weights.equal
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    #[test]
    fn equality_is_unlikely_and_inequality_likely() {
        let weights = |unequal| condition_weights(unequal, &RuleSet::llvm().pointer);
        assert_eq!([weights(false), weights(true)], [Some([12, 20]), Some([20, 12])]);
    }
}
