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

    const HALF: u32 = 1 << 30;
    const ONE: u32 = 1 << 31;

    /// The numerators of the probabilities of edges with the weights `weights`. The edges with indices in `unreachable`
    /// lead to blocks that never complete.
    fn numerators(weights: &[u32], unreachable: &[usize]) -> Vec<u32> {
        let is_unreachable: Vec<bool> =
            (0..weights.len()).map(|place| unreachable.contains(&place)).collect();
        let mut out = vec![Probability::ONE; weights.len()];
        probabilities(weights, &is_unreachable, &mut out);
        out.iter().map(|probability| probability.numerator()).collect()
    }

    /// 7/15 of 2^31 is 1002159035.73, and 8/15 is 1145324612.27.
    #[test]
    fn weights_are_shares_of_their_sum() {
        assert_eq!(numerators(&[7, 8], &[]), [1_002_159_036, 1_145_324_612]);
        assert_eq!(numerators(&[0, 5], &[]), [0, ONE]);
    }

    #[test]
    fn edges_of_weight_0_are_equally_likely() {
        assert_eq!(numerators(&[0, 0], &[]), [HALF, HALF]);
    }

    /// Weights with a sum of at most 2^32 - 1 do not change. If the sum is 2^32, each weight is divided by 2 and
    /// rounded down, so the weight 1 becomes 0.
    #[test]
    fn sums_above_32_bits_are_scaled_down() {
        assert_eq!(numerators(&[u32::MAX - 1, 1], &[]), [ONE - 1, 1]); // 2147483647.4999 and 0.5000000001
        assert_eq!(numerators(&[u32::MAX, 1], &[]), [ONE, 0]);
        assert_eq!(numerators(&[u32::MAX, u32::MAX], &[]), [HALF, HALF]);
        // The sum is 3 * (2^32 - 1). Divided by 4 and rounded down, each weight is 1073741823.
        assert_eq!(numerators(&[u32::MAX; 3], &[]), [715_827_883; 3]);
        // The weights are divided by 3 and rounded down: 4 becomes 1, and 2 becomes 0.
        assert_eq!(numerators(&[u32::MAX, u32::MAX, 4, 2], &[])[2..], [1, 0]);
    }

    /// Both edges have the same weight. The edge to a block that never completes gets the probability 2^-31, and the
    /// other edge gets the remaining probability.
    #[test]
    fn an_unreachable_edge_keeps_one_unit() {
        assert_eq!(numerators(&[1, 1], &[1]), [ONE - 1, 1]);
        assert_eq!(numerators(&[1, 1], &[0]), [1, ONE - 1]);
    }

    /// The weights are 2:1:1, and the last edge leads to a block that never completes. The remaining 2^31 - 1 units are
    /// divided among the first two edges in the ratio 2:1, into 1431655764.67 and 715827882.33 units.
    #[test]
    fn the_remaining_probability_is_shared_in_proportion_to_weights() {
        assert_eq!(numerators(&[2, 1, 1], &[2]), [1_431_655_765, 715_827_882, 1]);
    }

    /// Three of five edges lead to blocks that never complete. LLVM limits the probabilities of these edges to
    /// 2^-31. The other two edges have the probabilities 1/30 and 2/30, with the rounded numerators 71582788 and
    /// 143165577. These edges share the remaining 2^31 - 3 units in proportion to the two numerators. The exact shares
    /// are 715827878.33 and 1431655766.67 units.
    #[test]
    fn every_capped_edge_keeps_its_unit() {
        assert_eq!(numerators(&[9, 1, 9, 2, 9], &[0, 2, 4]), [1, 715_827_878, 1, 1_431_655_767, 1]);
    }

    /// The upper limit of 2^-31 does not change smaller probabilities: if the weight is 0, the probability stays 0.
    #[test]
    fn a_weight_of_zero_is_below_the_cap() {
        assert_eq!(numerators(&[5, 0], &[1]), [ONE, 0]);
        assert_eq!(numerators(&[7, 8, 0], &[2]), [1_002_159_036, 1_145_324_612, 0]);
    }

    /// Only one edge has a weight above 0. This edge leads to a block that never completes, so the probability of the
    /// edge is limited to 2^-31. Each of the other edges gets an equal part of the remaining probability, rounded down.
    /// Half of 2^31 - 1 is 1073741823.5.
    #[test]
    fn edges_without_weight_share_the_remaining_probability_evenly() {
        assert_eq!(numerators(&[0, 5], &[1]), [ONE - 1, 1]);
        assert_eq!(numerators(&[0, 0, 5], &[2]), [HALF - 1, HALF - 1, 1]);
    }

    /// If all edges lead to blocks that never complete, all edges have the same probability.
    #[test]
    fn edges_are_equally_likely_if_all_are_unreachable() {
        assert_eq!(numerators(&[7, 8], &[0, 1]), [HALF, HALF]);
        assert_eq!(numerators(&[0, 8], &[0, 1]), [HALF, HALF]);
    }

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

        /// If the list of edges is rotated together with the weights, the list of probabilities is rotated in the same
        /// way.
        #[test]
        fn the_order_of_edges_does_not_affect_their_probabilities(edges in any_edges(), shift in 0..12usize) {
            let shares = |edges: &[(u32, bool)]| {
                let (weights, is_unreachable): (Vec<u32>, Vec<bool>) = edges.iter().copied().unzip();
                let mut out = vec![Probability::ONE; weights.len()];
                probabilities(&weights, &is_unreachable, &mut out);
                out
            };
            let shift = shift % edges.len();
            let mut rotated = edges.clone();
            rotated.rotate_left(shift);
            let mut expected = shares(&edges);
            expected.rotate_left(shift);
            prop_assert_eq!(shares(&rotated), expected);
        }
    }
}
