//! Pointers are rarely equal, to each other or to null.

use super::branch_weights::{BranchWeights, LIKELY, UNLIKELY};

/// Weights for a test that two pointers are equal, or `unequal`.
///
/// LLVM: `PointerTable`, `BranchProbabilityInfo::calcPointerHeuristics`.
pub(super) fn judge(unequal: bool) -> BranchWeights {
    if unequal {
        LIKELY
    } else {
        UNLIKELY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_is_unlikely_and_inequality_likely() {
        assert_eq!(judge(false), [12, 20]);
        assert_eq!(judge(true), [20, 12]);
    }
}
