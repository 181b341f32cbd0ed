//! From a block's address to its number.
//!
//! Every edge of the function is looked up, so that this table is the hottest there is: open addressing with
//! linear probing at most half full, and one multiplication as the hash. Addresses of heap objects differ in their
//! middle bits, which the multiplication carries to the top (Donald Knuth, "The Art of Computer Programming",
//! volume 3, section 6.4).

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::PrimaryMap;
use llvm_plugin::inkwell::llvm_sys::prelude::*;

use crate::cfg::Block;

/// 2^64 over the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The numbers of a function's blocks.
pub(super) struct Numbering {
    slots: Vec<(LLVMBasicBlockRef, PackedOption<Block>)>,
    /// How far to shift a hash down to get a slot.
    shift: u32,
}

impl Numbering {
    /// Numbers `blocks` as they are keyed.
    pub fn new(blocks: &PrimaryMap<Block, LLVMBasicBlockRef>) -> Self {
        let size = (blocks.len() * 2).next_power_of_two().max(2);
        let mut numbering = Numbering {
            slots: vec![(std::ptr::null_mut(), None.into()); size],
            shift: u64::BITS - size.trailing_zeros(),
        };
        for (number, &block) in blocks.iter() {
            let slot = numbering.slot(block);
            numbering.slots[slot] = (block, number.into());
        }
        numbering
    }

    /// The number of `block`.
    ///
    /// # Panics
    ///
    /// If the block is not one of the function's.
    pub fn of(&self, block: LLVMBasicBlockRef) -> Block {
        self.slots[self.slot(block)].1.expect("a block of this function")
    }

    /// The slot that `block` is in, or the free one that it belongs in.
    fn slot(&self, block: LLVMBasicBlockRef) -> usize {
        let mut slot = ((block as u64).wrapping_mul(GOLDEN) >> self.shift) as usize;
        while self.slots[slot].0 != block && self.slots[slot].1.is_some() {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_gets_its_number_back() {
        for count in [1, 2, 3, 1000] {
            let blocks: PrimaryMap<Block, _> =
                (1..=count).map(|place| (0x5555_0000 + place * 0x50) as LLVMBasicBlockRef).collect();
            let numbering = Numbering::new(&blocks);
            for (number, &block) in blocks.iter() {
                assert_eq!(numbering.of(block), number);
            }
        }
    }

    #[test]
    #[should_panic(expected = "a block of this function")]
    fn another_block_has_none() {
        let blocks: PrimaryMap<Block, _> = std::iter::once(0x1000 as LLVMBasicBlockRef).collect();
        Numbering::new(&blocks).of(0x2000 as LLVMBasicBlockRef);
    }
}
