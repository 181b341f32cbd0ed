//! Frequencies from masses and scales: the result of the analysis.

use std::{fmt, iter};

use cranelift_entity::{EntityRef, PrimaryMap};

use super::mass::Mass;
use super::regions::{Region, Regions};
use super::rpo::{ReversePostorder, RpoIndex};
use super::scaled::Scaled;
use crate::cfg::{refill_with, table, Block};
use crate::dialect::FrequencyScaling;

/// How often each block of a function runs, relative to its entry.
///
/// LLVM: `BlockFrequencyInfoImplBase::FrequencyData`.
#[derive(Clone, Debug, Default)]
pub struct BlockFrequencies {
    of_block: PrimaryMap<Block, Frequency>,
    residual: Scaled,
}

/// The frequency of a block; 0 if it is unreachable.
#[derive(Clone, Copy, Debug, Default)]
struct Frequency {
    scaled: Scaled,
    integer: u64,
}

impl BlockFrequencies {
    /// The frequencies of all blocks, from the frequencies of reachable blocks by RPO index, with their integers.
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
        BlockFrequencies { of_block, residual: Scaled::ZERO }
    }

    /// The same if only the entry is reachable.
    pub(super) fn of_entry_alone(blocks: usize, scaling: FrequencyScaling) -> Self {
        let integer = integer_factor(iter::once(Scaled::ONE), scaling).to_u64();
        let mut of_block = table(blocks, Frequency::default());
        of_block[Block::new(0)] = Frequency { scaled: Scaled::ONE, integer };
        BlockFrequencies { of_block, residual: Scaled::ZERO }
    }

    /// The same for frequencies by block, 0 for unreachable blocks. Integers are rounded to nearest, halves up. LLVM's
    /// truncation would turn a number just below an integer into the integer before.
    pub(super) fn from_exact(
        scaled: PrimaryMap<Block, Scaled>,
        scaling: FrequencyScaling,
        residual: Scaled,
    ) -> Self {
        let factor =
            integer_factor(scaled.values().copied().filter(|frequency| !frequency.is_zero()), scaling);
        let frequency = |scaled: Scaled| match scaled.is_zero() {
            true => Frequency::default(),
            false => Frequency { scaled, integer: (scaled * factor).to_nearest_u64().max(1) },
        };
        BlockFrequencies { of_block: scaled.values().copied().map(frequency).collect(), residual }
    }

    /// The greatest relative residual of the equations of flow, if these frequencies are [exact](super::FrequencyMethod::Exact), and a region
    /// was too large for elimination and was solved by iteration.
    pub fn residual(&self) -> Option<Scaled> {
        (!self.residual.is_zero()).then_some(self.residual)
    }

    /// The frequency of `block`, relative to the entry's frequency of 1; 0 if it is unreachable.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::getFloatingBlockFreq`.
    pub fn scaled(&self, block: Block) -> Scaled {
        self.of_block[block].scaled
    }

    /// The frequency of `block` as an integer, at least 1; 0 if it is unreachable.
    ///
    /// It is relative to the integer of the entry: see [`BlockFrequencies::entry_integer`].
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

    /// Sets the frequency of `block`, which may be a new block. Blocks between the last block and it get frequency 0. Its
    /// integer is computed from the entry's integer.
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

    /// The executions of `block` if the function is entered `entry_count` times, rounded to nearest, halves up, and at most
    /// `u64::MAX`.
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
        write!(out, "float = {:.5}, int = {}", self.scaled, self.integer)
    }
}

/// The frequency of every block, by RPO index: its mass, times the mass and scale of each region around it.
///
/// Visits regions from the outside in. Each region multiplies its direct nodes, blocks and packages.
///
/// LLVM: `unwrapLoop`, `BlockFrequencyInfoImplBase::unwrapLoops`.
///
/// `factors` is scratch memory.
pub(super) fn unpack(
    regions: &Regions,
    frequencies: &mut PrimaryMap<RpoIndex, Scaled>,
    factors: &mut PrimaryMap<Region, Scaled>,
) {
    refill_with(frequencies, regions.block_masses().map(Mass::to_scaled));
    refill_with(factors, regions.scales());
    for region in regions.outermost_first() {
        let factor = factors[region] * regions.entering_mass(region).to_scaled();
        for (node, package) in regions.contents(region) {
            match package {
                Some(inner) => factors[inner] = factor * factors[inner],
                None => frequencies[node] = factor * frequencies[node],
            }
        }
    }
}

/// The factor from frequencies to integers.
///
/// LLVM: `convertFloatingToInteger`.
fn integer_factor(mut frequencies: impl Iterator<Item = Scaled>, scaling: FrequencyScaling) -> Scaled {
    let first = frequencies.next().unwrap_or(Scaled::ONE);
    let (least, greatest) = frequencies
        .fold((first, first), |(least, greatest), frequency| (least.min(frequency), greatest.max(frequency)));
    match scaling {
        // The smallest frequency becomes 8, and there are at least three bits above the largest frequency.
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
    fn up_to_61_bits_the_smallest_becomes_8() {
        let factor = |power| {
            let frequencies = [Scaled::ONE, Scaled::new(1, power)].into_iter();
            integer_factor(frequencies, FrequencyScaling::SmallestToEight)
        };
        assert_eq!(factor(61), Scaled::new(8, 0));
        assert_eq!(factor(62), Scaled::new(4, 0));
        assert_eq!(factor(80), Scaled::new(1, -16));
    }
}
