//! One level: a loop or the function. The nodes of a level are blocks and inner loops.

use crate::bpi::Probability;
use crate::cfg::{Block, Graph, Loop, LoopForest};

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
