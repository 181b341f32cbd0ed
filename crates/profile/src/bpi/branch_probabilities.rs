//! The result of the analysis.

use cranelift_entity::PrimaryMap;

use super::parallel_edges::ParallelEdges;
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
    /// Probabilities that were told: one of each, and one weight, for every edge, and a rule for every block.
    pub(crate) fn from_parts(
        probabilities: Vec<Probability>,
        weights: Vec<u32>,
        rules: PrimaryMap<Block, Rule>,
    ) -> Self {
        BranchProbabilities { probabilities, weights, rules }
    }

    /// The probability of each edge, in the order of the graph's edges; 1 where a block has a single one.
    pub fn probabilities(&self) -> &[Probability] {
        &self.probabilities
    }

    /// The integer weight behind the probability of each edge, in the order of the graph's edges.
    ///
    /// Probabilities are these weights over their sum, except where metadata is overruled: on blocks that
    /// [`Rule::Metadata`] decided.
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// The rule that decided the probabilities of `block`.
    pub fn rule(&self, block: Block) -> Rule {
        self.rules[block]
    }

    /// Calls `visit` with every edge from `block`, in order, and the probability of going from `block` to the
    /// edge's target by any edge.
    ///
    /// Even shares add up to one rounded ratio; the answers of a rule are rounded first and then added.
    /// `totals` is memory for the sums, all zero between calls, one element a block.
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
