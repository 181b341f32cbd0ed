//! The entry points: from probabilities to frequencies.

use cranelift_entity::PrimaryMap;

use super::evidence::Evidence;
use super::exact::ExactFlow;
use super::flow::{Flow, FlowInput};
use super::frequencies::{self, BlockFrequencies};
use super::regions::Region;
use super::rpo::RpoIndex;
use super::scaled::Scaled;
use crate::bpi::Probability;
use crate::cfg::{table, Block, ControlFlow};
use crate::dialect::{Dialect, FrequencyScaling, HashProbing, IrreducibleMass, Nesting};

/// The input of block frequencies.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct FrequencyInput<'a> {
    /// The function's blocks and edges, and its loops.
    pub graph: &'a ControlFlow,
    /// The probability of each edge, by its place in `graph`.
    pub probabilities: &'a [Probability],
    /// The weights of `irr_loop` metadata, by block, ascending.
    pub header_weights: &'a [(Block, u64)],
    /// How mass is shared in an irreducible region.
    pub irreducible: IrreducibleMass,
    /// How frequencies become integers.
    pub scaling: FrequencyScaling,
    /// How LLVM's hash tables search for a free bucket.
    pub probing: HashProbing,
}

impl<'a> FrequencyInput<'a> {
    /// The input for block frequencies as the LLVM version of `dialect` computes them, without `irr_loop` metadata.
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

    /// The same with these weights of `irr_loop` metadata, by block, ascending.
    pub fn with_header_weights(self, header_weights: &'a [(Block, u64)]) -> Self {
        FrequencyInput { header_weights, ..self }
    }
}

/// Computes block frequencies. The next function reuses the memory.
#[derive(Default)]
pub struct FrequencyAnalysis {
    pub(super) flow: Flow,
    pub(super) frequencies: PrimaryMap<RpoIndex, Scaled>,
    factors: PrimaryMap<Region, Scaled>,
    pub(super) exact: ExactFlow,
}

impl FrequencyAnalysis {
    /// The block frequencies of a function.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::calculate`.
    ///
    /// # Panics
    ///
    /// May panic if `input` does not have one probability for each edge, or has weights of blocks that its graph does not
    /// have. If it does not panic, the frequencies are meaningless.
    pub fn compute(&mut self, input: &FrequencyInput) -> BlockFrequencies {
        let FrequencyInput { probabilities, header_weights, .. } = *input;
        // In unoptimized C++, most functions have one block.
        if input.graph.edge_count() == 0 {
            return BlockFrequencies::of_entry_alone(input.graph.block_count(), input.scaling);
        }
        self.solve(input, Evidence::Given { probabilities, header_weights });
        let Flow { rpo, .. } = &self.flow;
        BlockFrequencies::new(input.graph.block_count(), rpo, &self.frequencies, input.scaling)
    }

    /// Block frequencies that solve the equations of flow, on every graph; see [`FrequencyMethod::Exact`](super::FrequencyMethod::Exact). Ignores
    /// `header_weights`.
    ///
    /// The equations hold to at least 60 binary digits. In large irreducible regions they hold to
    /// [`residual`](BlockFrequencies::residual).
    ///
    /// # Panics
    ///
    /// As [`compute`](Self::compute) does.
    pub fn compute_exact(&mut self, input: &FrequencyInput) -> BlockFrequencies {
        let mut scaled: PrimaryMap<Block, Scaled> = table(input.graph.block_count(), Scaled::ZERO);
        self.exact
            .run(input.graph, input.probabilities, |block, frequency| scaled[block] = frequency.to_scaled());
        BlockFrequencies::from_exact(scaled, input.scaling, self.exact.residual().to_scaled())
    }

    /// Computes the frequency of every block, by RPO index, into `self.frequencies`.
    pub(super) fn solve(&mut self, input: &FrequencyInput, evidence: Evidence) {
        let FrequencyInput { graph, probing, .. } = *input;
        let tree = graph.tree();
        let loops = match graph.nesting() {
            Nesting::LoopsAndComponents => graph.loops(),
            Nesting::Cycles => graph.plain_cycles(),
        };
        // If a region is passed once, there is no iteration that could converge.
        let irreducible = match evidence.loops_repeat() {
            true => input.irreducible,
            false => IrreducibleMass::ByHeaders,
        };
        self.flow.run(&FlowInput { graph, tree, loops, evidence, irreducible, probing });
        frequencies::unpack(&self.flow.regions, &mut self.frequencies, &mut self.factors);
    }
}
