//! Merges parallel edges. For example, a hundred cases of a switch that lead to one block become one arrow.

use bpa_profile::bfi::{BlockFrequencies, Scaled};
use bpa_profile::bpi::{BranchProbabilities, Probability};
use bpa_profile::cfg::{table, Block, Graph};

/// All edges from one block to another block. The picture shows these edges as one arrow.
pub(super) struct Arrow {
    pub source: Block,
    pub target: Block,
    /// The number of edges that the arrow represents.
    pub edges: usize,
    /// Whether all edges of the source block lead to this target.
    pub is_alone: bool,
    /// The sum of the probabilities of the parallel edges.
    pub probability: Probability,
    /// How often the edges are executed per entry into the function.
    pub flow: Scaled,
    /// The sum of the weights of the parallel edges.
    pub weight: u64,
}

/// The arrows of a function, sorted by source block. The arrows of a block are in the order of the block's successors.
pub(super) fn collect(
    graph: &Graph,
    probabilities: &BranchProbabilities,
    frequencies: &BlockFrequencies,
) -> Vec<Arrow> {
    let mut arrows: Vec<Arrow> = Vec::new();
    let mut totals = table(graph.block_count(), 0);
    // The index of the last arrow to each block.
    let mut last = table(graph.block_count(), usize::MAX);
    for source in graph.blocks() {
        let first = arrows.len();
        let mut weights = probabilities.weights()[graph.edges(source)].iter();
        probabilities.for_each_target(graph, source, &mut totals, |target, probability| {
            let weight = weights.next().copied().unwrap_or(0).into();
            match arrows.get_mut(last[target]).filter(|arrow| arrow.source == source) {
                Some(parallel) => {
                    parallel.edges += 1;
                    parallel.weight += weight;
                }
                None => {
                    last[target] = arrows.len();
                    let flow = frequencies.scaled(source) * Scaled::new(probability.numerator().into(), -31);
                    arrows.push(Arrow {
                        source,
                        target,
                        edges: 1,
                        is_alone: false,
                        probability,
                        flow,
                        weight,
                    });
                }
            }
        });
        if let [alone] = &mut arrows[first..] {
            alone.is_alone = true;
        }
    }
    arrows
}
