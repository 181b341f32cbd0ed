//! The iteration order of LLVM's hash table with 32-bit keys.
//!
//! LLVM distributes mass in the order of a list, and this order determines which edges get rounding errors. In two
//! cases, the list comes from a `DenseMap` or `DenseSet`: after LLVM merges many edges, and for headers without an
//! `irr_loop` weight. bpa must have the same rounding errors as LLVM. Therefore this module reproduces the layout of
//! the hash table:
//!
//! - The table uses open addressing. The number of buckets is a power of two. The search for the
//!   key `k` starts at the bucket `37 * k`, modulo the number of buckets.
//! - If a bucket is in use, the search moves ahead by one bucket, then by two buckets, and so on. From LLVM 23 on, the
//!   search always moves to the next bucket.
//! - From LLVM 24 on, the table also keeps a list of the entries.
//! - LLVM reserves space for all keys, and removes no key. The table therefore neither grows nor has tombstones.

use crate::dialect::HashProbing;

/// An empty bucket contains this value instead of an entry number.
const VACANT: u32 = u32::MAX;

/// A table from keys to entry numbers. The iteration order is the order of the list if the table has a list, and the
/// order of the buckets otherwise.
pub(super) struct DenseOrder {
    buckets: Vec<Bucket>,
    /// Entries in insertion order, for [`HashProbing::Listed`].
    listed: Vec<u32>,
    probing: HashProbing,
}

impl Default for DenseOrder {
    fn default() -> Self {
        DenseOrder { buckets: Vec::new(), listed: Vec::new(), probing: HashProbing::Growing }
    }
}

#[derive(Clone, Copy)]
struct Bucket {
    key: u32,
    entry: u32,
}

impl DenseOrder {
    /// Sets how the table searches for a free bucket.
    pub(crate) fn probe(&mut self, probing: HashProbing) {
        self.probing = probing;
    }

    /// Clears the table, and sets the number of buckets as LLVM does if it merges `edges` edges.
    ///
    /// For n edges, LLVM requests space for p entries, where p is the smallest power of two above 2n.
    ///
    /// LLVM: `DenseMap::init`.
    pub(crate) fn lay_out_map(&mut self, edges: usize) {
        self.lay_out(buckets_for(power_of_two_above(2 * edges)));
    }

    /// Clears the table. The table then has as many buckets as LLVM's `DenseSet` after `reserve(elements)`. The number
    /// of buckets is at least 64.
    ///
    /// LLVM: `DenseMapBase::reserve`.
    pub(crate) fn lay_out_set(&mut self, elements: usize) {
        self.lay_out(buckets_for(elements).max(64));
    }

    fn lay_out(&mut self, buckets: usize) {
        self.listed.clear();
        self.buckets.clear();
        self.buckets.resize(buckets, Bucket { key: 0, entry: VACANT });
    }

    /// Returns the entry of `key`. If the key is not in the table, inserts it with the entry `fresh`.
    ///
    /// LLVM: `DenseMapBase::LookupBucketFor`, `DenseMapInfo::getHashValue`.
    pub(crate) fn entry(&mut self, key: u32, fresh: u32) -> u32 {
        let mask = self.buckets.len() - 1;
        let mut place = key.wrapping_mul(37) as usize & mask;
        let mut step = 1;
        loop {
            let bucket = &mut self.buckets[place];
            if bucket.entry == VACANT {
                *bucket = Bucket { key, entry: fresh };
                if self.probing == HashProbing::Listed {
                    self.listed.push(fresh);
                }
                return fresh;
            }
            if bucket.key == key {
                return bucket.entry;
            }
            place = (place + step) & mask;
            step += usize::from(self.probing == HashProbing::Growing);
        }
    }

    /// Returns all entries in iteration order.
    ///
    /// LLVM: `DenseMapBase::begin`.
    pub(crate) fn entries(&self) -> impl Iterator<Item = u32> + '_ {
        let buckets = match self.probing {
            HashProbing::Listed => &[][..],
            HashProbing::Growing | HashProbing::Linear => &self.buckets[..],
        };
        let in_buckets = buckets.iter().map(|bucket| bucket.entry).filter(|&entry| entry != VACANT);
        self.listed.iter().copied().chain(in_buckets)
    }
}

/// The number of buckets for `entries` entries. The entries use less than three quarters of the buckets.
///
/// LLVM: `DenseMapBase::getMinBucketToReserveForEntries`.
fn buckets_for(entries: usize) -> usize {
    power_of_two_above(entries * 4 / 3 + 1)
}

/// The least power of two that is greater than `number`.
fn power_of_two_above(number: usize) -> usize {
    (number + 1).next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_a_quarter_of_the_buckets_is_free() {
        assert_eq!(buckets_for(48), 128); // 48 of 64 buckets would be exactly three quarters
        assert_eq!(buckets_for(47), 64);
        assert_eq!(power_of_two_above(256), 512);
    }

    #[test]
    fn entries_are_in_bucket_order_and_collisions_move_to_later_buckets() {
        let mut order = DenseOrder::default();
        order.lay_out_set(5);
        assert_eq!(order.buckets.len(), 64);
        // The search for the keys 2, 66 and 130 starts at bucket 10. The search for key 28 starts at bucket 12, and the
        // search for key 1 starts at bucket 37. Key 66 therefore moves to bucket 11. Key 130 moves by one bucket to
        // bucket 11, and then by two buckets to bucket 13.
        for (entry, key) in [1, 2, 66, 130, 28].into_iter().enumerate() {
            order.entry(key, entry as u32);
        }
        assert_eq!(order.entry(66, 9), 2);
        assert_eq!(order.entries().collect::<Vec<_>>(), [1, 2, 4, 3, 0]);
    }

    #[test]
    fn a_list_keeps_the_insertion_order() {
        let mut order = DenseOrder::default();
        order.probe(HashProbing::Listed);
        for _ in 0..2 {
            order.lay_out_set(5);
            for (entry, key) in [1, 2, 66, 130, 28].into_iter().enumerate() {
                order.entry(key, entry as u32);
            }
            assert_eq!(order.entry(66, 9), 2);
            assert_eq!(order.entries().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn linear_probing_always_moves_by_one_bucket() {
        let mut order = DenseOrder::default();
        order.probe(HashProbing::Linear);
        order.lay_out_set(5);
        // The search for the keys 2, 66 and 130 starts at bucket 10. The search for key 28 starts at bucket 12, and the
        // search for key 1 starts at bucket 37. Key 66 therefore moves to bucket 11. Key 130 moves to bucket 11, and
        // then to bucket 12. Key 28 moves to bucket 13.
        for (entry, key) in [1, 2, 66, 130, 28].into_iter().enumerate() {
            order.entry(key, entry as u32);
        }
        assert_eq!(order.entries().collect::<Vec<_>>(), [1, 2, 3, 4, 0]);
    }
}
