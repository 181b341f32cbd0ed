//! One level: a loop, or the function, where inner loops are nodes.

use crate::bpi::Probability;
use crate::cfg::{Block, Graph, Loop, LoopForest};

/// What is read of a function.
#[derive(Clone, Copy)]
pub(super) struct Function<'a> {
    pub graph: &'a Graph,
    pub loops: &'a LoopForest,
    pub probabilities: &'a [Probability],
}

/// A loop or, without one, the function.
#[derive(Clone, Copy)]
pub(super) struct Level<'a> {
    pub function: Function<'a>,
    pub natural: Option<Loop>,
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LevelNode {
    Block(Block),
    Loop(Loop),
}

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination {
    /// To a node of the level.
    On(Block),
    /// To its header.
    Back,
    /// To a block outside.
    Out(Block),
}

impl Function<'_> {
    /// The edges out of `block`: targets and weights. No weight is 0: LLVM shares out no less than one unit, even to an
    /// edge that is never taken.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::addToDist`.
    pub fn edges(&self, block: Block) -> impl Iterator<Item = (Block, u32)> + Clone + '_ {
        let weights = self.probabilities[self.graph.edges(block)].iter();
        let weights = weights.map(|probability| probability.numerator().max(1));
        self.graph.successors(block).iter().copied().zip(weights)
    }
}

impl Level<'_> {
    /// What the node of `block` is: a block by itself, or the loop that it is the header of.
    pub fn node(&self, block: Block) -> LevelNode {
        match self.function.loops.innermost(block) {
            Some(inner) if Some(inner) != self.natural => LevelNode::Loop(inner),
            _ => LevelNode::Block(block),
        }
    }

    /// Where an edge to `target` leads. Inner loops are entered by their headers alone.
    pub fn destination(&self, target: Block) -> Destination {
        let loops = self.function.loops;
        match self.natural {
            None => Destination::On(target),
            Some(natural) if loops.header(natural) == target => Destination::Back,
            Some(natural) if loops.contains_block(natural, target) => Destination::On(target),
            Some(_) => Destination::Out(target),
        }
    }
}
