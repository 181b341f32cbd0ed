//! Sharpens weights: the likelier edge gets at least a given probability.
//!
//! Passes use branch weights for two questions: which edge is likelier, and by how much. Code layout needs only the
//! likelier edge. However, LLVM changes the order of blocks only if the probability is above 80%. Unrolling and
//! vectorizing compute a trip count from the weights of loop exits. The weights of loop exits are therefore not
//! sharpened.

use super::probability::Probability;
use crate::cfg::{Block, ControlFlow};

/// The weights of a branch with two successors, changed so that the likelier edge has at least the probability `least`.
/// `least` must not be 0. Equal weights do not change.
pub(super) fn sharpened([first, second]: [u32; 2], least: Probability) -> [u32; 2] {
    let rest = u64::from(Probability::DENOMINATOR - least.numerator());
    let most = |likelier: u32| (u64::from(likelier) * rest / u64::from(least.numerator())).max(1) as u32;
    if first > second {
        [first, second.min(most(first))]
    } else if second > first {
        [first.min(most(second)), second]
    } else {
        [first, second]
    }
}

/// Whether an edge of `block` leaves the innermost loop around `block`.
pub(super) fn leaves_a_loop(graph: &ControlFlow, block: Block) -> bool {
    let loops = graph.loops();
    let is_out =
        |natural| graph.successors(block).iter().any(|&target| !loops.contains_block(natural, target));
    loops.innermost(block).is_some_and(is_out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_support::parse_function;
    use super::*;
    use crate::cfg::test_support::config;

    const LEAST: Probability = Probability::ratio(4, 5);

    #[test]
    fn the_likelier_edge_is_never_weakened() {
        assert_eq!(sharpened([60, 40], LEAST), [60, 15]);
        assert_eq!(sharpened([40, 60], LEAST), [15, 60]);
        assert_eq!(sharpened([90, 10], LEAST), [90, 10]);
        assert_eq!(sharpened([50, 50], LEAST), [50, 50]);
        assert_eq!(sharpened([0, 0], LEAST), [0, 0]);
        assert_eq!(sharpened([0, 7], LEAST), [0, 7]);
        // The less likely edge keeps a weight of at least 1.
        assert_eq!(sharpened([3, 2], LEAST), [3, 1]);
    }

    #[test]
    fn a_branch_leaves_a_loop_if_one_of_its_edges_is_an_exit() {
        let parsed = parse_function("entry -> l out; l -> m n; m -> l out; n -> l; out");
        let leaves = |name| leaves_a_loop(&parsed.function.graph, parsed.block(name));
        assert_eq!(["entry", "l", "m", "n", "out"].map(leaves), [false, false, true, false, false]);
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn the_likelier_edge_reaches_the_minimum(
            weights in prop::array::uniform2(0..=u32::MAX),
            percent in 51..=99_u32,
        ) {
            let least = Probability::ratio(percent, 100);
            let [first, second] = sharpened(weights, least);
            prop_assert_eq!(first.cmp(&second), weights[0].cmp(&weights[1]));
            let (high, low) = (u128::from(first.max(second)), u128::from(first.min(second)));
            if high > 1000 && high != low {
                let (part, whole) = (u128::from(least.numerator()), u128::from(Probability::DENOMINATOR));
                prop_assert!(high * whole >= part * (high + low));
            }
            prop_assert_eq!(sharpened([first, second], least), [first, second]);
        }
    }
}
