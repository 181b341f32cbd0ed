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
    /// Probabilities from parts: a probability and a weight for every edge, and a rule for every block.
    pub(crate) fn from_parts(
        probabilities: Vec<Probability>,
        weights: Vec<u32>,
        rules: PrimaryMap<Block, Rule>,
    ) -> Self {
        BranchProbabilities { probabilities, weights, rules }
    }

    /// The probability of each edge, in the order of the graph's edges; 1 if a block has a single edge.
    pub fn probabilities(&self) -> &[Probability] {
        &self.probabilities
    }

    /// The integer weight behind the probability of each edge, in the order of the graph's edges.
    ///
    /// Probabilities are these weights over their sum. The exception are blocks that [`Rule::Metadata`] decided, where
    /// an edge to a block that never completes is capped.
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
    /// Even probabilities are added before rounding; the probabilities of other rules are rounded first and then added.
    /// `totals` is a scratch table of sums with one element per block, all zero between calls.
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
