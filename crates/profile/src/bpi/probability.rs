//! Probabilities in 31-bit fixed point.

use std::ops::{Add, Sub};

/// The probability of an edge: a numerator over 2^31, from 0 to 2^31.
///
/// LLVM: `BranchProbability`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Probability(u32);

impl Probability {
    /// The denominator of all probabilities.
    ///
    /// LLVM: `BranchProbability::D`.
    pub const DENOMINATOR: u32 = 1 << 31;
    /// The probability 0.
    ///
    /// LLVM: `BranchProbability::getZero`.
    pub const ZERO: Probability = Probability(0);
    /// The probability 1.
    ///
    /// LLVM: `BranchProbability::getOne`.
    pub const ONE: Probability = Probability(Self::DENOMINATOR);
    /// The threshold for hot edges, 80%. An edge with a higher probability is hot.
    ///
    /// LLVM: `BranchProbabilityInfo::isEdgeHot`.
    pub const HOT: Probability = Probability::ratio(4, 5);

    /// The probability `numerator` / 2^31.
    ///
    /// # Panics
    ///
    /// Panics if `numerator` is above 2^31.
    ///
    /// LLVM: `BranchProbability::getRaw`.
    pub const fn from_numerator(numerator: u32) -> Self {
        assert!(numerator <= Self::DENOMINATOR, "the probability is above 1");
        Probability(numerator)
    }

    /// The probability nearest to `part` / `whole`, with halves rounded up.
    ///
    /// # Panics
    ///
    /// Panics if `whole` is 0, or if `part` is greater than `whole`.
    ///
    /// LLVM: `BranchProbability::BranchProbability`.
    pub const fn ratio(part: u32, whole: u32) -> Self {
        assert!(whole > 0 && part <= whole, "the part is greater than the whole, or the whole is 0");
        Self::truncated_ratio(part, whole)
    }

    /// The probability `part` / `whole`. Because `whole` is the low 32 bits of a sum, `whole` can be less than
    /// `part`. As in LLVM, only the low 32 bits of the quotient are used. The result is at most 1.
    ///
    /// LLVM: `BranchProbability::BranchProbability`.
    pub(super) const fn truncated_ratio(part: u32, whole: u32) -> Self {
        let rounded = part as u64 * Self::DENOMINATOR as u64 + whole as u64 / 2;
        let numerator = (rounded / whole as u64) as u32;
        Probability(if numerator < Self::DENOMINATOR { numerator } else { Self::DENOMINATOR })
    }

    /// The numerator. The denominator is 2^31.
    ///
    /// LLVM: `BranchProbability::getNumerator`.
    pub const fn numerator(self) -> u32 {
        self.0
    }

    /// Whether the probability is exactly 0.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The probability divided by `shares`, rounded down.
    ///
    /// LLVM: `BranchProbability::operator/=`.
    pub(crate) const fn shared_by(self, shares: u32) -> Self {
        Probability(self.0 / shares)
    }

    /// The product of `amount` and the probability. The exact product is rounded down once.
    ///
    /// LLVM: `BranchProbability::scale`.
    pub const fn scale(self, amount: u64) -> u64 {
        ((amount as u128 * self.0 as u128) >> 31) as u64
    }
}

impl Add for Probability {
    type Output = Self;

    /// The sum of `self` and `other`, limited to 1.
    ///
    /// LLVM: `BranchProbability::operator+=`.
    fn add(self, other: Self) -> Self {
        Probability(self.0.saturating_add(other.0).min(Self::DENOMINATOR))
    }
}

impl Sub for Probability {
    type Output = Self;

    /// The difference, at least 0.
    ///
    /// LLVM: `BranchProbability::operator-=`.
    fn sub(self, other: Self) -> Self {
        Probability(self.0.saturating_sub(other.0))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::naive::nearest;
    use super::*;
    use crate::cfg::test_support::config;

    /// A numerator that exceeds the denominator by 1 is an error.
    #[test]
    #[should_panic(expected = "the probability is above 1")]
    fn a_numerator_above_the_denominator_panics() {
        Probability::from_numerator(Probability::DENOMINATOR + 1);
    }

    #[test]
    #[should_panic(expected = "the part is greater than the whole")]
    fn a_part_greater_than_the_whole_panics() {
        Probability::ratio(8, 7);
    }

    fn any_probability() -> impl Strategy<Value = Probability> {
        (0..=Probability::DENOMINATOR).prop_map(Probability::from_numerator)
    }

    proptest! {
        #![proptest_config(config())]

        /// The test computes with exact integers of 128 bits, in units of 2^-31. No product overflows.
        #[test]
        fn arithmetic_matches_exact_fractions(
            one in any_probability(),
            other in any_probability(),
            part in any::<u32>(),
            rest in any::<u32>(),
            amount in any::<u64>(),
            shares in 1..1000u32,
        ) {
            let of = |probability: Probability| u128::from(probability.numerator());
            let whole = u128::from(part.max(rest)).max(1);
            let ratio = Probability::ratio(part.min(rest), whole as u32);
            prop_assert_eq!(of(ratio), nearest(u128::from(part.min(rest)) << 31, whole));
            prop_assert_eq!(of(one + other), (of(one) + of(other)).min(1 << 31));
            prop_assert_eq!(of(one - other), of(one).saturating_sub(of(other)));
            prop_assert_eq!(u128::from(one.scale(amount)), (u128::from(amount) * of(one)) >> 31);
            prop_assert_eq!(of(one.shared_by(shares)), of(one) / u128::from(shares));
        }
    }
}
