//! Merges parallel edges. For example, a hundred cases of a switch that lead to one block are one successor.

use cranelift_entity::PrimaryMap;

use bpa_profile::bpi::Probability;
use bpa_profile::cfg::{table, Block};
use bpa_profile::profile::Profile;

/// A successor block of a branch, and all edges to this block.
pub(crate) struct Successor {
    pub target: Block,
    /// The total probability of the edges.
    pub probability: Probability,
    /// The index, in per-edge tables, of the first edge to the successor block.
    pub first_edge: usize,
    /// The number of edges.
    pub edges: usize,
    /// The total weight of the edges.
    pub weight: u64,
}

/// Finds the successors of the blocks of one function.
pub(crate) struct Successors<'a> {
    profile: &'a Profile,
    /// Scratch memory. Between calls, all sums are 0.
    totals: PrimaryMap<Block, u32>,
    /// Scratch memory: the index of each target among the successors of the current block.
    places: PrimaryMap<Block, u32>,
}

impl<'a> Successors<'a> {
    pub(crate) fn new(profile: &'a Profile) -> Self {
        let count = profile.graph().block_count();
        Successors { profile, totals: table(count, 0), places: table(count, u32::MAX) }
    }

    /// The successors of `block`, in the order of their first edges. Each edge has the weight that the analysis used.
    pub(crate) fn of(&mut self, block: Block) -> Vec<Successor> {
        let edges = self.profile.graph().edges(block);
        self.with_weights(block, &self.profile.branch_probabilities().weights()[edges])
    }

    /// The successors of `block`, in the order of their first edges. The edges have the weights `weights`; missing
    /// weights are 0.
    pub(crate) fn with_weights(&mut self, block: Block, weights: &[u32]) -> Vec<Successor> {
        let Successors { profile, totals, places } = self;
        let graph = profile.graph();
        let mut edges = graph.edges(block).zip(weights.iter().copied().chain(std::iter::repeat(0)));
        let mut found: Vec<Successor> = Vec::new();
        profile.branch_probabilities().for_each_target(graph, block, totals, |target, probability| {
            let (first_edge, weight) = edges.next().expect("one call for each edge");
            match found.get_mut(places[target] as usize) {
                Some(successor) => {
                    successor.edges += 1;
                    successor.weight += u64::from(weight);
                }
                None => {
                    places[target] = found.len() as u32;
                    let weight = weight.into();
                    found.push(Successor { target, probability, first_edge, edges: 1, weight });
                }
            }
        });
        found.iter().for_each(|successor| places[successor.target] = u32::MAX);
        found
    }
}
