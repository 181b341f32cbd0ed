//! Blocks numbered in reverse postorder.
//!
//! All work on masses goes by this number: without the back edges, every edge leads to a higher one, and
//! the order of numbers is the order in which rounding errors are spread.

use std::iter::repeat_n;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{entity_impl, PrimaryMap};

use super::refill;
use crate::cfg::{Block, Graph, SpanningTree};

/// A block's place in reverse postorder; the entry is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Rank(u32);
entity_impl!(Rank, "rank");

/// The blocks that the entry reaches, in both numberings.
#[derive(Default)]
pub(super) struct Ranking {
    blocks: PrimaryMap<Rank, Block>,
    ranks: PrimaryMap<Block, PackedOption<Rank>>,
}

impl Ranking {
    /// Numbers the blocks of `tree`, a walk over `graph`.
    pub fn compute(&mut self, graph: &Graph, tree: &SpanningTree) {
        self.blocks.clear();
        refill(&mut self.ranks, repeat_n(None.into(), graph.block_count()));
        for &block in tree.postorder().iter().rev() {
            self.ranks[block] = self.blocks.push(block).into();
        }
    }

    /// How many blocks the entry reaches.
    pub fn count(&self) -> usize {
        self.blocks.len()
    }

    /// The block of `rank`.
    pub fn block(&self, rank: Rank) -> Block {
        self.blocks[rank]
    }

    /// All ranks with their blocks, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (Rank, Block)> + '_ {
        self.blocks.iter().map(|(rank, &block)| (rank, block))
    }

    /// The rank of a block that the entry reaches.
    ///
    /// # Panics
    ///
    /// If the entry does not reach `block`.
    pub fn of(&self, block: Block) -> Rank {
        self.ranks[block].expect("the entry reaches this block")
    }
}
