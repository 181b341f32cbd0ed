//! Distributes the mass of a block among the edges of the block, without loss.
//!
//! Each edge gets a fraction of the *remaining* mass, rounded down. The fraction is the weight of the edge divided by
//! the sum of the weights of this edge and all following edges. The rounding error of an edge is therefore added to
//! the mass of the following edges. The last edge gets all mass that remains, and the parts add up to the whole mass.
//! The edges are in LLVM's order, because the order affects the result.

use super::dense_order::DenseOrder;
use super::rpo::RpoIndex;
use super::Mass;
use crate::bpi::Probability;
use crate::cfg::Block;
use crate::dialect::HashProbing;
use crate::facts;

/// The largest number of edges for which LLVM merges parallel edges by sorting. For more edges, LLVM uses a hash table.
///
/// LLVM: `combineWeights`.
const MOST_SORTED: usize = 128;

/// The kind of an edge, relative to the loop that is being solved.
///
/// LLVM: `Weight::DistType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EdgeKind {
    /// An edge to another node of the same loop.
    Local,
    /// An edge out of the loop.
    Exit,
    /// An edge back to a header of the loop.
    Back,
}

/// The weight of one target in a distribution.
///
/// LLVM: `BlockFrequencyInfoImplBase::Weight`.
#[derive(Clone, Copy)]
struct Part {
    target: RpoIndex,
    kind: EdgeKind,
    weight: u64,
}

/// The weighted edges out of one node.
///
/// LLVM: `BlockFrequencyInfoImplBase::Distribution`.
#[derive(Default)]
pub(super) struct Distribution {
    parts: Vec<Part>,
    total: u64,
    /// Whether `total` has overflowed. After an overflow, the sum of the weights is `total` + 2^64.
    overflowed: bool,
    merging: DenseOrder,
    merged: Vec<Part>,
}

impl Distribution {
    /// Sets how the hash table for merging edges searches for a free bucket.
    pub(crate) fn probe(&mut self, probing: HashProbing) {
        self.merging.probe(probing);
    }

    /// Removes all edges.
    pub(crate) fn clear(&mut self) {
        self.parts.clear();
        self.total = 0;
        self.overflowed = false;
    }

    /// Adds an edge with a weight above 0.
    ///
    /// LLVM: `Distribution::add`.
    pub(crate) fn add(&mut self, target: RpoIndex, kind: EdgeKind, weight: u64) {
        let (total, overflowed) = self.total.overflowing_add(weight);
        self.total = total;
        self.overflowed |= overflowed;
        self.parts.push(Part { target, kind, weight });
    }

    /// Splits `mass` among the targets by weight, and calls `give` once for each target.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::distributeMass`.
    pub(crate) fn split(&mut self, mass: Mass, mut give: impl FnMut(RpoIndex, EdgeKind, Mass)) {
        self.normalize();
        let mut rest = Rest { mass, weight: self.total as u32 };
        for part in &self.parts {
            give(part.target, part.kind, rest.take(part.weight as u32));
        }
    }

    /// Merges parallel edges, and scales the weights so that their sum fits in 32 bits.
    ///
    /// LLVM: `Distribution::normalize`.
    fn normalize(&mut self) {
        match self.parts.as_mut_slice() {
            [] | [_] => {}
            // Most blocks have two successors, which need no sorting.
            [first, second] if first.target < second.target => {}
            [first, second] if first.target > second.target => std::mem::swap(first, second),
            _ => self.merge(),
        }
        match self.parts.as_mut_slice() {
            [] => {}
            [only] => {
                only.weight = 1;
                self.total = 1;
            }
            _ => self.narrow(),
        }
    }

    /// Merges parallel edges, and puts the targets into LLVM's order.
    ///
    /// LLVM: `combineWeight`, `combineWeightsBySorting`.
    fn merge(&mut self) {
        if self.parts.len() > MOST_SORTED {
            self.merge_many();
            return;
        }
        self.parts.sort_unstable_by_key(|part| part.target);
        self.parts.dedup_by(|part, kept| {
            let parallel = part.target == kept.target;
            if parallel {
                kept.weight = kept.weight.saturating_add(part.weight);
            }
            parallel
        });
    }

    /// Merges parallel edges with the hash table. If edges are merged, the targets are then in the order of the
    /// entries in the hash table. Without parallel edges, the order of the targets does not change.
    ///
    /// LLVM: `combineWeightsByHashing`.
    fn merge_many(&mut self) {
        self.merging.lay_out_map(self.parts.len());
        self.merged.clear();
        for &part in &self.parts {
            let fresh = self.merged.len() as u32;
            let entry = self.merging.entry(part.target.as_u32(), fresh);
            match self.merged.get_mut(entry as usize) {
                Some(kept) => kept.weight = kept.weight.saturating_add(part.weight),
                None => self.merged.push(part),
            }
        }
        if self.merged.len() == self.parts.len() {
            return;
        }
        self.parts.clear();
        self.parts.extend(self.merging.entries().map(|entry| self.merged[entry as usize]));
    }

    /// If the sum of the weights does not fit in 32 bits, divides all weights by the same power of two. Rounds to
    /// nearest, with halves rounded up, and keeps each weight at 1 or more.
    ///
    /// The exponent is greater by 1 than this sum requires, because rounding can increase the sum.
    ///
    /// LLVM: `shiftRightAndRound`.
    fn narrow(&mut self) {
        let halvings = match self.total.leading_zeros() {
            _ if self.overflowed => 33,
            32.. => return,
            zeros => 33 - zeros,
        };
        self.total = 0;
        for part in &mut self.parts {
            let half_up = part.weight >> (halvings - 1) & 1;
            part.weight = ((part.weight >> halvings) + half_up).max(1);
            self.total += part.weight;
        }
    }
}

/// The mass and the weight that remain during a split.
///
/// LLVM: `DitheringDistributer`.
struct Rest {
    mass: Mass,
    /// The sum of the weights of the remaining parts.
    ///
    /// If several `irr_loop` header weights are near 2^64, their sum can overflow. If LLVM is built with assertions, it
    /// aborts on this overflow. If LLVM is built without assertions, the sum wraps around. This code also lets the sum
    /// wrap around.
    weight: u32,
}

impl Rest {
    /// Takes the fraction `weight` / `self.weight` of the remaining mass.
    ///
    /// LLVM: `DitheringDistributer::takeMass`.
    fn take(&mut self, weight: u32) -> Mass {
        if weight == self.weight {
            // The fraction is 1, so no division is needed. Usually, the last target gets the whole remaining mass.
            self.weight = 0;
            return std::mem::replace(&mut self.mass, Mass::EMPTY);
        }
        let taken = scaled_by(self.mass, fraction(weight, self.weight));
        self.weight = self.weight.wrapping_sub(weight);
        self.mass = self.mass.minus(taken);
        taken
    }
}

/// The 31-bit fixed point number nearest to `part` / `whole`.
///
/// Unlike [`Probability::ratio`], this function accepts a part that is greater than the whole. If the sum of the
/// weights has overflowed, a single weight can be greater than this sum.
///
/// LLVM: `BranchProbability::BranchProbability`.
fn fraction(part: u32, whole: u32) -> u32 {
    let denominator = Probability::DENOMINATOR;
    if whole == denominator {
        return part;
    }
    let rounded = u64::from(part) * u64::from(denominator) + u64::from(whole / 2);
    rounded.checked_div(whole.into()).map_or(denominator, |fraction| fraction as u32)
}

/// `mass` times the 31-bit fixed point number `fraction`, rounded down.
///
/// LLVM: `BlockMass::operator*=`.
fn scaled_by(mass: Mass, fraction: u32) -> Mass {
    let product = (u128::from(mass.0) * u128::from(fraction)) >> 31;
    Mass(u64::try_from(product).unwrap_or(u64::MAX))
}

/// The input of the frequency analysis: edge weights, header weights, and the numbers of loop iterations.
#[derive(Clone, Copy)]
pub(super) enum Evidence<'a> {
    /// Edge probabilities and `irr_loop` header weights. The mass that returns to a header determines the number of
    /// iterations.
    Given { probabilities: &'a [Probability], header_weights: &'a [(Block, u64)] },
    /// No evidence: all edges of a block have the same weight, and every loop has one iteration.
    Absent,
}

impl Evidence<'_> {
    /// The weight of the edge with index `place`.
    ///
    /// LLVM: `getWeightFromBranchProb`.
    pub(crate) fn edge_weight(self, place: usize) -> u64 {
        match self {
            Evidence::Given { probabilities, .. } => probabilities[place].numerator().into(),
            Evidence::Absent => 1,
        }
    }

    /// The weight of `block` from `irr_loop` metadata, relative to the other headers of its irreducible region.
    pub(crate) fn header_weight(self, block: Block) -> Option<u64> {
        let Evidence::Given { header_weights, .. } = self else { return None };
        facts::header_weight(header_weights, block)
    }

    /// Whether the edge probabilities determine the number of iterations of a loop. If the result is false, every loop
    /// has one iteration.
    pub(crate) fn loops_repeat(self) -> bool {
        matches!(self, Evidence::Given { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::EdgeKind::Local;
    use super::*;

    fn split(edges: &[(u32, u64)], mass: u64) -> Vec<(u32, u64)> {
        let mut distribution = Distribution::default();
        for &(target, weight) in edges {
            distribution.add(RpoIndex::from_u32(target), Local, weight);
        }
        let mut parts = Vec::new();
        distribution.split(Mass(mass), |target, _, mass| parts.push((target.as_u32(), mass.0)));
        parts
    }

    #[test]
    fn the_last_part_gets_the_rounding_error() {
        // The first part is 1/3 of 10, rounded down to 3. The second part is 1/2 of the remaining 7, rounded down to 3.
        // The last part is 10 - 3 - 3 = 4.
        assert_eq!(split(&[(1, 1), (2, 1), (3, 1)], 10), [(1, 3), (2, 3), (3, 4)]);
    }

    #[test]
    fn parallel_edges_merge_before_the_split() {
        assert_eq!(split(&[(2, 1), (1, 1), (2, 2)], 8), [(1, 2), (2, 6)]);
    }

    #[test]
    fn a_single_target_gets_all_mass_at_any_weight() {
        assert_eq!(split(&[(5, 7), (5, u64::MAX)], u64::MAX), [(5, u64::MAX)]);
    }

    #[test]
    fn wide_weights_are_narrowed_to_at_least_1() {
        // The sum needs 42 bits. Each weight is divided by 2^11, but is at least 1: 3 * 2^40 becomes 3 * 2^29, and 1
        // does not change. The first part of the mass 2^31 is 2^31 * 3 * 2^29 / (3 * 2^29 + 1) = 2147483646.67. This
        // part is rounded up to 2147483647, which is 2^31 - 1.
        let parts = split(&[(1, 3 << 40), (2, 1)], 1 << 31);
        assert_eq!(parts, [(1, (1 << 31) - 1), (2, 1)]);
    }

    #[test]
    fn fractions_round_to_nearest() {
        assert_eq!(fraction(2, 7), 613_566_757); // 613566756.57
        assert_eq!(fraction(4, 7), 1_227_133_513); // 1227133513.14
    }

    #[test]
    fn up_to_128_edges_are_sorted() {
        let edges: Vec<(u32, u64)> = (0..127).chain([0]).rev().map(|target| (target, 1)).collect();
        assert!(split(&edges, 128).iter().map(|part| part.0).eq(0..127));
    }

    #[test]
    fn above_128_edges_the_order_changes_only_if_edges_are_merged() {
        let mut edges: Vec<(u32, u64)> = (0..129).rev().map(|target| (target, 1)).collect();
        let targets = |edges: &[(u32, u64)]| split(edges, 129).iter().map(|part| part.0).collect::<Vec<_>>();
        assert!(targets(&edges).iter().copied().eq((0..129).rev()));
        edges.push((0, 1));
        // The table has 1024 buckets. Key 0 is in bucket 0, key 111 in bucket 11 (37 * 111 = 4107 = 4 * 1024 + 11), and
        // key 83 in bucket 1023 (37 * 83 = 3071 = 2 * 1024 + 1023).
        let order = targets(&edges);
        assert_eq!((order[0], order[1], order[128]), (0, 111, 83));
    }

    #[test]
    fn weights_are_narrowed_if_their_sum_overflows_to_a_small_number() {
        // The sum 2^64 + 1 overflows to 1. The weights are divided by 2^33 and become 2^31 and 1. The first part of the
        // mass 2^31 is 2^31 * 2^31 / (2^31 + 1) = 2147483647.0000000005.
        assert_eq!(split(&[(1, u64::MAX), (2, 2)], 1 << 31), [(1, (1 << 31) - 1), (2, 1)]);
    }

    #[test]
    fn a_sum_that_overflows_to_zero_does_not_panic() {
        assert_eq!(split(&[(1, u64::MAX), (2, u64::MAX)], 100), [(1, 100), (2, 0)]);
    }
}
