//! Dominators of the blocks that the entry reaches.

use super::semi_nca::SemiNca;
use super::{Block, Graph, SpanningTree};
use cranelift_entity::PrimaryMap;

/// The dominator tree. Block A dominates B if every path from the entry to B passes A.
#[derive(Default)]
pub struct Dominators {
    tree: SemiNca,
    numbers: PrimaryMap<Block, Option<u32>>,
    blocks: Vec<Block>,
}

impl Dominators {
    /// Computes the tree over the depth-first `walk` of `graph`.
    pub fn compute(&mut self, graph: &Graph, walk: &SpanningTree) {
        self.numbers = graph.blocks().map(|block| walk.number(block)).collect();
        self.blocks.clear();
        self.blocks.extend_from_slice(walk.preorder());
        self.tree.compute(walk.parents(), |vertex, visit| {
            for &predecessor in graph.predecessors(walk.preorder()[vertex as usize]) {
                if let Some(number) = walk.number(predecessor) {
                    visit(number);
                }
            }
        });
    }

    /// The immediate dominator of `block`; none for the entry and for blocks it does not reach.
    pub fn idom(&self, block: Block) -> Option<Block> {
        let idom = self.tree.idom(self.numbers[block]?)?;
        Some(self.blocks[idom as usize])
    }

    /// Whether the entry reaches `block`, so that the block is in the tree.
    pub fn contains(&self, block: Block) -> bool {
        self.numbers[block].is_some()
    }

    /// Whether `above` dominates `below`, both reached by the entry; false if either is not.
    pub fn dominates(&self, above: Block, below: Block) -> bool {
        match (self.numbers[above], self.numbers[below]) {
            (Some(above), Some(below)) => self.tree.dominates(above, below),
            _ => false,
        }
    }
}
