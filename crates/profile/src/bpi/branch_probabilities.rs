//! The result of the branch probability analysis, and sums over parallel edges.

use cranelift_entity::PrimaryMap;

use super::probability::Probability;
use crate::cfg::{Block, Graph};
use crate::rules::Rule;

/// Branch probabilities of one function.
///
/// LLVM: `BranchProbabilityInfo`.
#[derive(Clone, Debug, Default)]
pub struct BranchProbabilities {
    pub(super) probabilities: Vec<Probability>,
    pub(super) weights: Vec<u32>,
    pub(super) rules: PrimaryMap<Block, Rule>,
}

impl BranchProbabilities {
    /// Creates probabilities from parts: a probability and a weight for every edge, and a rule for every block.
    pub(crate) fn from_parts(
        probabilities: Vec<Probability>,
        weights: Vec<u32>,
        rules: PrimaryMap<Block, Rule>,
    ) -> Self {
        BranchProbabilities { probabilities, weights, rules }
    }

    /// The probability of each edge, in the order of the graph's edges. The edge of a block with a single edge has
    /// probability 1.
    pub fn probabilities(&self) -> &[Probability] {
        &self.probabilities
    }

    /// The integer weight of each edge, in the order of the graph's edges.
    ///
    /// The probability of an edge is its weight divided by the sum of the block's weights. However, if
    /// [`Rule::Metadata`] applies and an edge leads to a block that never completes, the probability of this edge is at
    /// most 2^-31.
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// The rule that determined the probabilities of `block`.
    pub fn rule(&self, block: Block) -> Rule {
        self.rules[block]
    }

    /// For each edge of `block`, in order, calls `visit` with the edge's target and the target's probability. The
    /// probability includes parallel edges.
    ///
    /// If no rule applies, the probabilities of parallel edges are added, and only the sum is rounded. Otherwise the
    /// probabilities are rounded before the addition. `totals` is scratch memory with one element for each block. All
    /// elements must be 0 between calls.
    pub fn for_each_target(
        &self,
        graph: &Graph,
        block: Block,
        totals: &mut PrimaryMap<Block, u32>,
        mut visit: impl FnMut(Block, Probability),
    ) {
        let targets = graph.successors(block);
        let parallel = ParallelEdges::new(self.rules[block], targets.len());
        for (&target, &edge) in targets.iter().zip(&self.probabilities[graph.edges(block)]) {
            totals[target] = totals[target].saturating_add(parallel.share(edge));
        }
        for &target in targets {
            visit(target, parallel.probability(totals[target]));
        }
        targets.iter().for_each(|&target| totals[target] = 0);
    }
}

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
