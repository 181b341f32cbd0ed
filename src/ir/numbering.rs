//! Maps the address of a block to its number.
//!
//! Before LLVM 20, most edges of the function need a lookup in this table.

use std::cell::OnceCell;
use std::ptr;

use crate::ir::llvm::prelude::*;
use cranelift_entity::{EntityRef, PrimaryMap};

use bpa_core::cfg::unstable::{put_back, refill, take, ScratchSlot};
use bpa_core::cfg::Block;

/// The blocks of a function, with a table that finds the number of a block.
///
/// The table is a hash table of numbers with open addressing and linear probing. The table is between a quarter and
/// half full, and the hash is one multiplication. Addresses of heap objects differ in their middle bits. The
/// multiplication moves these bits to the highest bits (Donald Knuth, "The Art of Computer Programming", volume 3,
/// section 6.4).
/// Blocks of a function that was read from a file are allocated one after the other. The slots of these blocks are
/// spread evenly because the fractional parts of multiples of the golden ratio are spread evenly. The table does not
/// store addresses, so it is small.
pub(crate) struct Numbering {
    blocks: PrimaryMap<Block, LLVMBasicBlockRef>,
    /// The hash table, created at the first lookup. If LLVM numbers blocks itself, usually no lookup is needed.
    slots: OnceCell<Slots>,
}

/// The hash table: a block number or [`FREE`] in each slot.
struct Slots {
    numbers: Vec<u32>,
    /// To get the index of a slot in the hash table, shift the hash right by this many bits.
    shift: u32,
}

/// The hash table in the memory layout that `walk.cpp` expects.
#[repr(C)]
pub(super) struct SlotsForWalk {
    numbers: *const u32,
    count: usize,
    multiplier: u64,
    shift: u32,
}

layout!(SlotsForWalk, 32: numbers 0, count 8, multiplier 16, shift 24);

/// The value of a free slot.
const FREE: u32 = u32::MAX;

/// 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Numbering {
    /// Gives a number to each of the `count` blocks that `list` writes, in the order of the list.
    pub fn listed(count: usize, list: impl FnOnce(&mut [LLVMBasicBlockRef])) -> Self {
        let mut blocks = take(&SCRATCH_BLOCKS);
        refill(&mut blocks, count, ptr::null_mut());
        list(blocks.values_mut().into_slice());
        Numbering::new(blocks)
    }

    /// Creates a numbering. The number of each block is its key in `blocks`.
    pub fn new(blocks: PrimaryMap<Block, LLVMBasicBlockRef>) -> Self {
        Numbering { blocks, slots: OnceCell::new() }
    }

    /// All blocks in the order of their numbers.
    pub fn blocks(&self) -> &PrimaryMap<Block, LLVMBasicBlockRef> {
        &self.blocks
    }

    /// The number that identifies `block` in its function.
    ///
    /// # Panics
    ///
    /// Panics if the block does not belong to the function.
    pub fn of(&self, block: LLVMBasicBlockRef) -> Block {
        self.find(block).expect("the block does not belong to this function")
    }

    /// The number that identifies `block`, or `None` if the function does not have this block.
    pub fn find(&self, block: LLVMBasicBlockRef) -> Option<Block> {
        let slots = self.slots();
        let number = slots.numbers[slots.place(&self.blocks, block)];
        (number != FREE).then(|| Block::new(number as usize))
    }

    /// The hash table for the walk. The table is valid as long as `self` exists. If the LLVM
    /// version has block numbers, the table is empty.
    pub(super) fn slots_for_walk(&self) -> SlotsForWalk {
        if cfg!(numbered_blocks) {
            return SlotsForWalk { numbers: ptr::null(), count: 0, multiplier: 0, shift: 0 };
        }
        let Slots { numbers, shift } = self.slots();
        SlotsForWalk { numbers: numbers.as_ptr(), count: numbers.len(), multiplier: GOLDEN, shift: *shift }
    }

    fn slots(&self) -> &Slots {
        self.slots.get_or_init(|| Slots::new(&self.blocks))
    }
}

impl Drop for Numbering {
    fn drop(&mut self) {
        put_back(&SCRATCH_BLOCKS, std::mem::take(&mut self.blocks));
    }
}

thread_local! {
    /// A scratch buffer for blocks.
    static SCRATCH_BLOCKS: ScratchSlot<PrimaryMap<Block, LLVMBasicBlockRef>> = const { ScratchSlot::new(Vec::new()) };
    /// A scratch buffer for the slots of the hash table.
    static SCRATCH: ScratchSlot<Vec<u32>> = const { ScratchSlot::new(Vec::new()) };
}

impl Drop for Slots {
    fn drop(&mut self) {
        put_back(&SCRATCH, std::mem::take(&mut self.numbers));
    }
}

impl Slots {
    fn new(blocks: &PrimaryMap<Block, LLVMBasicBlockRef>) -> Self {
        let size = (blocks.len() * 2).next_power_of_two().max(2);
        let mut numbers = take(&SCRATCH);
        numbers.clear();
        numbers.resize(size, FREE);
        let mut slots = Slots { numbers, shift: u64::BITS - size.trailing_zeros() };
        for (number, &block) in blocks.iter() {
            let place = slots.place(blocks, block);
            slots.numbers[place] = number.as_u32();
        }
        slots
    }

    /// The index of the slot that contains the number of `block`. If no slot contains this number, the result is the
    /// index of the free slot in which the number can be stored.
    fn place(&self, blocks: &PrimaryMap<Block, LLVMBasicBlockRef>, block: LLVMBasicBlockRef) -> usize {
        let is_of_another = |number: u32| number != FREE && blocks[Block::new(number as usize)] != block;
        let mut place = ((block as u64).wrapping_mul(GOLDEN) >> self.shift) as usize;
        while is_of_another(self.numbers[place]) {
            place = (place + 1) & (self.numbers.len() - 1);
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbering(addresses: impl IntoIterator<Item = usize>) -> Numbering {
        Numbering::new(addresses.into_iter().map(|address| address as LLVMBasicBlockRef).collect())
    }

    fn check(addresses: Vec<usize>) {
        let numbering = numbering(addresses.iter().copied());
        for (place, address) in addresses.into_iter().enumerate() {
            assert_eq!(numbering.of(address as LLVMBasicBlockRef), Block::new(place));
        }
    }

    #[test]
    fn every_block_gets_its_number_back() {
        for count in [1, 2, 3, 1000, 5000] {
            check((1..=count).map(|place| 0x5555_0000 + place * 0x60).collect());
            check((1..=count).rev().map(|place| 0x5555_0000 + place * 0x60).collect());
        }
    }

    /// Most addresses are close together and some are far away, so the hash values are spread unevenly.
    #[test]
    fn uneven_addresses_are_found_too() {
        check((0..500).map(|place| 0x1000 + place * 0x60).chain([1 << 40, (1 << 40) + 0x60]).collect());
        check([0x1000].into_iter().chain((0..500).map(|place| (1 << 40) + place * 0x60)).collect());
        check((0..5000).map(|place| 0x1000 + place * 0x60).chain([1 << 40, (1 << 40) + 0x60]).collect());
        check((0..5000).map(|place: usize| 0x1000 + place * 0x60 + (place / 7).pow(2) * 8).collect());
    }

    #[test]
    #[should_panic(expected = "the block does not belong to this function")]
    fn another_block_has_no_number() {
        numbering([0x1000, 0x2000]).of(0x1800 as LLVMBasicBlockRef);
    }

    #[test]
    fn another_block_has_no_number_among_many() {
        let numbering = numbering((1..=2000).map(|place| place * 0x1000));
        for foreign in [0x800, 0x1800, 1999 * 0x1000 + 8, 2000 * 0x1000 + 8, 0x4000 * 0x1000] {
            let of = || numbering.of(foreign as LLVMBasicBlockRef);
            assert!(
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(of)).is_err(),
                "address {foreign:x} has a number"
            );
        }
    }

    #[test]
    #[should_panic(expected = "the block does not belong to this function")]
    fn another_block_has_no_number_by_hash_either() {
        numbering([0x2000, 0x1000]).of(0x1800 as LLVMBasicBlockRef);
    }
}
