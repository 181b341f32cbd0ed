//! The probability of going from a block to another by any of several parallel edges.

use super::probability::Probability;
use crate::cfg::Block;
use crate::rules::Rule;

/// How the edges of a block add up: even shares are counted and the sum rounded once, while what a rule says is rounded
/// edge by edge and then added.
///
/// LLVM: `BranchProbabilityInfo::getEdgeProbability`.
#[derive(Clone, Copy)]
pub(crate) struct ParallelEdges {
    evenly: bool,
    edges: u32,
}

impl ParallelEdges {
    /// For a block that `rule` decided and that has as many `edges`.
    pub fn new(rule: Rule, edges: usize) -> Self {
        ParallelEdges { evenly: rule == Rule::Even, edges: edges as u32 }
    }

    /// What an edge of `probability` adds to a sum.
    pub fn share(self, probability: Probability) -> u32 {
        if self.evenly {
            1
        } else {
            probability.numerator()
        }
    }

    /// The probability that a sum of shares stands for.
    pub fn probability(self, sum: u32) -> Probability {
        if self.evenly {
            Probability::ratio(sum, self.edges)
        } else {
            Probability::from_numerator(sum.min(Probability::DENOMINATOR))
        }
    }

    /// The probability of going to `target` by any of `edges`; 0 if none leads there.
    pub fn to_target<'a>(
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
