//! From estimated block weights to the weights of one block's edges.

use super::cycles::{Cycle, Cycles};
use super::estimated_weights::{weight, EstimatedWeights, Weighed};
use crate::cfg::Block;
use crate::rules::EstimateWeights;

/// What is known of one edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeEstimate {
    /// The weight of what the edge leads to.
    pub known: Option<u32>,
    /// Whether it leaves the innermost cycle around its source.
    pub leaves_cycle: bool,
    /// Whether the target is an unlikely successor: going there makes the condition of the branch false next time.
    pub unlikely: bool,
}

impl EdgeEstimate {
    /// The weight of the edge, before all edges of the block are made to fit 32 bits.
    ///
    /// LLVM: `BranchProbabilityInfo::calcEstimatedHeuristics`.
    pub fn weight(self, numbers: &EstimateWeights) -> Option<u32> {
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

/// What is known of the edge from a block of `source` to its successor `target` at `place`.
#[inline(always)] // hot where weights are compared, whoever else asks
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

/// Puts the weights of the edges of `block` into `weights`; false if no estimate says anything about them.
///
/// `unlikely` tells of each successor of a two-way branch whether going there makes the condition
/// false next time.
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

/// A weight as one ratio has it, `less` for each `more` of what it is. Zero stays zero and nothing else becomes it.
fn divided(weight: u32, [more, less]: [u32; 2]) -> u32 {
    match weight {
        weight::ZERO => weight,
        // A loop that is left as often as it turns at most: no more than there was.
        _ => ((u64::from(weight) * u64::from(less) / u64::from(more)) as u32).max(weight::LOWEST),
    }
}

/// Scales the weights so that their sum fits into 32 bits, no weight below 1; false if the sum is zero.
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

/// What weights have to be divided by for their sum to fit into 32 bits: 1 if it does.
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
/// The sum of weights has no more bits, with one exception: of a switch of 12,288 cases whose scaled weights
/// come close to 2^32, another 4,096 that never complete go from zero to 1 each, and lift the sum above. LLVM
/// drops the upper bits then and goes on, and so does this.
pub(super) fn total(weights: &[u32]) -> u32 {
    weights.iter().fold(0, |total: u32, &weight| total.wrapping_add(weight))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::draw;
    use super::fit_into_32_bits;
    use crate::rules::Rule;

    /// Turn or leave: a loop turns 31 times for each time it is left, with nothing else known.
    #[test]
    fn leaving_a_loop_is_31_times_lighter_than_staying() {
        let drawn = draw("entry -> l; l -> l exit; exit");
        assert_eq!(drawn.weights("l"), [1_048_575, 33_825]);
        assert_eq!(drawn.numerators("l"), [31 << 26, 1 << 26]); // 31/32, 1/32
        assert_eq!(drawn.rule("l"), Rule::EstimatedWeights);
        // The same from an irreducible cycle.
        let drawn = draw("entry -> a b; a -> b; b -> a exit; exit");
        assert_eq!(drawn.weights("b"), [1_048_575, 33_825]);
    }

    /// A cold exit is divided as well: 65535 / 31 = 2114.03.
    #[test]
    fn a_cold_exit_is_lighter_still() {
        let drawn = draw("entry -> l; l -> l exit; exit: cold");
        assert_eq!(drawn.weights("l"), [1_048_575, 2_114]);
    }

    /// From the inner loop to the outer one is leaving too, and from one loop into the next as well; into
    /// an inner loop is not.
    #[test]
    fn every_loop_left_divides_once() {
        let drawn =
            draw("entry -> o; o -> i x; x -> latch; i -> i latch; latch -> o next; next -> next end; end");
        assert_eq!(drawn.weights("i"), [1_048_575, 33_825]);
        assert_eq!(drawn.weights("latch"), [1_048_575, 33_825]);
        assert_eq!(drawn.rule("o"), Rule::Even);
        // Two loops at once is no more than one.
        let drawn = draw("entry -> o; o -> i; i -> i latch end; latch -> o; end");
        assert_eq!(drawn.weights("i"), [1_048_575, 33_825, 33_825]);
    }

    /// The cold block itself is unlikely, and the edge into a loop weighs what the loop does.
    #[test]
    fn edges_weigh_what_they_lead_to() {
        let drawn = draw("entry -> a b; a: cold; b");
        assert_eq!(drawn.weights("entry"), [65_535, 1_048_575]);
        let drawn = draw("entry -> l b; l -> l exit; exit: cold; b");
        assert_eq!(drawn.weights("entry"), [65_535, 1_048_575]);
        let drawn = draw("entry -> l b; l: cold -> l exit; exit; b");
        // l is cold, but its loop is not: entering it is as likely as not.
        assert_eq!(drawn.rule("entry"), Rule::Even);
        assert_eq!(drawn.weights("l"), [65_535, 33_825]);
    }

    /// A way that makes its own condition false is taken half as often: by staying, by leaving, by both.
    #[test]
    fn an_edge_to_an_unlikely_successor_is_halved() {
        assert_eq!(draw("entry -> l; l -> l/2 exit; exit").weights("l"), [524_287, 33_825]);
        assert_eq!(draw("entry -> l; l -> l exit/2; exit").weights("l"), [1_048_575, 16_912]);
        assert_eq!(draw("entry -> l; l -> l/2 exit/2; exit").weights("l"), [524_287, 16_912]);
        // A branch that stays in the loop either way has weights for this reason alone.
        let drawn = draw("entry -> l; l -> a/2 b; a -> m; b -> m; m -> l exit; exit");
        assert_eq!(drawn.weights("l"), [524_287, 1_048_575]);
        assert_eq!(drawn.rule("l"), Rule::EstimatedWeights);
    }

    /// Outside of natural loops there is no next time.
    #[test]
    fn nothing_is_halved_outside_of_loops() {
        assert_eq!(draw("entry -> a/2 b; a; b").rule("entry"), Rule::Even);
        let drawn = draw("entry -> a b; a -> b; b -> a/2 exit; exit");
        assert_eq!(drawn.weights("b"), [1_048_575, 33_825]);
    }

    /// Neither division makes zero of something or something of zero.
    #[test]
    fn zero_stays_zero_and_one_stays_one() {
        assert_eq!(draw("entry -> l; l -> l exit/2; exit: unreachable").weights("l"), [1_048_575, 0]);
        assert_eq!(draw("entry -> l; l -> l exit/2; exit: exception").weights("l"), [1_048_575, 1]);
    }

    /// Both arms never complete: their weights say nothing of which is likelier.
    #[test]
    fn all_zero_decides_nothing() {
        let drawn = draw("entry -> a b; a: unreachable; b: unreachable");
        assert_eq!(drawn.rule("entry"), Rule::Even);
        assert_eq!(drawn.weights("entry"), [1, 1]);
    }

    /// 4,095 edges of 0xFFFFF and an exit of 33,825 make 4,293,948,450, which fits; one more makes
    /// 4,294,997,025, which does not: all are halved.
    #[test]
    #[cfg_attr(miri, ignore = "too large to be interpreted")]
    fn wide_switches_are_scaled_to_32_bits() {
        let switch = |turns| draw(&format!("entry -> s; s -> {}exit; exit", "s ".repeat(turns)));
        let fits = switch(4_095);
        assert_eq!((fits.weights("s")[0], fits.weights("s")[4_095]), (1_048_575, 33_825));
        let scaled = switch(4_096);
        assert!(scaled.weights("s")[..4_096].iter().all(|&weight| weight == 524_287));
        assert_eq!(scaled.weights("s")[4_096], 16_912);
    }

    /// 12,288 edges of 0xFFFFF, divided by 3, and more than 4,095 zeros that become 1 are more than 32 bits hold.
    /// With 5,000 of them 904 is left of the sum, and 1/904 of 2^31 is 2375535.01; 349525/904 of 2^31 is
    /// 193 * 2^32 and 1380185840 more, of which LLVM keeps the latter.
    #[test]
    #[cfg_attr(miri, ignore = "too large to be interpreted")]
    fn a_sum_that_outgrows_32_bits_loses_what_llvm_loses() {
        let switch = |dead: usize| {
            let (living, dead) = ("b ".repeat(12_288), "dead ".repeat(dead));
            draw(&format!("entry -> s; s -> {living}{dead}; b; dead: unreachable"))
        };
        let drawn = switch(5_000);
        assert_eq!((drawn.weights("s")[0], drawn.weights("s")[12_288]), (349_525, 1));
        assert_eq!((drawn.numerators("s")[0], drawn.numerators("s")[12_288]), (1_380_185_840, 2_375_535));
        // With 4,500 the remainders are 404 and 2492994631, which is above 2^31: one is as much as there is.
        assert_eq!(switch(4_500).numerators("s")[0], 1 << 31);
        // One short of 2^32 and all is well; at 2^32 nothing is left, where LLVM divides by zero.
        assert_eq!(switch(4_095).numerators("s")[0], 174_763);
        assert_eq!(switch(4_096).rule("s"), Rule::Even);
    }

    #[test]
    fn scaling_begins_above_32_bits_and_leaves_no_zero() {
        let fit = |mut weights: Vec<u32>| fit_into_32_bits(&mut weights).then_some(weights);
        assert_eq!(fit(vec![u32::MAX - 1, 1]), Some(vec![u32::MAX - 1, 1]));
        assert_eq!(fit(vec![u32::MAX, 1]), Some(vec![2_147_483_647, 1])); // a factor of 2
        assert_eq!(fit(vec![u32::MAX, 0, 9]), Some(vec![2_147_483_647, 1, 4]));
        assert_eq!(fit(vec![u32::MAX, u32::MAX]), Some(vec![1_431_655_765, 1_431_655_765])); // 3, not 2
        assert_eq!(fit(vec![0, 5]), Some(vec![0, 5]));
        assert_eq!(fit(vec![0, 0]), None);
    }
}
