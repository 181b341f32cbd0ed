//! The nodes of every level: the blocks directly in the level, and the headers of its inner loops.

use std::ops::Range;

use cranelift_entity::{EntityRef, PrimaryMap};

use crate::bpi::Probability;
use crate::cfg::unstable::refill;
use crate::cfg::{Block, Graph, Loop, LoopForest, SpanningTree};

/// The nodes of every level, in reverse postorder. The header of a loop is the loop's first node. In the node
/// list of an outer loop or of the function, the header of an inner loop represents all blocks of the inner loop.
#[derive(Default)]
pub(super) struct Levels {
    nodes: Vec<Block>,
    /// For each loop, the index in `nodes` at which the nodes of the loop end. The nodes of the function come after the
    /// nodes of all loops.
    ends: PrimaryMap<Loop, u32>,
}

impl Levels {
    /// Computes the nodes of every level from the blocks of `tree`.
    pub(crate) fn compute(&mut self, tree: &SpanningTree, loops: &LoopForest) {
        refill(&mut self.ends, loops.count(), 0);
        let reached = tree.postorder();
        for natural in reached.iter().filter_map(|&block| loops.innermost(block)) {
            self.ends[natural] += 1;
        }
        for parent in loops.loops().filter_map(|natural| loops.parent(natural)) {
            self.ends[parent] += 1;
        }
        // Convert sizes to start indices. Each call of `put` increments the index of one level. After the last call
        // of `put`, the index of each level is the end of the level.
        let mut next = 0;
        for place in self.ends.values_mut() {
            next += std::mem::replace(place, next);
        }
        self.nodes.clear();
        self.nodes.resize(reached.len() + loops.count(), Block::new(0));
        for &block in reached.iter().rev() {
            let innermost = loops.innermost(block);
            self.put(innermost, block, &mut next);
            if let Some(natural) = innermost.filter(|&natural| loops.header(natural) == block) {
                self.put(loops.parent(natural), block, &mut next);
            }
        }
    }

    fn put(&mut self, level: Option<Loop>, block: Block, next_of_function: &mut u32) {
        let place = level.map_or(next_of_function, |natural| &mut self.ends[natural]);
        self.nodes[*place as usize] = block;
        *place += 1;
    }

    /// The indices of the nodes of `level`. If `level` is `None`, the nodes are the outermost loops and the blocks
    /// outside all loops.
    pub(crate) fn places(&self, level: Option<Loop>) -> Range<usize> {
        let start = |before: Option<Loop>| before.map_or(0, |before| self.ends[before] as usize);
        match level {
            Some(natural) => {
                start(natural.index().checked_sub(1).map(Loop::new))..self.ends[natural] as usize
            }
            None => start(self.ends.keys().next_back())..self.nodes.len(),
        }
    }

    /// The nodes in a range of indices.
    pub(crate) fn nodes(&self, places: Range<usize>) -> &[Block] {
        &self.nodes[places]
    }

    /// The block at index `place` of the list of nodes.
    pub(crate) fn node(&self, place: usize) -> Block {
        self.nodes[place]
    }
}

/// The function that is being solved.
#[derive(Clone, Copy)]
pub(super) struct Function<'a> {
    pub graph: &'a Graph,
    pub loops: &'a LoopForest,
    pub probabilities: &'a [Probability],
}

/// A loop, or the function if `natural` is `None`.
#[derive(Clone, Copy)]
pub(super) struct Level<'a> {
    pub function: Function<'a>,
    pub natural: Option<Loop>,
}

/// A node of a level.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LevelNode {
    Block(Block),
    Loop(Loop),
}

/// Whether the target of an edge is a node of a level, the header of the level, or a block outside the level.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination {
    /// A node of the level.
    On(Block),
    /// The header of the level.
    Back,
    /// A block outside the loop.
    Out(Block),
}

impl Function<'_> {
    /// The outgoing edges of `block`, as targets and weights. As in LLVM, each weight is at least 1, and an edge of
    /// probability 0 has the weight 1.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::addToDist`.
    pub(crate) fn edges(&self, block: Block) -> impl Iterator<Item = (Block, u32)> + Clone + '_ {
        let weights = self.probabilities[self.graph.edges(block)].iter();
        let weights = weights.map(|probability| probability.numerator().max(1));
        self.graph.successors(block).iter().copied().zip(weights)
    }
}

impl Level<'_> {
    /// The node that `block` represents: the block itself, or the inner loop whose header is `block`.
    pub(crate) fn node(&self, block: Block) -> LevelNode {
        match self.function.loops.innermost(block) {
            Some(inner) if Some(inner) != self.natural => LevelNode::Loop(inner),
            _ => LevelNode::Block(block),
        }
    }

    /// The position of the block `target`. A node of the level must have an edge to `target`. An edge into an inner
    /// loop always leads to the header of the inner loop.
    pub(crate) fn destination(&self, target: Block) -> Destination {
        let loops = self.function.loops;
        match self.natural {
            None => Destination::On(target),
            Some(natural) if loops.header(natural) == target => Destination::Back,
            Some(natural) if loops.contains_block(natural, target) => Destination::On(target),
            Some(_) => Destination::Out(target),
        }
    }
}
