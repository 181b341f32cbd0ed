//! Collects the data that is needed to compute the features of a function.

use cranelift_entity::PrimaryMap;

use super::builder::StatisticsError;
use super::regions::{regions, DominatedStatistics};
use super::statistics::{BlockStatistics, EdgeStatistics, FunctionStatistics, Returned};
use super::tested::Test;
use bpa_profile::bpi::{edge_estimates, EdgeEstimates, Probability};
use bpa_profile::cfg::{table, Block, ControlFlow, Dominators, Loop, LoopForest};
use bpa_profile::profile::Profile;

/// The maximum number of jumps that are followed to find the returned value.
const JUMPS: usize = 4;

/// A feature shows whether a dominator of the block tests the same value. At most this number of dominators is checked.
const DOMINATORS: usize = 8;

/// The profile and the statistics of a function, and data that several columns use.
pub struct View<'a> {
    pub(crate) profile: &'a Profile,
    // `profile` computes the graph, the loops and the dominators at their first use. Each call of `Profile::loops`
    // therefore checks whether the loops already exist. The references in this struct avoid such checks.
    graph: &'a ControlFlow,
    loops: &'a LoopForest,
    dominators: &'a Dominators,
    /// The probabilities that LLVM's rules predict.
    pub(crate) probabilities: &'a [Probability],
    pub(super) statistics: &'a FunctionStatistics,
    pub(super) regions: PrimaryMap<Block, DominatedStatistics>,
    /// For each edge, the weight that LLVM's rules estimate.
    pub(crate) estimates: EdgeEstimates,
    /// For each loop, the number of edges that leave the loop.
    pub(super) exits: PrimaryMap<Loop, u32>,
    /// The number of dominators of each block.
    pub(super) depths: PrimaryMap<Block, u32>,
    /// The sums of the statistics over the reachable blocks of the function.
    pub(super) whole: DominatedStatistics,
    /// The test at the end of each block.
    tests: PrimaryMap<Block, Option<&'a Test>>,
    /// The number of tests of each value, up to 255. Values with the same remainder share a number, so the number can
    /// be too high.
    value_tests: Vec<u8>,
}

impl<'a> View<'a> {
    /// Combines the predicted `profile` of a function with its `statistics`. `profile` must not use measured weights or
    /// counts.
    ///
    /// # Errors
    ///
    /// Returns an error if the statistics and the graph have different numbers of blocks or edges. Also returns an
    /// error if the statistics have a test in a block that does not exist.
    pub fn new(profile: &'a Profile, statistics: &'a FunctionStatistics) -> Result<Self, StatisticsError> {
        View::with_estimates(profile, edge_estimates(profile.facts()), statistics)
    }

    /// Creates a view like [`View::new`]. `estimates` are the [`edge_estimates`] of the function. They need not be
    /// correct for blocks with a single edge.
    pub(crate) fn with_estimates(
        profile: &'a Profile,
        estimates: EdgeEstimates,
        statistics: &'a FunctionStatistics,
    ) -> Result<Self, StatisticsError> {
        let graph = profile.graph();
        statistics.check(graph)?;
        let loops = profile.loops();
        let mut exits = table(loops.loops().len(), 0);
        for block in graph.blocks().filter(|&block| loops.innermost(block).is_some()) {
            for &target in graph.successors(block) {
                left_loops(loops, loops.innermost(block), loops.innermost(target))
                    .for_each(|natural| exits[natural] += 1);
            }
        }
        let dominators = profile.dominators();
        let mut depths = table(graph.block_count(), 0);
        for &block in graph.tree().postorder().iter().rev() {
            depths[block] = dominators.idom(block).map_or(0, |above| depths[above] + 1);
        }
        let regions = regions(profile, statistics);
        let whole = regions[graph.entry()];
        let mut tests = table(graph.block_count(), None);
        statistics.tests.iter().for_each(|(block, test)| tests[*block] = Some(test));
        let mut value_tests = vec![0_u8; statistics.tests.len()];
        for (_, test) in &statistics.tests {
            let number = &mut value_tests[slot(test.value, statistics.tests.len())];
            *number = number.saturating_add(1);
        }
        Ok(View {
            profile,
            graph,
            loops,
            dominators,
            probabilities: profile.branch_probabilities().probabilities(),
            statistics,
            regions,
            estimates,
            exits,
            depths,
            whole,
            tests,
            value_tests,
        })
    }

    pub(crate) fn graph(&self) -> &'a ControlFlow {
        self.graph
    }

    pub(super) fn loops(&self) -> &'a LoopForest {
        self.loops
    }

    pub(super) fn block(&self, block: Block) -> &'a BlockStatistics {
        &self.statistics.blocks[block]
    }

    /// The test at the end of `block`, or `None` if there is no test.
    pub(super) fn test(&self, block: Block) -> Option<&'a Test> {
        self.tests[block]
    }

    /// Whether the condition of `block` is the negation of its [test](Test::inverted).
    pub(crate) fn is_inverted(&self, block: Block) -> bool {
        self.test(block).is_some_and(|test| test.inverted)
    }

    /// The innermost loop around `block`.
    pub(super) fn around(&self, block: Block) -> Option<Loop> {
        self.loops().innermost(block)
    }

    /// The loop whose header is `block`.
    pub(super) fn headed(&self, block: Block) -> Option<Loop> {
        self.around(block).filter(|&natural| self.loops().header(natural) == block)
    }

    /// The number of dominators that test the same value as `block`, among the [`DOMINATORS`] nearest dominators of
    /// `block`.
    pub(super) fn same_tests_above(&self, block: Block) -> usize {
        let is_repeated = |test: &&Test| self.value_tests[slot(test.value, self.value_tests.len())] > 1;
        self.test(block).filter(is_repeated).map_or(0, |test| self.tests_above(block, test.value))
    }

    /// The number of dominators that test `value`, among the [`DOMINATORS`] nearest dominators of `block`.
    pub(super) fn tests_above(&self, block: Block, value: u32) -> usize {
        let dominators = self.dominators;
        std::iter::successors(dominators.idom(block), |&above| dominators.idom(above))
            .take(DOMINATORS)
            .filter(|&above| self.test(above).is_some_and(|other| other.value == value))
            .count()
    }
}

/// The index of `value` in a table of `count` numbers.
fn slot(value: u32, count: usize) -> usize {
    value as usize % count
}

/// The edges from a branch to one of its successor blocks.
#[derive(Clone, Copy)]
pub(crate) struct SuccessorEdges {
    pub source: Block,
    pub target: Block,
    /// The index of the first edge to the successor block, for tables that have one entry per edge.
    pub edge: usize,
    /// The number of edges to the successor block.
    pub edges: u32,
    /// Whether the successor has no other incoming edges.
    pub is_exclusive: bool,
}

impl View<'_> {
    pub(super) fn edge(&self, successor: SuccessorEdges) -> &EdgeStatistics {
        &self.statistics.edges[successor.edge]
    }

    /// The summed statistics of all blocks that are reachable only through the edges in `successor`.
    pub(super) fn region(&self, successor: SuccessorEdges) -> &DominatedStatistics {
        if successor.is_exclusive {
            &self.regions[successor.target]
        } else {
            &DominatedStatistics::NONE
        }
    }

    pub(super) fn edge_loops(&self, successor: SuccessorEdges) -> EdgeLoops {
        let target = self.around(successor.target);
        let headed = target.filter(|&natural| self.loops.header(natural) == successor.target);
        EdgeLoops { source: self.around(successor.source), target, headed }
    }

    /// The kind of value that the function returns after this edge. The search follows the edge, and at most
    /// `JUMPS` jumps after it.
    pub(super) fn returned(&self, successor: SuccessorEdges) -> Returned {
        let graph = self.graph();
        let (mut edge, mut block) = (successor.edge, successor.target);
        for _ in 0..JUMPS {
            let along = self.statistics.edges[edge].returned;
            if along != Returned::DoesNot {
                return along;
            }
            let [next] = graph.successors(block) else { break };
            (edge, block) = (graph.edges(block).start, *next);
        }
        self.block(block).returned
    }
}

/// The loops around the ends of an edge.
pub(super) struct EdgeLoops {
    /// The innermost loop around the branch.
    source: Option<Loop>,
    /// The innermost loop around the successor.
    target: Option<Loop>,
    /// The loop whose header is the successor.
    pub headed: Option<Loop>,
}

impl EdgeLoops {
    /// Whether the branch is in the loop `natural`.
    pub(super) fn start_in(&self, view: &View<'_>, natural: Loop) -> bool {
        self.source.is_some_and(|source| view.loops.contains(natural, source))
    }

    /// Whether the edge leads to the header of a loop that contains the branch.
    pub(super) fn goes_back(&self, view: &View<'_>) -> bool {
        self.headed.is_some_and(|natural| self.start_in(view, natural))
    }

    /// The number of loops that contain the branch and that the edge leaves.
    pub(super) fn left(&self, view: &View<'_>) -> usize {
        left_loops(view.loops, self.source, self.target).count()
    }
}

/// The loops that an edge leaves, in order from the innermost loop to the outermost loop.
/// The edge leads from a block in the loop `source` to a block in the loop `target`.
fn left_loops(
    loops: &LoopForest,
    source: Option<Loop>,
    target: Option<Loop>,
) -> impl Iterator<Item = Loop> + '_ {
    let is_left = move |&natural: &Loop| !target.is_some_and(|target| loops.contains(natural, target));
    std::iter::successors(source, |&natural| loops.parent(natural)).take_while(is_left)
}
