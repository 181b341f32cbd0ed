//! Builds the statistics of a function, and checks that its blocks and edges exist.

use super::{BlockStatistics, EdgeStatistics, FunctionStatistics, Test};
use bpa_profile::cfg::{table, Block, Graph};

/// Builds the statistics of a function, for compilers that do not use LLVM IR.
///
/// In a new builder, every block has one instruction, its terminator. All other statistics are 0 or unknown until they
/// are set.
///
/// ```
/// use bpa_model::features::{BlockStatistics, FunctionStatistics, Source, Test, TestKind};
/// use bpa_model::Predictor;
/// use bpa_profile::cfg::parse_graph;
/// use bpa_profile::dialect::Dialect;
/// use bpa_profile::facts::{ConstantKind, FunctionFacts, NoConditions, Predicate};
/// use bpa_profile::profile::Profile;
///
/// // if (parameter != 0) { puts("..."); }
/// let (graph, block) = parse_graph("entry -> then end; then -> end; end").unwrap();
/// let mut statistics = FunctionStatistics::builder(&graph);
/// statistics.parameters(1);
/// statistics.block(block("then"), BlockStatistics { instructions: 2, calls: 1, text_calls: 1, ..Default::default() });
/// statistics.test(block("entry"), Test {
///     kind: TestKind::Integers,
///     predicate: Some(Predicate::Unequal),
///     bits: 32,
///     left: Source::Parameter,
///     right: Source::Constant,
///     constant: Some(ConstantKind::of(0)),
///     ..Test::default()
/// });
/// let statistics = statistics.build()?;
///
/// let llvm22 = Dialect::named("22").unwrap();
/// let builder = Profile::builder(FunctionFacts::from(graph), llvm22);
/// let learned = Predictor::named("bpa").unwrap();
/// let profile = learned.profile(builder, &mut NoConditions, |_| statistics)?;
/// assert_eq!(profile.rule(block("entry")).unwrap().to_string(), "learned");
/// assert!(profile.edge_probability(block("entry"), 0) < profile.edge_probability(block("entry"), 1));
/// # Ok::<(), bpa_model::features::StatisticsError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "build() returns the statistics"]
pub struct FunctionStatisticsBuilder<'a> {
    graph: &'a Graph,
    statistics: FunctionStatistics,
    /// The error of the first invalid method call, or `None` if all calls were valid.
    error: Option<StatisticsError>,
}

/// Statistics that do not fit the graph of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StatisticsError {
    /// The block does not exist.
    #[error("the function has no block {0}")]
    NoBlock(Block),
    /// The block has no edge with the index `place`.
    #[error("{block} has no successor number {place}")]
    NoEdge {
        /// The block.
        block: Block,
        /// The index of the edge among the block's edges, from 0.
        place: usize,
    },
    /// The function and the statistics have different numbers of blocks.
    #[error("the function has {function} blocks, but the statistics have {statistics}")]
    BlockCount {
        /// The number of blocks of the function.
        function: usize,
        /// The number of blocks that the statistics describe.
        statistics: usize,
    },
    /// The function and the statistics have different numbers of edges.
    #[error("the function has {function} edges, but the statistics have {statistics}")]
    EdgeCount {
        /// The number of edges of the function.
        function: usize,
        /// The number of edges that the statistics describe.
        statistics: usize,
    },
}

impl FunctionStatistics {
    /// Starts a builder for a function with `graph`.
    pub fn builder(graph: &Graph) -> FunctionStatisticsBuilder<'_> {
        let terminator = BlockStatistics { instructions: 1, ..BlockStatistics::default() };
        let statistics = FunctionStatistics {
            blocks: table(graph.block_count(), terminator),
            edges: vec![EdgeStatistics::default(); graph.edge_count()],
            ..FunctionStatistics::default()
        };
        FunctionStatisticsBuilder { graph, statistics, error: None }
    }
}

impl FunctionStatistics {
    /// Checks that the statistics fit a function with `graph`.
    pub(super) fn check(&self, graph: &Graph) -> Result<(), StatisticsError> {
        let (function, statistics) = (graph.block_count(), self.blocks.len());
        if function != statistics {
            return Err(StatisticsError::BlockCount { function, statistics });
        }
        let (function, statistics) = (graph.edge_count(), self.edges.len());
        if function != statistics {
            return Err(StatisticsError::EdgeCount { function, statistics });
        }
        let mut used = self.tests.iter().map(|test| test.0);
        used.find(|&block| !self.blocks.is_valid(block))
            .map_or(Ok(()), |block| Err(StatisticsError::NoBlock(block)))
    }
}

impl FunctionStatisticsBuilder<'_> {
    /// Sets the statistics of `block`.
    pub fn block(&mut self, block: Block, statistics: BlockStatistics) -> &mut Self {
        match self.statistics.blocks.get_mut(block) {
            Some(before) => *before = statistics,
            None => self.fail(StatisticsError::NoBlock(block)),
        }
        self
    }

    /// Sets the statistics of the edge from `block` to its successor at index `place`.
    pub fn edge(&mut self, block: Block, place: usize, statistics: EdgeStatistics) -> &mut Self {
        let exists = self.statistics.blocks.is_valid(block);
        let edges = if exists { self.graph.edges(block) } else { 0..0 };
        match self.statistics.edges[edges].get_mut(place) {
            Some(before) => *before = statistics,
            None if exists => self.fail(StatisticsError::NoEdge { block, place }),
            None => self.fail(StatisticsError::NoBlock(block)),
        }
        self
    }

    /// Sets the test of the branch or switch at the end of `block`. Replaces an earlier test of the same block.
    ///
    /// The test is replaced by its canonical form. If the right operand is a known integer constant, call
    /// [`Test::make_canonical`] first, because the canonical form can depend on the constant.
    pub fn test(&mut self, block: Block, mut test: Test) -> &mut Self {
        test.make_canonical(None);
        if self.statistics.blocks.is_valid(block) {
            self.statistics.tests.push((block, test));
        } else {
            self.fail(StatisticsError::NoBlock(block));
        }
        self
    }

    /// Records that the function is local: no other module can call the function by name.
    pub fn local(&mut self) -> &mut Self {
        self.statistics.is_local = true;
        self
    }

    /// Records that the function returns a value.
    pub fn returns_value(&mut self) -> &mut Self {
        self.statistics.returns_value = true;
        self
    }

    /// Sets the number of parameters of the function.
    pub fn parameters(&mut self, count: u32) -> &mut Self {
        self.statistics.parameters = count;
        self
    }

    /// Returns the statistics.
    ///
    /// # Errors
    ///
    /// Returns an error that names the first block or edge that the graph does not have.
    pub fn build(mut self) -> Result<FunctionStatistics, StatisticsError> {
        // The sort is stable, so the tests of each block stay in the order in which they were added.
        self.statistics.tests.sort_by_key(|&(block, _)| block);
        self.statistics.tests.reverse();
        self.statistics.tests.dedup_by_key(|&mut (block, _)| block);
        self.statistics.tests.reverse();
        self.error.map_or(Ok(self.statistics), Err)
    }

    fn fail(&mut self, error: StatisticsError) {
        self.error.get_or_insert(error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::TestKind;
    use crate::Predictor;
    use bpa_profile::bpi::Rule;
    use bpa_profile::cfg::parse_graph;
    use bpa_profile::dialect::Dialect;
    use bpa_profile::facts::{FunctionFacts, NoConditions};
    use bpa_profile::profile::Profile;

    #[test]
    fn statistics_of_missing_blocks_and_edges_are_errors() {
        let (graph, block) = parse_graph("a -> b b; b").expect("the text describes a graph");
        let (a, b, c) = (block("a"), block("b"), Block::from_u32(2));
        let built = |set: &dyn Fn(&mut FunctionStatisticsBuilder)| {
            let mut statistics = FunctionStatistics::builder(&graph);
            set(&mut statistics);
            statistics.build().map(|_| ())
        };
        let (statistics, edge) = (BlockStatistics::default(), EdgeStatistics::default());
        let missing = Err(StatisticsError::NoBlock(c));
        assert_eq!(built(&|function| _ = function.block(c, statistics).local()), missing);
        assert_eq!(built(&|function| _ = function.test(c, Test::default())), missing);
        assert_eq!(built(&|function| _ = function.edge(c, 0, edge)), missing);
        let missing = |block, place| Err(StatisticsError::NoEdge { block, place });
        assert_eq!(built(&|function| _ = function.edge(b, 0, edge)), missing(b, 0));
        assert_eq!(built(&|function| _ = function.edge(a, 2, edge)), missing(a, 2));
        assert_eq!(built(&|function| _ = function.edge(a, 1, edge)), Ok(()));
    }

    #[test]
    fn statistics_of_another_function_are_errors() {
        let (graph, block) = parse_graph("a -> b c; b; c").expect("a graph");
        let built = |text: &str| {
            let (graph, _) = parse_graph(text).expect("a graph");
            FunctionStatistics::builder(&graph).build().expect("nothing is set")
        };
        let profile = |statistics: FunctionStatistics| {
            let builder = Profile::builder(
                FunctionFacts::from(graph.clone()),
                Dialect::named("16").expect("supported"),
            );
            let predictor = Predictor::named("bpa").expect("a built-in predictor");
            predictor
                .profile(builder, &mut NoConditions, |_| statistics)
                .map(|profile| profile.rule(block("a")))
        };
        assert_eq!(profile(built("a -> b c; b; c")), Ok(Some(Rule::Learned)));
        let other = profile(built("a -> b b; b"));
        assert_eq!(other, Err(StatisticsError::BlockCount { function: 3, statistics: 2 }));
        let other = profile(built("a -> b c; b -> c; c"));
        assert_eq!(other, Err(StatisticsError::EdgeCount { function: 2, statistics: 3 }));
        let mut tests = built("a -> b c; b; c");
        tests.tests.push((Block::from_u32(3), Test::default()));
        assert_eq!(profile(tests), Err(StatisticsError::NoBlock(Block::from_u32(3))));
    }

    #[test]
    fn tests_are_in_the_order_of_blocks_and_the_last_one_counts() {
        let (graph, block) = parse_graph("a -> b c; b -> c a; c").expect("a graph");
        let test = |kind| Test { kind, ..Test::default() };
        let mut statistics = FunctionStatistics::builder(&graph);
        statistics.test(block("b"), test(TestKind::Bit));
        statistics.test(block("a"), test(TestKind::And)).test(block("a"), test(TestKind::Or));
        let found = statistics.build().expect("the blocks exist").tests;
        assert_eq!(found, [(block("a"), test(TestKind::Or)), (block("b"), test(TestKind::Bit))]);
    }
}
