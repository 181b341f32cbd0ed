//! Blocks numbered in reverse postorder.
//!
//! Masses are indexed by this number. Without back edges, every edge leads to a higher number. Rounding errors are
//! distributed in this order.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{entity_impl, PrimaryMap};

use crate::cfg::{refill_first, Block, Graph, SpanningTree};

/// A block's index in reverse postorder; the entry is 0.
///
/// LLVM: `BlockFrequencyInfoImplBase::BlockNode`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RpoIndex(u32);
entity_impl!(RpoIndex, "rpo");

/// The reachable blocks in both numberings.
///
/// LLVM: `ReversePostOrderTraversal`.
#[derive(Default)]
pub(super) struct ReversePostorder {
    blocks: PrimaryMap<RpoIndex, Block>,
    indices: PrimaryMap<Block, PackedOption<RpoIndex>>,
}

impl ReversePostorder {
    /// Numbers the blocks of `tree`, a walk over `graph`.
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

    /// The block of `index`.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::getBlock`.
    pub(crate) fn block(&self, index: RpoIndex) -> Block {
        self.blocks[index]
    }

    /// All RPO indices with their blocks, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (RpoIndex, Block)> + '_ {
        self.blocks.iter().map(|(index, &block)| (index, block))
    }

    /// The RPO index of a reachable block.
    ///
    /// # Panics
    ///
    /// If `block` is unreachable.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::getNode`.
    pub(crate) fn of(&self, block: Block) -> RpoIndex {
        self.find(block).expect("the entry reaches this block")
    }

    /// The RPO index of a block; none if it is unreachable.
    pub(crate) fn find(&self, block: Block) -> Option<RpoIndex> {
        self.indices[block].expand()
    }
}
