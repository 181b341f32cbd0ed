//! The result of the branch probability analysis.

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
