//! Computes the weights of a block's edges from estimated weights of blocks and cycles.

use super::cycles::{Cycle, Cycles};
use super::estimated_weights::{weight, EstimatedWeights, Weighed};
use crate::cfg::Block;
use crate::rules::EstimateWeights;

/// The estimate for one edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeEstimate {
    /// The estimated weight of the destination.
    pub known: Option<u32>,
    /// Whether the edge leaves the innermost cycle around its source.
    pub leaves_cycle: bool,
    /// Whether the target is an unlikely successor: the branch never takes this edge in two successive iterations of
    /// the loop.
    pub unlikely: bool,
}

impl EdgeEstimate {
    /// The weight of the edge, before the weights of the block's edges are scaled so that their sum fits in 32 bits.
    ///
    /// LLVM: `BranchProbabilityInfo::calcEstimatedHeuristics`.
    pub(crate) fn weight(self, numbers: &EstimateWeights) -> Option<u32> {
        let mut weight = self.known;
        if self.leaves_cycle {
            weight = Some(divided(weight.unwrap_or(numbers.default), numbers.around_loop));
        }
        if self.unlikely {
            weight = Some(divided(weight.unwrap_or(numbers.default), numbers.unlikely));
        }
        weight
    }
}

/// The estimate for an edge that starts in the cycle `source` and leads to the block `target`. `place` is the edge's
/// index among the edges of its source block.
#[inline(always)] // `weigh_edges` calls this function often.
pub(super) fn estimate_edge(
    cycles: &Cycles,
    estimated: &EstimatedWeights,
    source: Cycle,
    unlikely: [bool; 2],
    (place, target): (usize, Block),
) -> EdgeEstimate {
    let entered = cycles.of(target);
    EdgeEstimate {
        known: estimated.of(Weighed::by_edge_into(cycles, source, target, entered)),
        leaves_cycle: cycles.exits(source, entered),
        unlikely: unlikely.get(place) == Some(&true),
    }
}

/// Stores the weights of the edges of `block` in `weights`. Returns false if no edge has an estimate.
///
/// For a branch with two successors, `unlikely` is true for each unlikely successor. The branch never goes to an
/// unlikely successor in two successive iterations.
///
/// LLVM: `BranchProbabilityInfo::calcEstimatedHeuristics`.
pub(super) fn weigh_edges(
    block: Block,
    cycles: &Cycles,
    estimated: &EstimatedWeights,
    unlikely: [bool; 2],
    numbers: &EstimateWeights,
    weights: &mut [u32],
) -> bool {
    let source = cycles.of(block);
    if source == Cycle::None && estimated.is_empty() && unlikely == [false; 2] {
        return false;
    }
    let mut any_known = false;
    for (place, &target) in cycles.graph.successors(block).iter().enumerate() {
        let edge = estimate_edge(cycles, estimated, source, unlikely, (place, target)).weight(numbers);
        any_known |= edge.is_some();
        weights[place] = edge.unwrap_or(numbers.default);
    }
    any_known && fit_into_32_bits(weights)
}

/// Multiplies a weight by the quotient `less / more`. The result is 0 only if the weight is 0.
fn divided(weight: u32, [more, less]: [u32; 2]) -> u32 {
    match weight {
        weight::ZERO => weight,
        // `less` is at most `more`. The result is therefore at most `weight`.
        _ => ((u64::from(weight) * u64::from(less) / u64::from(more)) as u32).max(weight::LOWEST),
    }
}

/// Scales the weights so that their sum fits in 32 bits. Weights above 0 stay above 0. Returns false if the sum is 0.
///
/// LLVM: `BranchProbabilityInfo::calcEstimatedHeuristics`.
fn fit_into_32_bits(weights: &mut [u32]) -> bool {
    let factor = divisor_to_fit(weights.iter().copied());
    if factor > 1 {
        for weight in weights.iter_mut() {
            *weight = ((u64::from(*weight) / factor) as u32).max(weight::LOWEST);
        }
    }
    total(weights) != 0
}

/// The number by which the weights must be divided so that their sum fits in 32 bits. If the sum of the weights fits in
/// 32 bits, the result is 1.
///
/// LLVM: `BranchProbabilityInfo::calcMetadataWeights`.
pub(super) fn divisor_to_fit(weights: impl Iterator<Item = u32>) -> u64 {
    let sum: u64 = weights.map(u64::from).sum();
    let limit = u64::from(u32::MAX);
    if sum > limit {
        sum / limit + 1
    } else {
        1
    }
}

/// The low 32 bits of the sum of `weights`.
///
/// The sum exceeds 32 bits only for a switch with two groups of cases. The first group has at least 12,288 cases, and
/// the scaled weights of these cases add up to almost 2^32. The second group has at least 4,096 cases, and each case
/// leads to a block that never completes. The weight of each case in the second group changes from 0 to 1. LLVM and
/// this function drop the upper bits of the sum.
pub(super) fn total(weights: &[u32]) -> u32 {
    weights.iter().fold(0, |total: u32, &weight| total.wrapping_add(weight))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::parse_function;
    use super::fit_into_32_bits;
    use crate::rules::Rule;

    /// 4,095 edges have the weight 0xFFFFF, and an exit has the weight 33,825. The sum of the weights is 4,293,948,450
    /// and fits in 32 bits. With one more edge, the sum is 4,294,997,025 and does not fit. All weights are then halved.
    #[test]
    #[cfg_attr(miri, ignore = "too large for Miri")]
    fn wide_switches_are_scaled_to_32_bits() {
        let switch =
            |repeats| parse_function(&format!("entry -> s; s -> {}exit; exit", "s ".repeat(repeats)));
        let fits = switch(4_095);
        assert_eq!((fits.weights("s")[0], fits.weights("s")[4_095]), (1_048_575, 33_825));
        let scaled = switch(4_096);
        assert!(scaled.weights("s")[..4_096].iter().all(|&weight| weight == 524_287));
        assert_eq!(scaled.weights("s")[4_096], 16_912);
    }

    /// 12,288 edges lead to `b`, and each has the weight 349525 (0xFFFFF / 3). The sum of these weights is 2^32 - 4096.
    /// Each edge to `dead` has the weight 0, which LLVM replaces by 1. With at least 4,096 edges to `dead`, the sum of
    /// all weights does not fit in 32 bits. With 5,000 edges to `dead`, the low 32 bits of the sum are 5000 - 4096 =
    /// 904. The numerator of an edge to `dead` is then 2^31 * 1/904 = 2375535.01, rounded. For an edge to `b`,
    /// 2^31 * 349525/904 is 193 * 2^32 + 1380185840, and LLVM keeps the low 32 bits.
    #[test]
    #[cfg_attr(miri, ignore = "too large for Miri")]
    fn a_sum_above_32_bits_wraps_as_in_llvm() {
        let switch = |dead: usize| {
            let (living, dead) = ("b ".repeat(12_288), "dead ".repeat(dead));
            parse_function(&format!("entry -> s; s -> {living}{dead}; b; dead: unreachable"))
        };
        let parsed = switch(5_000);
        assert_eq!((parsed.weights("s")[0], parsed.weights("s")[12_288]), (349_525, 1));
        assert_eq!((parsed.numerators("s")[0], parsed.numerators("s")[12_288]), (1_380_185_840, 2_375_535));
        // With 4,500 edges to `dead`, the low bits of the sum are 404, and the low bits of the quotient are
        // 2492994631. This quotient is above 2^31, and LLVM limits the probability to 1.
        assert_eq!(switch(4_500).numerators("s")[0], 1 << 31);
        // If the sum of the weights is 2^32 - 1, it fits in 32 bits. If the sum is 2^32, its low 32 bits are 0, and
        // LLVM divides by zero.
        assert_eq!(switch(4_095).numerators("s")[0], 174_763);
        assert_eq!(switch(4_096).rule("s"), Rule::Even);
    }

    #[test]
    fn scaling_starts_above_32_bits_and_keeps_weights_above_zero() {
        let fit = |mut weights: Vec<u32>| fit_into_32_bits(&mut weights).then_some(weights);
        assert_eq!(fit(vec![u32::MAX - 1, 1]), Some(vec![u32::MAX - 1, 1]));
        assert_eq!(fit(vec![u32::MAX, 1]), Some(vec![2_147_483_647, 1])); // The divisor is 2.
        assert_eq!(fit(vec![u32::MAX, 0, 9]), Some(vec![2_147_483_647, 1, 4]));
        assert_eq!(fit(vec![u32::MAX, u32::MAX]), Some(vec![1_431_655_765, 1_431_655_765])); // The divisor is 3.
        assert_eq!(fit(vec![0, 5]), Some(vec![0, 5]));
        assert_eq!(fit(vec![0, 0]), None);
    }
}
