//! The probability of a successor that is the target of several edges.

use super::probability::Probability;
use crate::cfg::Block;
use crate::rules::Rule;

/// Adds the probabilities of parallel edges. If no rule applies to a block with n outgoing edges, k parallel edges have
/// the probability k / n, and only this quotient is rounded. Otherwise each probability is rounded before it is added.
///
/// LLVM: `BranchProbabilityInfo::getEdgeProbability`.
#[derive(Clone, Copy)]
pub(crate) struct ParallelEdges {
    evenly: bool,
    edges: u32,
}

impl ParallelEdges {
    /// Prepares the sums over parallel edges of one block. `edges` is the number of edges of the block, and `rule` is
    /// the rule that determined their probabilities.
    pub(crate) fn new(rule: Rule, edges: usize) -> Self {
        ParallelEdges { evenly: rule == Rule::Even, edges: edges as u32 }
    }

    /// The number that an edge contributes to the sum over parallel edges. `probability` is the probability of this
    /// edge.
    pub(crate) fn share(self, probability: Probability) -> u32 {
        if self.evenly {
            1
        } else {
            probability.numerator()
        }
    }

    /// Converts `sum` to a probability. `sum` is the sum of the contributions of several parallel edges.
    pub(crate) fn probability(self, sum: u32) -> Probability {
        if self.evenly {
            Probability::ratio(sum, self.edges)
        } else {
            Probability::from_numerator(sum.min(Probability::DENOMINATOR))
        }
    }

    /// The sum of the probabilities of all edges to `target`, or 0 if no edge leads to `target`.
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
