//! Probabilities from `branch_weights` metadata.
//!
//! The probability of an edge is its weight divided by the sum of the weights. However, the probability of an edge to a
//! block that never completes is limited to 2^-31. The other edges then share the remaining probability in proportion
//! to their weights.

use super::edge_weights::divisor_to_fit;
use super::probability::Probability;

/// The maximum probability of an edge to a block that ends in `unreachable`.
///
/// LLVM: `UR_TAKEN_PROB`.
const UNREACHABLE: Probability = Probability::from_numerator(1);

/// Computes the probabilities of one block's edges from their `weights`.
///
/// `is_unreachable` is true for each edge that leads to a block that never completes.
///
/// LLVM: `BranchProbabilityInfo::calcMetadataWeights`.
pub(super) fn probabilities(weights: &[u32], is_unreachable: &[bool], out: &mut [Probability]) {
    let all_unreachable = is_unreachable.iter().all(|&u| u);
    share_by_weight(weights, all_unreachable, out);
    if !all_unreachable && is_unreachable.contains(&true) {
        cap_unreachable(is_unreachable, out);
    }
}

/// Sets each probability to the edge's weight divided by the sum of weights. If the sum exceeds 32 bits, scales the
/// weights down first. If the sum is 0 or `ignore_weights` is true, all probabilities are equal.
///
/// LLVM: `BranchProbabilityInfo::calcMetadataWeights`.
fn share_by_weight(weights: &[u32], ignore_weights: bool, out: &mut [Probability]) {
    let factor = divisor_to_fit(weights.iter().copied());
    let scaled = |weight: u32| (u64::from(weight) / factor) as u32;
    // Rounding down reduces the sum, so the sum is computed again.
    let total: u32 = weights.iter().map(|&w| scaled(w)).sum();
    for (probability, &weight) in out.iter_mut().zip(weights) {
        *probability = if total == 0 || ignore_weights {
            Probability::ratio(1, weights.len() as u32)
        } else {
            Probability::ratio(scaled(weight), total)
        };
    }
}

/// Limits the probability of each unreachable edge to 2^-31, and distributes the remaining probability among the other
/// edges. An edge is unreachable if its target never completes. At least one edge must be unreachable, and at least one
/// edge must not be unreachable.
///
/// LLVM: `BranchProbabilityInfo::calcMetadataWeights`.
fn cap_unreachable(is_unreachable: &[bool], out: &mut [Probability]) {
    let mut unreachable = Probability::ZERO;
    let mut reachable_before = Probability::ZERO;
    let mut reachable_count = 0;
    for (probability, &capped) in out.iter_mut().zip(is_unreachable) {
        if capped {
            *probability = (*probability).min(UNREACHABLE);
            unreachable = unreachable + *probability;
        } else {
            reachable_before = reachable_before + *probability;
            reachable_count += 1;
        }
    }
    let reachable_after = Probability::ONE - unreachable;
    if reachable_before == reachable_after {
        return;
    }
    for (probability, _) in out.iter_mut().zip(is_unreachable).filter(|&(_, &capped)| !capped) {
        *probability = if reachable_before.is_zero() {
            reachable_after.shared_by(reachable_count)
        } else {
            // The product is exact, so the result is rounded only once.
            let product = u64::from(reachable_after.numerator()) * u64::from(probability.numerator());
            let divisor = u64::from(reachable_before.numerator());
            Probability::from_numerator(((product + divisor / 2) / divisor) as u32)
        };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::naive;
    use super::*;
    use crate::cfg::test_support::config;
    /// Generates a list of edges. Each edge is a pair: its weight, and whether it leads to a block that never
    /// completes.
    fn any_edges() -> impl Strategy<Value = Vec<(u32, bool)>> {
        let weight = prop_oneof![Just(0), 0..10u32, Just(u32::MAX), any::<u32>()];
        proptest::collection::vec((weight, any::<bool>()), 2..12)
    }

    proptest! {
        #![proptest_config(config())]

        /// With 128 bits, no intermediate result overflows, and the definition needs no scaling.
        #[test]
        fn probabilities_match_128_bit_arithmetic(edges in any_edges()) {
            let (weights, is_unreachable): (Vec<u32>, Vec<bool>) = edges.into_iter().unzip();
            let mut out = vec![Probability::ONE; weights.len()];
            probabilities(&weights, &is_unreachable, &mut out);
            let numerators: Vec<u32> = out.iter().map(|probability| probability.numerator()).collect();
            prop_assert_eq!(&numerators, &naive::metadata_numerators(&weights, &is_unreachable));

            let sum: i64 = numerators.iter().map(|&numerator| i64::from(numerator)).sum();
            prop_assert!((sum - (1 << 31)).abs() <= weights.len() as i64, "the sum of {:?} is not 2^31", numerators);
        }
    }
}
