//! Computes block frequencies, the result of the analysis, from masses and scales.

use std::{fmt, iter};

use cranelift_entity::{EntityRef, PrimaryMap};

use super::double::padded;
use super::mass::Mass;
use super::regions::{Region, Regions};
use super::rpo::{ReversePostorder, RpoIndex};
use super::scaled::Scaled;
use crate::cfg::unstable::refill_with;
use crate::cfg::{table, Block};
use crate::dialect::FrequencyScaling;

/// The frequency of each block of a function, relative to the function's entry.
///
/// LLVM: `BlockFrequencyInfoImplBase::FrequencyData`.
#[derive(Clone, Debug, Default)]
pub struct BlockFrequencies {
    of_block: PrimaryMap<Block, Frequency>,
}

/// The frequency of a block, or 0 if the block is unreachable.
#[derive(Clone, Copy, Debug, Default)]
struct Frequency {
    scaled: Scaled,
    integer: u64,
}

/// The frequency and the loop depth of each block. To compute only these tables takes less time than to compute
/// [`BlockFrequencies`] and a [`LoopNest`](super::nest::LoopNest).
#[derive(Clone, Debug, Default)]
pub struct FrequenciesAndDepths {
    /// The frequency of each block, relative to the entry's frequency of 1. An unreachable block has the frequency 0.
    pub frequencies: PrimaryMap<Block, Scaled>,
    /// The number of loops around each block. Irreducible loops also count.
    pub depths: PrimaryMap<Block, u32>,
}

impl BlockFrequencies {
    /// Creates the frequencies of all blocks. `by_index` has the frequency of each reachable block, by RPO index.
    ///
    /// LLVM: `convertFloatingToInteger`, `BlockFrequencyInfoImplBase::finalizeMetrics`.
    pub(super) fn new(
        blocks: usize,
        rpo: &ReversePostorder,
        by_index: &PrimaryMap<RpoIndex, Scaled>,
        scaling: FrequencyScaling,
    ) -> Self {
        let factor = integer_factor(by_index.values().copied(), scaling);
        let frequency = |block| {
            rpo.find(block).map_or(Frequency::default(), |index| {
                let scaled = by_index[index];
                Frequency { scaled, integer: (scaled * factor).to_u64().max(1) }
            })
        };
        let of_block = (0..blocks).map(|block| frequency(Block::new(block))).collect();
        BlockFrequencies { of_block }
    }

    /// Creates the frequencies of a function in which only the entry is reachable.
    pub(super) fn of_entry_alone(blocks: usize, scaling: FrequencyScaling) -> Self {
        let integer = integer_factor(iter::once(Scaled::ONE), scaling).to_u64();
        let mut of_block = table(blocks, Frequency::default());
        of_block[Block::new(0)] = Frequency { scaled: Scaled::ONE, integer };
        BlockFrequencies { of_block }
    }

    /// Creates the frequencies from an exact solution, in which unreachable blocks have the frequency 0. Rounds
    /// integers to nearest, with halves rounded up. If an exact result is an integer, rounding errors can make it
    /// slightly smaller, and LLVM's truncation would then subtract 1.
    pub(super) fn from_exact(scaled: PrimaryMap<Block, Scaled>, scaling: FrequencyScaling) -> Self {
        let factor =
            integer_factor(scaled.values().copied().filter(|frequency| !frequency.is_zero()), scaling);
        let frequency = |scaled: Scaled| match scaled.is_zero() {
            true => Frequency::default(),
            false => Frequency { scaled, integer: (scaled * factor).to_nearest_u64().max(1) },
        };
        BlockFrequencies { of_block: scaled.values().copied().map(frequency).collect() }
    }

    /// The frequency of `block`, relative to the entry's frequency of 1. An unreachable block has the frequency 0.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::getFloatingBlockFreq`.
    pub fn scaled(&self, block: Block) -> Scaled {
        self.of_block[block].scaled
    }

    /// The frequency of `block` as an integer of at least 1. An unreachable block has the integer 0.
    ///
    /// Integer frequencies have no unit: compare them with the integer frequency of the entry.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::getBlockFreq`.
    pub fn integer(&self, block: Block) -> u64 {
        self.of_block[block].integer
    }

    /// The integer frequency of the entry.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::getEntryFreq`.
    pub(crate) fn entry_integer(&self) -> u64 {
        self.integer(Block::new(0))
    }

    /// Sets the frequency of `block`, and computes the integer frequency of `block` from the integer frequency of the
    /// entry. If `block` is new, every earlier block without a frequency gets the frequency 0.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::setBlockFreq`.
    pub(crate) fn set(&mut self, block: Block, frequency: Scaled) {
        while !self.of_block.is_valid(block) {
            self.of_block.push(Frequency::default());
        }
        let integer = (frequency * Scaled::new(self.entry_integer(), 0)).to_u64();
        let integer = if frequency.is_zero() { 0 } else { integer.max(1) };
        self.of_block[block] = Frequency { scaled: frequency, integer };
    }

    /// The number of executions of `block` if the function is entered `entry_count` times. The number is rounded to
    /// the nearest integer, and a half is rounded up. The number is at most `u64::MAX`.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::getBlockProfileCount`,
    /// `BlockFrequencyInfoImplBase::getProfileCountFromFreq`.
    pub fn count(&self, block: Block, entry_count: u64) -> u64 {
        let entry = u128::from(self.entry_integer());
        let product = u128::from(entry_count) * u128::from(self.integer(block));
        u64::try_from((product + entry / 2) / entry).unwrap_or(u64::MAX)
    }

    /// The frequency of `block` in the format of LLVM's printer: `float = 0.5, int = 4`.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::printBlockFreq`.
    pub fn text(&self, block: Block) -> impl fmt::Display {
        FrequencyText { scaled: self.scaled(block), integer: self.integer(block) }
    }
}

struct FrequencyText {
    scaled: Scaled,
    integer: u64,
}

impl fmt::Display for FrequencyText {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        padded(out, format_args!("float = {:.5}, int = {}", self.scaled, self.integer))
    }
}

/// Computes the frequency of every block, by RPO index. The frequency of a block is the mass of the block, multiplied
/// by the entering mass and the scale of each region around the block.
///
/// Visits outer regions before inner regions. At first, the factor of a region is its scale. The multiplier of a region
/// is the product of its factor and its entering mass. The multiplier scales the frequency of each block directly in
/// the region. The multiplier also scales the factor of each region directly inside the region. `factors` is scratch
/// memory.
///
/// LLVM: `unwrapLoop`, `BlockFrequencyInfoImplBase::unwrapLoops`.
pub(super) fn unpack(
    regions: &Regions,
    frequencies: &mut PrimaryMap<RpoIndex, Scaled>,
    factors: &mut PrimaryMap<Region, Scaled>,
) {
    refill_with(frequencies, regions.block_masses().map(Mass::to_scaled));
    refill_with(factors, regions.scales());
    for region in regions.outermost_first() {
        let factor = factors[region] * regions.entering_mass(region).to_scaled();
        for (node, package) in regions.nodes_of(region) {
            match package {
                Some(inner) => factors[inner] = factor * factors[inner],
                None => frequencies[node] = factor * frequencies[node],
            }
        }
    }
}

/// The factor that converts frequencies to integers.
///
/// LLVM: `convertFloatingToInteger`.
fn integer_factor(mut frequencies: impl Iterator<Item = Scaled>, scaling: FrequencyScaling) -> Scaled {
    let first = frequencies.next().unwrap_or(Scaled::ONE);
    let (least, greatest) = frequencies
        .fold((first, first), |(least, greatest), frequency| (least.min(frequency), greatest.max(frequency)));
    match scaling {
        // The smallest frequency becomes 8, and the largest frequency is less than 1.5 * 2^64.
        FrequencyScaling::SmallestToEight if (greatest / least).log2_rounded() <= Some(61) => {
            least.inverse().shifted(3)
        }
        FrequencyScaling::SmallestToEight => Scaled::new(1, 64) / greatest,
        FrequencyScaling::LargestTo54Bits => Scaled::new(1, 54) / greatest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_frequency_becomes_8_if_the_range_has_at_most_61_bits() {
        let factor = |power| {
            let frequencies = [Scaled::ONE, Scaled::new(1, power)].into_iter();
            integer_factor(frequencies, FrequencyScaling::SmallestToEight)
        };
        assert_eq!(factor(61), Scaled::new(8, 0));
        assert_eq!(factor(62), Scaled::new(4, 0));
        assert_eq!(factor(80), Scaled::new(1, -16));
    }
}
