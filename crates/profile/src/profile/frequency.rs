//! Frequencies that can be compared, added and scaled.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul};

use crate::bfi::double::padded;
use crate::bfi::Scaled;
use crate::bpi::Probability;

/// The number of executions of a block for each call of its function.
///
/// Frequencies of one function can be compared, added, and scaled by a probability. Frequencies cannot be subtracted:
/// they are rounded, so the difference of similar frequencies would be mostly rounding error.
///
/// ```
/// use bpa_profile::bpi::Probability;
/// use bpa_profile::profile::BlockFrequency;
///
/// let rare = BlockFrequency::UNITY * Probability::ratio(1, 50);
/// assert!(rare < BlockFrequency::UNITY);
/// assert!(rare + BlockFrequency::UNITY > BlockFrequency::UNITY);
/// ```
///
/// A frequency has 64 bits and a binary exponent from -16382 to 16383. Results are rounded to nearest, with halves
/// rounded up. Overflow saturates at the largest number, and underflow becomes [`NEVER`].
///
/// [`NEVER`]: BlockFrequency::NEVER
///
/// LLVM: `BlockFrequency`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct BlockFrequency(Scaled);

impl BlockFrequency {
    /// The frequency of an unreachable block.
    pub const NEVER: BlockFrequency = BlockFrequency(Scaled::ZERO);
    /// One execution for each call of the function: the frequency of an entry without predecessors.
    pub const UNITY: BlockFrequency = BlockFrequency(Scaled::ONE);

    pub(super) fn new(scaled: Scaled) -> Self {
        BlockFrequency(scaled)
    }

    pub(super) fn scaled(self) -> Scaled {
        self.0
    }

    /// The frequency relative to the entry, for reports. Do not compare these numbers: frequencies beyond the range of
    /// `f64` become infinity.
    #[allow(clippy::disallowed_types, reason = "for people")]
    pub fn to_f64(self) -> f64 {
        self.0.to_f64()
    }
}

impl Add for BlockFrequency {
    type Output = Self;

    /// LLVM: `BlockFrequency::operator+=`.
    fn add(self, other: Self) -> Self {
        BlockFrequency(self.0 + other.0)
    }
}

impl Sum for BlockFrequency {
    fn sum<I: Iterator<Item = Self>>(frequencies: I) -> Self {
        frequencies.fold(BlockFrequency::NEVER, Add::add)
    }
}

impl Mul<Probability> for BlockFrequency {
    type Output = Self;

    /// The frequency of an edge: `self` is the frequency of the source block, and `probability` is the probability of
    /// the edge.
    ///
    /// LLVM: `BlockFrequency::operator*=`.
    fn mul(self, probability: Probability) -> Self {
        BlockFrequency(self.0 * Scaled::new(probability.numerator().into(), -31))
    }
}

impl fmt::Display for BlockFrequency {
    /// Formats the frequency like LLVM's printer, with five digits by default: `0.5`, `31.0`, `0.0000019073`.
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let precision = out.precision().unwrap_or(5);
        padded(out, format_args!("{:.*}", precision, self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rule;

    fn half() -> BlockFrequency {
        BlockFrequency::UNITY * Probability::ratio(1, 2)
    }

    #[test]
    fn the_frequencies_of_two_equally_likely_successors_add_up_to_unity() {
        assert_eq!(half() + half(), BlockFrequency::UNITY);
        assert_eq!([half(); 3].into_iter().sum::<BlockFrequency>().to_string(), "1.5");
        assert_eq!(BlockFrequency::NEVER + half(), half());
        assert_eq!(half() * Probability::ZERO, BlockFrequency::NEVER);
    }

    #[test]
    fn frequencies_are_ordered_by_value() {
        let order = [BlockFrequency::NEVER, half(), BlockFrequency::UNITY, BlockFrequency::UNITY + half()];
        assert!(order.is_sorted());
        assert!(BlockFrequency::NEVER < half());
    }

    #[test]
    fn formats_support_a_width() {
        let text = format!("{:8}|{:<8.1}|{:^9}|", half(), BlockFrequency::UNITY, half());
        assert_eq!(text, "     0.5|1.0     |   0.5   |");
        assert_eq!(format!("{:>36}", Probability::ratio(1, 2)), "    0x40000000 / 0x80000000 = 50.00%");
        assert_eq!(format!("{:8.3}|{:<5}|", Scaled::new(1, -1), Scaled::ZERO), "     0.5|0.0  |");
        assert_eq!(format!("{:>8}|{:8}|", Rule::Even, Rule::Even), "    even|even    |");
    }

    #[test]
    #[allow(clippy::disallowed_types, reason = "for people")]
    fn frequencies_convert_to_floating_point() {
        assert_eq!((half() + BlockFrequency::UNITY).to_f64(), 1.5);
        assert_eq!(BlockFrequency::NEVER.to_f64(), 0.0);
        assert_eq!(BlockFrequency::new(Scaled::LARGEST).to_f64(), f64::INFINITY);
        assert_eq!(BlockFrequency::new(Scaled::new(1 << 63, -1085)).to_f64(), f64::MIN_POSITIVE);
    }
}
