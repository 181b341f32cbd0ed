//! Reverse postorder numbers of blocks.
//!
//! The numbers are the indices of masses. Blocks distribute their masses in ascending order of the numbers. The order
//! affects rounding errors. Every edge except a back edge leads to a block with a higher number.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{entity_impl, PrimaryMap};

use crate::cfg::unstable::refill_first;
use crate::cfg::{Block, Graph, SpanningTree};

/// The index of a block in reverse postorder. The entry has index 0.
///
/// LLVM: `BlockFrequencyInfoImplBase::BlockNode`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RpoIndex(u32);
entity_impl!(RpoIndex, "rpo");

/// Maps each reachable block to its RPO index, and each RPO index to its block.
///
/// LLVM: `ReversePostOrderTraversal`.
#[derive(Default)]
pub(super) struct ReversePostorder {
    blocks: PrimaryMap<RpoIndex, Block>,
    indices: PrimaryMap<Block, PackedOption<RpoIndex>>,
}

impl ReversePostorder {
    /// Assigns an index in reverse postorder to each block of `tree`, a depth-first tree of `graph`.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::initializeRPOT`.
    pub(crate) fn compute(&mut self, graph: &Graph, tree: &SpanningTree) {
        self.blocks.clear();
        refill_first(&mut self.indices, graph.block_count(), None.into());
        for &block in tree.postorder().iter().rev() {
            self.indices[block] = self.blocks.push(block).into();
        }
    }

    /// The number of reachable blocks.
    pub(crate) fn count(&self) -> usize {
        self.blocks.len()
    }

    /// The block with the index `index`.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::getBlock`.
    pub(crate) fn block(&self, index: RpoIndex) -> Block {
        self.blocks[index]
    }

    /// All RPO indices with their blocks, in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (RpoIndex, Block)> + '_ {
        self.blocks.iter().map(|(index, &block)| (index, block))
    }

    /// The RPO index of a reachable block.
    ///
    /// # Panics
    ///
    /// Panics if `block` is unreachable.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::getNode`.
    pub(crate) fn of(&self, block: Block) -> RpoIndex {
        self.find(block).expect("the entry reaches this block")
    }

    /// The RPO index of a block, or `None` if the block is unreachable.
    pub(crate) fn find(&self, block: Block) -> Option<RpoIndex> {
        self.indices[block].expand()
    }
}
