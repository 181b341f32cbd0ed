//! From a block's address to its number.
//!
//! Every edge of the function is looked up, which makes this the hottest table there is. LLVM allocates the blocks of
//! a function that it reads one after the other, so that for most functions the list of blocks is sorted by address
//! as it stands: a number is guessed in proportion to the address, and the search goes on from there. In large
//! functions the guess would be far off, and a table tells for equal parts of the memory which blocks are there.
//! After passes have moved blocks around it is a hash table.

use crate::ir::llvm::prelude::*;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap};

use bpa_core::cfg::Block;

/// The blocks of a function, and how to find the number of one.
pub(crate) struct Numbering {
    blocks: PrimaryMap<Block, LLVMBasicBlockRef>,
    order: Order,
}

enum Order {
    /// Addresses rise from block to block, by about 2^32 / `density` from one to the next.
    Rising { density: u64 },
    /// They rise, in a large function.
    Many(Parts),
    /// They do not.
    Hashed(HashTable),
}

impl Numbering {
    /// Numbers `blocks` as they are keyed.
    pub fn new(blocks: PrimaryMap<Block, LLVMBasicBlockRef>) -> Self {
        let addresses = || blocks.values().map(|&block| block as u64);
        let order = if addresses().zip(addresses().skip(1)).all(|(address, next)| address < next) {
            let span = addresses().next_back().unwrap_or(0) - addresses().next().unwrap_or(0);
            match blocks.len() {
                MANY.. => Order::Many(Parts::new(blocks.values().as_slice(), span)),
                count => Order::Rising { density: ((count as u64 - 1) << 32) / span.max(1) },
            }
        } else {
            Order::Hashed(HashTable::new(&blocks))
        };
        Numbering { blocks, order }
    }

    /// The blocks in their order.
    pub fn blocks(&self) -> &PrimaryMap<Block, LLVMBasicBlockRef> {
        &self.blocks
    }

    /// The number of `block`.
    ///
    /// # Panics
    ///
    /// If the block is not one of the function's.
    pub fn of(&self, block: LLVMBasicBlockRef) -> Block {
        self.find(block).expect("a block of this function")
    }

    /// The number of `block`, if it is one of the function's.
    pub fn find(&self, block: LLVMBasicBlockRef) -> Option<Block> {
        match &self.order {
            Order::Rising { density } => self.search(block, *density),
            Order::Many(parts) => parts.search(self.blocks.values().as_slice(), block),
            Order::Hashed(hashed) => hashed.find(block),
        }
    }

    /// Searches sorted blocks, near the guess first.
    fn search(&self, block: LLVMBasicBlockRef, density: u64) -> Option<Block> {
        let blocks = self.blocks.values().as_slice();
        let offset = (block as u64).checked_sub(blocks[0] as u64)?;
        let guess = ((u128::from(offset) * u128::from(density)) >> 32).min(blocks.len() as u128 - 1) as usize;
        let (mut low, mut high) = (guess, guess + 1);
        let mut step = 1;
        while low > 0 && blocks[low] > block {
            low = low.saturating_sub(step);
            step *= 2;
        }
        while high < blocks.len() && blocks[high] <= block {
            high = (high + step).min(blocks.len());
            step *= 2;
        }
        let place = low + blocks[low..high].binary_search(&block).ok()?;
        Some(Block::new(place))
    }
}

/// From so many blocks on, guesses are not good enough.
const MANY: usize = 1024;

/// Sorted blocks by equal parts of the memory they are spread over, with as many parts as blocks or up to twice as
/// many.
struct Parts {
    /// How far to shift a distance from the first block down to get a part.
    shift: u32,
    /// The first block at or behind each part's begin, and in the end the number of blocks.
    firsts: Vec<u32>,
}

impl Parts {
    fn new(blocks: &[LLVMBasicBlockRef], span: u64) -> Self {
        let shift = (span / blocks.len() as u64).checked_ilog2().unwrap_or(0);
        let mut firsts = Vec::with_capacity((span >> shift) as usize + 2);
        for (number, &block) in blocks.iter().enumerate() {
            let part = (block as u64 - blocks[0] as u64) >> shift;
            firsts.resize(firsts.len().max(part as usize + 1), number as u32);
        }
        firsts.push(blocks.len() as u32);
        Parts { shift, firsts }
    }

    fn search(&self, blocks: &[LLVMBasicBlockRef], block: LLVMBasicBlockRef) -> Option<Block> {
        let part = ((block as u64).checked_sub(blocks[0] as u64)? >> self.shift) as usize;
        let (low, high) = (*self.firsts.get(part)? as usize, *self.firsts.get(part + 1)? as usize);
        let place = low + blocks[low..high].binary_search(&block).ok()?;
        Some(Block::new(place))
    }
}

/// Open addressing with linear probing, at most half full, and one multiplication as the hash. Addresses of heap
/// objects differ in their middle bits, which the multiplication carries to the top (Donald Knuth, "The Art of
/// Computer Programming", volume 3, section 6.4).
struct HashTable {
    slots: Vec<(LLVMBasicBlockRef, PackedOption<Block>)>,
    /// How far to shift a hash down to get a slot.
    shift: u32,
}

/// 2^64 over the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl HashTable {
    fn new(blocks: &PrimaryMap<Block, LLVMBasicBlockRef>) -> Self {
        let size = (blocks.len() * 2).next_power_of_two().max(2);
        let mut table = HashTable {
            slots: vec![(std::ptr::null_mut(), None.into()); size],
            shift: u64::BITS - size.trailing_zeros(),
        };
        for (number, &block) in blocks.iter() {
            let slot = table.slot(block);
            table.slots[slot] = (block, number.into());
        }
        table
    }

    fn find(&self, block: LLVMBasicBlockRef) -> Option<Block> {
        self.slots[self.slot(block)].1.expand()
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

    /// Most blocks together and some far away: guesses are far off.
    #[test]
    fn uneven_addresses_are_found_too() {
        check((0..500).map(|place| 0x1000 + place * 0x60).chain([1 << 40, (1 << 40) + 0x60]).collect());
        check([0x1000].into_iter().chain((0..500).map(|place| (1 << 40) + place * 0x60)).collect());
        check((0..5000).map(|place| 0x1000 + place * 0x60).chain([1 << 40, (1 << 40) + 0x60]).collect());
        check((0..5000).map(|place: usize| 0x1000 + place * 0x60 + (place / 7).pow(2) * 8).collect());
    }

    #[test]
    #[should_panic(expected = "a block of this function")]
    fn another_block_has_no_number() {
        numbering([0x1000, 0x2000]).of(0x1800 as LLVMBasicBlockRef);
    }

    #[test]
    fn another_block_has_no_number_among_many() {
        let numbering = numbering((1..=2000).map(|place| place * 0x1000));
        for strange in [0x800, 0x1800, 1999 * 0x1000 + 8, 2000 * 0x1000 + 8, 0x4000 * 0x1000] {
            let of = || numbering.of(strange as LLVMBasicBlockRef);
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(of)).is_err(), "{strange:x}");
        }
    }

    #[test]
    #[should_panic(expected = "a block of this function")]
    fn another_block_has_no_number_by_hash_either() {
        numbering([0x2000, 0x1000]).of(0x1800 as LLVMBasicBlockRef);
    }
}
