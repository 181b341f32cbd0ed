//! The probability of going from a block to another by any of several parallel edges.

use super::probability::Probability;
use crate::cfg::Block;
use crate::rules::Rule;

/// How the probabilities of parallel edges add up: even probabilities are counted and the sum is rounded once; the
/// probabilities of other rules are rounded edge by edge and then added.
///
/// LLVM: `BranchProbabilityInfo::getEdgeProbability`.
#[derive(Clone, Copy)]
pub(crate) struct ParallelEdges {
    evenly: bool,
    edges: u32,
}

impl ParallelEdges {
    /// For a block that `rule` decided and that has this number of `edges`.
    pub(crate) fn new(rule: Rule, edges: usize) -> Self {
        ParallelEdges { evenly: rule == Rule::Even, edges: edges as u32 }
    }

    /// The contribution of an edge with `probability` to a sum.
    pub(crate) fn share(self, probability: Probability) -> u32 {
        if self.evenly {
            1
        } else {
            probability.numerator()
        }
    }

    /// The probability for a sum of contributions.
    pub(crate) fn probability(self, sum: u32) -> Probability {
        if self.evenly {
            Probability::ratio(sum, self.edges)
        } else {
            Probability::from_numerator(sum.min(Probability::DENOMINATOR))
        }
    }

    /// The probability of going to `target` by any of `edges`; 0 if there is no such edge.
    pub(crate) fn to_target<'a>(
        self,
        edges: impl Iterator<Item = (&'a Block, &'a Probability)>,
        target: Block,
    ) -> Probability {
        let parallel = edges.filter(|&(&successor, _)| successor == target);
        match parallel.fold(0, |sum: u32, (_, &edge)| sum.saturating_add(self.share(edge))) {
            0 => Probability::ZERO,
            sum => self.probability(sum),
        }
    }
}
