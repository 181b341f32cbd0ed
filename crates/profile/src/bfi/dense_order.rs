//! The iteration order of LLVM's hash table with 32-bit keys.
//!
//! Rounding errors are distributed in the order of a list. In two places LLVM takes this list from a `DenseMap` or
//! `DenseSet`: after merging many edges, and for headers of an irreducible region without a weight. To get the same errors,
//! this module reproduces the layout of the table: open addressing over a power of two of buckets. The first bucket of a
//! key is 37 times the key. The steps from there grow by one, or are always one in later versions. The latest versions also
//! keep a list. Both uses reserve space for all keys and never remove a key, so the table neither grows nor has tombstones.

use crate::dialect::HashProbing;

/// An empty bucket.
const VACANT: u32 = u32::MAX;

/// A table from keys to entry numbers, which iterates bucket by bucket.
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
    /// Sets how a free bucket is searched for.
    pub(crate) fn probe(&mut self, probing: HashProbing) {
        self.probing = probing;
    }

    /// Clears the table, with the size of the map in which LLVM merges `edges` edges.
    ///
    /// LLVM requests space for the power of two above twice as many entries.
    ///
    /// LLVM: `DenseMap::init`.
    pub(crate) fn lay_out_map(&mut self, edges: usize) {
        self.lay_out(buckets_for(power_of_two_above(2 * edges)));
    }

    /// Clears the table, with the size of a set for `elements`: at least 64 buckets.
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

    /// The entry of `key`. Inserts `fresh` if there is none.
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

    /// All entries in iteration order.
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

/// The number of buckets for `entries` entries, so that the load is below three quarters.
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
    fn sizes_leave_a_quarter_free() {
        assert_eq!(buckets_for(48), 128); // 48 of 64 would be three quarters exactly
        assert_eq!(buckets_for(47), 64);
        assert_eq!(power_of_two_above(256), 512);
    }

    #[test]
    fn keys_come_back_by_bucket_and_collisions_step_on() {
        let mut order = DenseOrder::default();
        order.lay_out_set(5);
        assert_eq!(order.buckets.len(), 64);
        // 37 times 2, 66 and 130 end in bucket 10, 37 * 28 in bucket 12 and 37 * 1 in bucket 37. So 66 steps
        // on to 11, and 130 first to 11 and then by two to 13.
        for (entry, key) in [1, 2, 66, 130, 28].into_iter().enumerate() {
            order.entry(key, entry as u32);
        }
        assert_eq!(order.entry(66, 9), 2);
        assert_eq!(order.entries().collect::<Vec<_>>(), [1, 2, 4, 3, 0]);
    }

    #[test]
    fn a_list_keeps_the_order() {
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
    fn linear_probing_steps_on_by_one() {
        let mut order = DenseOrder::default();
        order.probe(HashProbing::Linear);
        order.lay_out_set(5);
        // As above, but 130 steps on from 10 over 11 to 12, and 28 from there to 13.
        for (entry, key) in [1, 2, 66, 130, 28].into_iter().enumerate() {
            order.entry(key, entry as u32);
        }
        assert_eq!(order.entries().collect::<Vec<_>>(), [1, 2, 3, 4, 0]);
    }
}
