//! Functions for tests, parsed from text.

use super::bias::BlockBiases;
use super::nest::LoopNest;
use super::{BlockFrequencies, FrequencyAnalysis, FrequencyInput};
use crate::bpi::Probability;
use crate::cfg::{parse_graph, Block, ControlFlow, Graph};
use crate::dialect::{FrequencyScaling, HashProbing, IrreducibleMass, Nesting};

/// A function under test: its graph, probabilities and header weights.
pub(crate) struct TestFunction {
    pub graph: ControlFlow,
    pub probabilities: Vec<Probability>,
    pub header_weights: Vec<(Block, u64)>,
    pub irreducible: IrreducibleMass,
    pub scaling: FrequencyScaling,
}

impl TestFunction {
    /// Parses a function in the format of [`parse_graph`]. After the successors of a block, the text can contain the
    /// weights of the edges: `loop -> loop end : 31 1`. Without weights, all edges of a block are equally likely.
    pub(crate) fn new(text: &str) -> (TestFunction, impl Fn(&str) -> Block + use<>) {
        let rows: Vec<(&str, &str)> = text
            .split(';')
            .map(|line| line.split_once(':').map_or((line, ""), |(edges, weights)| (edges, weights)))
            .collect();
        let edges: Vec<&str> = rows.iter().map(|row| row.0).collect();
        let (graph, block) = parse_graph(&edges.join(";")).expect("the text is a valid graph");
        let mut weights = Vec::new();
        for (place, &(_, given)) in graph.blocks().zip(&rows) {
            let given: Vec<u32> = given.split_whitespace().map(|weight| weight.parse().unwrap()).collect();
            let count = graph.successors(place).len();
            weights.extend(if given.is_empty() { vec![1; count] } else { given });
        }
        (TestFunction::weighted(graph, &weights), block)
    }

    /// Creates a function from `graph` and one weight for each edge.
    pub(crate) fn weighted(graph: Graph, weights: &[u32]) -> TestFunction {
        let mut probabilities = Vec::new();
        for block in graph.blocks() {
            let own = &weights[graph.edges(block)];
            let whole = own.iter().sum();
            probabilities.extend(own.iter().map(|&weight| Probability::ratio(weight, whole)));
        }
        let (irreducible, scaling) = (IrreducibleMass::ByHeaders, FrequencyScaling::SmallestToEight);
        TestFunction { graph: graph.into(), probabilities, header_weights: Vec::new(), irreducible, scaling }
    }

    /// Selects the algorithms of LLVM 24 for this function.
    pub(crate) fn llvm24(mut self) -> TestFunction {
        self.graph.set_nesting(Nesting::Cycles);
        TestFunction { irreducible: IrreducibleMass::ByNodes, ..self }
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
