//! Entry points of the block frequency analysis.

use cranelift_entity::{EntityRef, PrimaryMap};

use super::distribution::Evidence;
use super::exact::ExactFlow;
use super::flow::{Flow, FlowInput};
use super::frequencies::{self, BlockFrequencies, FrequenciesAndDepths};
use super::regions::Region;
use super::rpo::RpoIndex;
use super::scaled::Scaled;
use crate::bpi::Probability;
use crate::cfg::{table, Block, ControlFlow};
use crate::dialect::{Dialect, FrequencyScaling, HashProbing, IrreducibleMass, Nesting};

/// The input of the block frequency analysis.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct FrequencyInput<'a> {
    /// The blocks, edges and loops of the function.
    pub graph: &'a ControlFlow,
    /// The probability of each edge, by edge index in `graph`.
    pub probabilities: &'a [Probability],
    /// Header weights from `irr_loop` metadata, in ascending order of blocks.
    pub header_weights: &'a [(Block, u64)],
    /// How LLVM distributes the mass that enters an irreducible region.
    pub irreducible: IrreducibleMass,
    /// How frequencies are converted to integers.
    pub scaling: FrequencyScaling,
    /// How LLVM's hash tables search for a free bucket.
    pub probing: HashProbing,
}

impl<'a> FrequencyInput<'a> {
    /// Creates the input for the algorithms of the LLVM version `dialect`. The input has no `irr_loop` weights.
    pub fn new(graph: &'a ControlFlow, probabilities: &'a [Probability], dialect: &Dialect) -> Self {
        FrequencyInput {
            graph,
            probabilities,
            header_weights: &[],
            irreducible: dialect.irreducible_mass,
            scaling: dialect.frequency_scaling,
            probing: dialect.hash_probing,
        }
    }

    /// Returns this input with the header weights from `irr_loop` metadata. `header_weights` must be in ascending order
    /// of blocks.
    pub fn with_header_weights(self, header_weights: &'a [(Block, u64)]) -> Self {
        FrequencyInput { header_weights, ..self }
    }
}

/// Computes block frequencies, and reuses its memory for the next function.
#[derive(Default)]
pub struct FrequencyAnalysis {
    pub(super) flow: Flow,
    pub(super) frequencies: PrimaryMap<RpoIndex, Scaled>,
    factors: PrimaryMap<Region, Scaled>,
    pub(super) exact: ExactFlow,
}

impl FrequencyAnalysis {
    /// Computes the block frequencies of a function with LLVM's algorithm.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::calculate`.
    ///
    /// # Panics
    ///
    /// May panic if `input` does not have one probability for each edge, or if a header weight belongs to a block
    /// outside the graph. If the method does not panic on such input, the frequencies are meaningless.
    pub fn compute(&mut self, input: &FrequencyInput) -> BlockFrequencies {
        let FrequencyInput { probabilities, header_weights, .. } = *input;
        // A function without edges needs no analysis. In unoptimized C++, most functions have one block.
        if input.graph.edge_count() == 0 {
            return BlockFrequencies::of_entry_alone(input.graph.block_count(), input.scaling);
        }
        self.solve(input, Evidence::Given { probabilities, header_weights });
        let Flow { rpo, .. } = &self.flow;
        BlockFrequencies::new(input.graph.block_count(), rpo, &self.frequencies, input.scaling)
    }

    /// Computes block frequencies that satisfy the flow equations on every graph; see
    /// [`FrequencyMethod::Exact`](super::FrequencyMethod::Exact). Ignores `header_weights`.
    ///
    /// The relative error of each equation is below 2^-60.
    ///
    /// # Panics
    ///
    /// Panics in the same cases as [`compute`](Self::compute).
    pub fn compute_exact(&mut self, input: &FrequencyInput) -> BlockFrequencies {
        let mut scaled: PrimaryMap<Block, Scaled> = table(input.graph.block_count(), Scaled::ZERO);
        self.exact
            .run(input.graph, input.probabilities, |block, frequency| scaled[block] = frequency.to_scaled());
        BlockFrequencies::from_exact(scaled, input.scaling)
    }

    /// Computes the frequencies with LLVM's algorithm, and the loop depths.
    pub(crate) fn compute_with_depths(&mut self, input: &FrequencyInput) -> FrequenciesAndDepths {
        let FrequencyInput { probabilities, header_weights, .. } = *input;
        let mut frequencies = table(input.graph.block_count(), Scaled::ZERO);
        let mut depths = table(input.graph.block_count(), 0);
        if input.graph.edge_count() == 0 {
            frequencies[Block::new(0)] = Scaled::ONE;
            return FrequenciesAndDepths { frequencies, depths };
        }
        self.solve(input, Evidence::Given { probabilities, header_weights });
        let Flow { rpo, regions, .. } = &self.flow;
        for ((_, block), &frequency) in rpo.iter().zip(self.frequencies.values()) {
            frequencies[block] = frequency;
        }
        let mut region_depths: PrimaryMap<Region, u32> = table(regions.count(), 1);
        for region in regions.outermost_first() {
            for (node, package) in regions.nodes_of(region) {
                match package {
                    Some(inner) => region_depths[inner] = region_depths[region] + 1,
                    None => depths[rpo.block(node)] = region_depths[region],
                }
            }
        }
        FrequenciesAndDepths { frequencies, depths }
    }

    /// Computes the frequency of every block, and stores it in `self.frequencies`, by RPO index.
    pub(super) fn solve(&mut self, input: &FrequencyInput, evidence: Evidence) {
        let FrequencyInput { graph, probing, .. } = *input;
        let tree = graph.tree();
        let loops = match graph.nesting() {
            Nesting::LoopsAndComponents => graph.loops(),
            Nesting::Cycles => graph.plain_cycles(),
        };
        // After many iterations, the ratios of the frequencies in a loop converge. `ByNodes` computes these ratios.
        // If the evidence is absent, every loop has one iteration, so the algorithm is `ByHeaders`.
        let irreducible = match evidence.loops_repeat() {
            true => input.irreducible,
            false => IrreducibleMass::ByHeaders,
        };
        self.flow.run(&FlowInput { graph, tree, loops, evidence, irreducible, probing });
        frequencies::unpack(&self.flow.regions, &mut self.frequencies, &mut self.factors);
    }
}
