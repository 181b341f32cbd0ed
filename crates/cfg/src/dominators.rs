//! Computes the dominators of the reachable blocks.

use std::sync::OnceLock;

use super::dominator_tree::DominatorTree;
use super::scratch::refill_with;
use super::{Adjacency, Block, Graph, SpanningTree};
use cranelift_entity::PrimaryMap;

/// The dominator tree. Block A dominates B if every path from the entry to B contains A.
///
/// # Panics
///
/// Methods with a block as argument panic if the graph does not have this block.
///
/// LLVM: `DominatorTree`.
#[derive(Default)]
pub struct Dominators {
    tree: DominatorTree,
    numbers: PrimaryMap<Block, Option<u32>>,
    blocks: Vec<Block>,
    as_graph: OnceLock<Graph>,
}

impl Dominators {
    /// Computes the dominator tree of `graph` from its depth-first walk `walk`.
    pub(crate) fn compute(&mut self, graph: &Graph, walk: &SpanningTree) {
        refill_with(&mut self.numbers, graph.blocks().map(|block| walk.number(block)));
        self.blocks.clear();
        self.blocks.extend_from_slice(walk.preorder());
        self.tree.compute(walk.parents(), |vertex| {
            let block = walk.preorder()[vertex as usize];
            graph.predecessors(block).iter().filter_map(|&predecessor| walk.number(predecessor))
        });
        self.as_graph.take();
    }

    /// The immediate dominator of `block`, or `None` for the entry and unreachable blocks.
    ///
    /// LLVM: `DomTreeNodeBase::getIDom`.
    pub fn idom(&self, block: Block) -> Option<Block> {
        let idom = self.tree.idom(self.numbers[block]?)?;
        Some(self.blocks[idom as usize])
    }

    /// The blocks that `block` immediately dominates, in layout order. An unreachable block dominates no blocks. The
    /// first call builds a table for all blocks.
    ///
    /// LLVM: `DomTreeNodeBase::children`.
    pub fn children(&self, block: Block) -> &[Block] {
        self.tree().predecessors(block)
    }

    /// The dominator tree as a graph, with an edge from each block to its immediate dominator. The children of a block
    /// in the tree are therefore its predecessors in the graph.
    pub(crate) fn tree(&self) -> &Graph {
        self.as_graph.get_or_init(|| edges_up(self.numbers.keys(), |block| self.idom(block)))
    }

    /// The nearest common dominator of `one` and `other`, or `None` if one of these blocks is unreachable. The time is
    /// linear in the number of tree edges between these blocks and the result.
    ///
    /// LLVM: `DominatorTreeBase::findNearestCommonDominator`.
    pub fn nearest_common(&self, one: Block, other: Block) -> Option<Block> {
        let common = self.tree.nearest_common(self.numbers[one]?, self.numbers[other]?);
        Some(self.blocks[common as usize])
    }

    /// Whether `block` is reachable from the entry. The tree contains exactly the reachable blocks.
    ///
    /// LLVM: `DominatorTreeBase::isReachableFromEntry`.
    pub fn contains(&self, block: Block) -> bool {
        self.numbers[block].is_some()
    }

    /// Whether the block `above` dominates the block `below`. If one of them is unreachable, the result is false.
    ///
    /// LLVM: `DominatorTreeBase::dominates`.
    pub fn dominates(&self, above: Block, below: Block) -> bool {
        match (self.numbers[above], self.numbers[below]) {
            (Some(above), Some(below)) => self.tree.dominates(above, below),
            _ => false,
        }
    }
}

/// The graph with an edge from each block to its parent in a tree. `above` returns the parent of a block. The
/// predecessors of a block are its children, in the order of `blocks`.
pub(super) fn edges_up(blocks: impl Iterator<Item = Block>, above: impl Fn(Block) -> Option<Block>) -> Graph {
    let mut rows = Adjacency::default();
    for block in blocks {
        above(block).into_iter().for_each(|above| rows.push(above));
        rows.end_row();
    }
    let children = rows.transposed();
    Graph::from_adjacency(rows, children)
}
