//! Functions from text, for tests.

use super::bias::BlockBiases;
use super::nest::LoopNest;
use super::{BlockFrequencies, FrequencyAnalysis, FrequencyInput};
use crate::bpi::Probability;
use crate::cfg::{parse_graph, Block, ControlFlow, Graph};
use crate::dialect::{FrequencyScaling, HashProbing, IrreducibleMass, Nesting};

/// A function to analyse: its graph, probabilities and weights.
pub(crate) struct Drawing {
    pub graph: ControlFlow,
    pub probabilities: Vec<Probability>,
    pub header_weights: Vec<(Block, u64)>,
    pub irreducible: IrreducibleMass,
    pub scaling: FrequencyScaling,
}

impl Drawing {
    /// A function from text in the format of [`parse_graph`]. Weights may follow a block's successors:
    /// `loop -> loop end : 31 1`. Without weights, a branch is even.
    pub(crate) fn new(text: &str) -> (Drawing, impl Fn(&str) -> Block + use<>) {
        let rows: Vec<(&str, &str)> = text
            .split(';')
            .map(|line| line.split_once(':').map_or((line, ""), |(edges, weights)| (edges, weights)))
            .collect();
        let edges: Vec<&str> = rows.iter().map(|row| row.0).collect();
        let (graph, block) = parse_graph(&edges.join(";")).expect("a drawing that can be read");
        let mut weights = Vec::new();
        for (place, &(_, given)) in graph.blocks().zip(&rows) {
            let given: Vec<u32> = given.split_whitespace().map(|weight| weight.parse().unwrap()).collect();
            let count = graph.successors(place).len();
            weights.extend(if given.is_empty() { vec![1; count] } else { given });
        }
        (Drawing::weighted(graph, &weights), block)
    }

    /// The function of `graph` with a weight for each edge.
    pub(crate) fn weighted(graph: Graph, weights: &[u32]) -> Drawing {
        let mut probabilities = Vec::new();
        for block in graph.blocks() {
            let own = &weights[graph.edges(block)];
            let whole = own.iter().sum();
            probabilities.extend(own.iter().map(|&weight| Probability::ratio(weight, whole)));
        }
        let (irreducible, scaling) = (IrreducibleMass::ByHeaders, FrequencyScaling::SmallestToEight);
        Drawing { graph: graph.into(), probabilities, header_weights: Vec::new(), irreducible, scaling }
    }

    /// The same function with the algorithms of LLVM 24.
    pub(crate) fn llvm24(mut self) -> Drawing {
        self.graph.set_nesting(Nesting::Cycles);
        Drawing { irreducible: IrreducibleMass::ByNodes, ..self }
    }

    pub(crate) fn reaches(&self, block: Block) -> bool {
        self.graph.tree().reaches(block)
    }

    pub(crate) fn input(&self) -> FrequencyInput<'_> {
        FrequencyInput {
            graph: &self.graph,
            probabilities: &self.probabilities,
            header_weights: &self.header_weights,
            irreducible: self.irreducible,
            scaling: self.scaling,
            probing: HashProbing::Growing,
        }
    }

    pub(crate) fn frequencies(&self) -> BlockFrequencies {
        FrequencyAnalysis::default().compute(&self.input())
    }

    pub(crate) fn nest(&self) -> LoopNest {
        FrequencyAnalysis::default().compute_nest(&self.input())
    }

    pub(crate) fn biases(&self) -> BlockBiases {
        FrequencyAnalysis::default().compute_biases(&self.input(), &self.frequencies())
    }
}
