//! A function as a learned predictor sees it.

use cranelift_entity::PrimaryMap;

use super::contents::{BlockContents, EdgeContents, FunctionContents, Returned};
use super::regions::{regions, DominatedContents};
use super::tested::Test;
use bpa_profile::bpi::edge_estimates;
use bpa_profile::cfg::{table, Block, ControlFlow, Loop, LoopForest};
use bpa_profile::profile::Profile;

/// So many jumps are followed to see what is returned at the end.
const JUMPS: usize = 4;

/// So many blocks up the dominator tree are asked whether they test the same value.
const DOMINATORS: usize = 8;

/// A function with what the columns look up more than once.
pub struct View<'a> {
    pub(crate) profile: &'a Profile,
    pub(super) contents: &'a FunctionContents,
    pub(super) regions: PrimaryMap<Block, DominatedContents>,
    /// What LLVM's rules estimate of each edge.
    pub(crate) estimates: Vec<Option<u32>>,
    /// How many edges leave each loop.
    pub(super) exits: PrimaryMap<Loop, u32>,
    /// The place of each block in reverse postorder.
    pub(super) places: PrimaryMap<Block, u32>,
    /// What stands in the whole function.
    pub(super) whole: DominatedContents,
    /// What decides where each block goes.
    tests: PrimaryMap<Block, Option<&'a Test>>,
}

impl<'a> View<'a> {
    /// The function of `profile`, which knows nothing that was measured, and of `contents`.
    ///
    /// # Panics
    ///
    /// If `contents` are those of another function, where that is noticed.
    pub fn new(profile: &'a Profile, contents: &'a FunctionContents) -> Self {
        let graph = profile.graph();
        assert_eq!(contents.blocks.len(), graph.block_count(), "contents of each block");
        assert_eq!(contents.edges.len(), graph.edge_count(), "contents of each edge");
        let loops = profile.loops();
        let exits = loops.loops().map(|natural| loops.exits(graph, natural).count() as u32).collect();
        let mut places = table(graph.block_count(), 0);
        for (place, &block) in graph.tree().postorder().iter().rev().enumerate() {
            places[block] = place as u32;
        }
        let regions = regions(profile, contents);
        let whole = regions[graph.entry()];
        let estimates = edge_estimates(profile.facts());
        let mut tests = table(graph.block_count(), None);
        contents.tests.iter().for_each(|(block, test)| tests[*block] = Some(test));
        View { profile, contents, regions, estimates, exits, places, whole, tests }
    }

    pub(crate) fn graph(&self) -> &'a ControlFlow {
        self.profile.graph()
    }

    pub(super) fn loops(&self) -> &'a LoopForest {
        self.profile.loops()
    }

    pub(super) fn block(&self, block: Block) -> &'a BlockContents {
        &self.contents.blocks[block]
    }

    /// What decides where `block` goes.
    pub(super) fn test(&self, block: Block) -> Option<&'a Test> {
        self.tests[block]
    }

    /// The innermost loop around `block`.
    pub(super) fn around(&self, block: Block) -> Option<Loop> {
        self.loops().innermost(block)
    }

    pub(super) fn is_header(&self, block: Block) -> bool {
        self.loops().is_header(block)
    }

    pub(super) fn depth(&self, block: Block) -> usize {
        self.around(block).map_or(0, |natural| self.loops().depth(natural))
    }

    /// How many of the next dominators of `block` test the value that it tests.
    pub(super) fn same_tests_above(&self, block: Block) -> usize {
        self.test(block).map_or(0, |test| self.tests_above(block, test.value))
    }

    /// How many of the next dominators of `block` test this value.
    pub(super) fn tests_above(&self, block: Block, value: u32) -> usize {
        let dominators = self.profile.dominators();
        std::iter::successors(dominators.idom(block), |&above| dominators.idom(above))
            .take(DOMINATORS)
            .filter(|&above| self.test(above).is_some_and(|other| other.value == value))
            .count()
    }
}

/// An edge of a branch, one for each of its targets.
#[derive(Clone, Copy)]
pub(crate) struct SuccessorEdges {
    pub source: Block,
    pub target: Block,
    /// The first edge there, by its place in per-edge tables.
    pub edge: usize,
    /// How many edges lead there.
    pub edges: u32,
    /// Whether nothing else leads there.
    pub is_exclusive: bool,
}

impl View<'_> {
    pub(super) fn edge(&self, side: SuccessorEdges) -> &EdgeContents {
        &self.contents.edges[side.edge]
    }

    /// What stands in the blocks that run only by way of this side.
    pub(super) fn region(&self, side: SuccessorEdges) -> &DominatedContents {
        if side.is_exclusive {
            &self.regions[side.target]
        } else {
            &DominatedContents::NONE
        }
    }

    /// How many loops around the source the side leaves.
    pub(crate) fn leaves(&self, side: SuccessorEdges) -> usize {
        let loops = self.loops();
        let around = |natural: &Loop| !loops.contains_block(*natural, side.target);
        std::iter::successors(self.around(side.source), |&natural| loops.parent(natural))
            .take_while(around)
            .count()
    }

    /// What is returned along the side, if nothing more is decided on the way.
    pub(super) fn returned(&self, side: SuccessorEdges) -> Returned {
        let graph = self.graph();
        let (mut edge, mut block) = (side.edge, side.target);
        for _ in 0..JUMPS {
            let along = self.contents.edges[edge].returned;
            if along != Returned::DoesNot {
                return along;
            }
            let [next] = graph.successors(block) else { break };
            (edge, block) = (graph.edges(block).start, *next);
        }
        self.block(block).returned
    }
}
