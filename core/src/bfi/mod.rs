//! Block frequencies: how often each block of a function runs, relative to the function's entry.
//!
//! The scheme is LLVM's (its "Block Frequency Terminology"), and so are the numbers, to the last bit.
//! *Mass* falls from the header of every loop, inner loops first, along the edges by probability. What comes
//! back to the header gives the loop's *scale*, how often it repeats; what leaves it, how the loop as a whole
//! passes mass on in the loop around it. In the end masses and scales along the way from the outside in
//! multiply to *frequencies*.
//!
//! | file | its one idea |
//! | --- | --- |
//! | `rank` | blocks numbered in reverse postorder |
//! | `mass` | shares of a flow, 64-bit fixed point |
//! | `distribution` | splitting a mass without loss, in LLVM's order |
//! | `dense_order` | the order of LLVM's hash table, where it shows |
//! | `regions` | loops as nodes of the level around them |
//! | `irreducible` | finding loops with several headers |
//! | `flow` | mass through every level |
//! | `evidence` | what mass is divided by |
//! | `frequencies` | masses and scales multiplied out; integers; counts |
//! | `nest` | the loops that come out, natural and irreducible, and each block's share in them |
//! | `bias` | frequencies against those of a function without evidence |
//! | `scaled` | numbers with a binary exponent |
//! | `decimal`, `scientific` | such numbers as text |

pub mod bias;
mod decimal;
mod dense_order;
mod distribution;
mod evidence;
mod flow;
mod frequencies;
mod irreducible;
mod mass;
pub mod nest;
mod rank;
mod regions;
mod scaled;
mod scientific;

#[cfg(test)]
mod drawing;
#[cfg(test)]
mod naive;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use cranelift_entity::{EntityRef, PrimaryMap};

use crate::bpi::Probability;
use crate::cfg::{Block, Graph, LoopForest, SpanningTree};
use crate::dialect::{FrequencyScaling, HashProbing};
use evidence::Evidence;
use flow::{Flow, Terrain};
pub use frequencies::{BlockFrequencies, LoopScale};
use mass::Mass;
use rank::Rank;
pub use scaled::Scaled;

/// What block frequencies are worked out from.
#[derive(Clone, Copy)]
pub struct FrequencyInput<'a> {
    /// The function's blocks and edges.
    pub graph: &'a Graph,
    /// The depth-first walk over `graph`.
    pub tree: &'a SpanningTree,
    /// The natural loops of `graph`.
    pub loops: &'a LoopForest,
    /// The probability of each edge, by its place in `graph`.
    pub probabilities: &'a [Probability],
    /// The weights of `irr_loop` metadata, by block, ascending.
    pub header_weights: &'a [(Block, u64)],
    /// How frequencies become integers.
    pub scaling: FrequencyScaling,
    /// How LLVM's hash tables look for a free bucket.
    pub probing: HashProbing,
}

/// Works out block frequencies; its memory serves function after function.
#[derive(Default)]
pub struct FrequencyAnalysis {
    flow: Flow,
    frequencies: PrimaryMap<Rank, Scaled>,
}

impl FrequencyAnalysis {
    /// The block frequencies of a function.
    ///
    /// # Panics
    ///
    /// If the parts of `input` are not of one and the same graph, where that is noticed: or else the frequencies are
    /// meaningless.
    pub fn compute(&mut self, input: &FrequencyInput) -> BlockFrequencies {
        let FrequencyInput { probabilities, header_weights, .. } = *input;
        self.solve(input, Evidence::Given { probabilities, header_weights });
        let Flow { ranking, .. } = &self.flow;
        BlockFrequencies::new(input.graph.block_count(), ranking, &self.frequencies, input.scaling)
            .with_loops(self.loop_scales(), self.flow.irreducible_headers.clone())
    }

    /// Leaves the frequency of every rank in `frequencies`.
    fn solve(&mut self, input: &FrequencyInput, evidence: Evidence) {
        let FrequencyInput { graph, tree, loops, probing, .. } = *input;
        self.flow.run(&Terrain { graph, tree, loops, evidence, probing });
        frequencies::unpack(&self.flow.regions, &mut self.frequencies);
    }

    fn loop_scales(&self) -> Vec<LoopScale> {
        let Flow { ranking, regions, .. } = &self.flow;
        let scale_of = |region| LoopScale {
            header: ranking.block(regions.header(region, 0)),
            headers: regions.header_count(region),
            scale: regions.scale(region),
        };
        regions.outermost_first().map(scale_of).collect()
    }
}

/// Gives `map` new contents in the memory it has.
fn refill<K: EntityRef, V>(map: &mut PrimaryMap<K, V>, values: impl Iterator<Item = V>) {
    map.clear();
    map.reserve(values.size_hint().0);
    values.for_each(|value| {
        map.push(value);
    });
}
