//! Non-negative numbers of 96 bits, for sums of products that need more than 64 correct bits.
//!
//! No operation subtracts, so no digits are lost by cancellation. The relative error of each operation is below 2^-95.
//! The errors of successive operations add up. Results are truncated. The exponent has 32 bits. A probability is at
//! least 2^-32. Therefore the exponent is large enough for the product of the probabilities along any path of at most
//! 2^25 edges.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul};

use crate::bfi::Scaled;

/// The number (`high` x 2^32 + `low`) x 2^`exponent`. The top bit of `high` is 1, except in zero. The exponent of zero
/// is less than the exponent of any other number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Real {
    high: u64,
    low: u32,
    exponent: i32,
}

/// The number of bits of `high` and `low` together.
const DIGITS: u32 = 96;
/// The upper 96 of 128 bits.
const UPPER: u128 = u128::MAX << 32;

impl Real {
    pub(crate) const ZERO: Real = Real { high: 0, low: 0, exponent: i32::MIN };
    pub(crate) const ONE: Real = Real::power(0);

    /// 2^`power`.
    pub(crate) const fn power(power: i32) -> Self {
        Real { high: 1 << 63, low: 0, exponent: power - 95 }
    }

    /// The number `integer` x 2^`exponent`.
    pub(crate) fn new(integer: u64, exponent: i32) -> Self {
        if integer == 0 {
            return Real::ZERO;
        }
        let zeros = integer.leading_zeros();
        Real { high: integer << zeros, low: 0, exponent: exponent - zeros as i32 - 32 }
    }

    pub(crate) const fn is_zero(self) -> bool {
        self.high == 0
    }

    /// `self` times 2^`power`.
    pub(crate) const fn shifted(self, power: i32) -> Self {
        if self.is_zero() {
            return self;
        }
        Real { exponent: self.exponent + power, ..self }
    }

    /// The product of `self`, `factor` and 2^`power`. This operation is faster than a product of two `Real`s.
    pub(crate) fn times(self, factor: u32, power: i32) -> Self {
        if self.is_zero() || factor == 0 {
            return Real::ZERO;
        }
        Real::cut(self.digits() * u128::from(factor), self.exponent + power)
    }

    fn digits(self) -> u128 {
        (u128::from(self.high) << 32) | u128::from(self.low)
    }

    /// The digits, followed by 32 zeros.
    fn upper(self) -> u128 {
        (u128::from(self.high) << 64) | (u128::from(self.low) << 32)
    }

    /// The sum. The exponent of `lesser` must not be greater than the exponent of `self`.
    #[inline]
    fn add_lesser(self, lesser: Self) -> Self {
        let down = self.exponent.abs_diff(lesser.exponent);
        if down >= DIGITS {
            return self;
        }
        match self.upper().overflowing_add((lesser.upper() >> down) & UPPER) {
            (sum, false) => Real::from_upper(sum, self.exponent),
            (sum, true) => Real::from_upper((sum >> 1) | (1 << 127), self.exponent + 1),
        }
    }

    /// The upper 96 bits of `digits`, times 2^`exponent`. The top bit of `digits` must be 1.
    fn from_upper(digits: u128, exponent: i32) -> Self {
        Real { high: (digits >> 64) as u64, low: (digits >> 32) as u32, exponent }
    }

    /// The product of two numbers above 0. `upper` is the product of their digits, without the lower 64 bits, and has
    /// 127 or 128 bits. `exponent` is the sum of their exponents.
    fn of_product(upper: u128, exponent: i32) -> Self {
        match upper >> 127 {
            0 => Real::from_upper(upper << 1, exponent + DIGITS as i32 - 1),
            _ => Real::from_upper(upper, exponent + DIGITS as i32),
        }
    }

    /// The number `digits` x 2^`exponent`, truncated to 96 bits. `digits` must not be 0.
    fn cut(digits: u128, exponent: i32) -> Self {
        let length = u128::BITS - digits.leading_zeros();
        let digits = if length > DIGITS { digits >> (length - DIGITS) } else { digits << (DIGITS - length) };
        let exponent = exponent + length as i32 - DIGITS as i32;
        Real { high: (digits >> 32) as u64, low: digits as u32, exponent }
    }

    /// Rounds `self` to 64 digits. Halves are rounded up. Numbers above the range become the greatest number, and
    /// numbers below the range become the least number above 0.
    pub(crate) fn to_scaled(self) -> Scaled {
        if self.is_zero() {
            return Scaled::ZERO;
        }
        let (digits, carry) = match self.high.checked_add(u64::from(self.low >> 31)) {
            Some(digits) => (digits, 0),
            None => (1 << 63, 1),
        };
        let exponent = self.exponent + 32 + carry;
        let least = i32::from(Scaled::MIN_EXPONENT);
        match exponent {
            _ if exponent > Scaled::MAX_EXPONENT.into() => Scaled::LARGEST,
            _ if exponent >= least => Scaled::new(digits, exponent as i16),
            _ => {
                let kept = digits.checked_shr((least - exponent) as u32).unwrap_or(0);
                Scaled::new(kept.max(1), Scaled::MIN_EXPONENT)
            }
        }
    }
}

impl Add for Real {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        if self.exponent >= other.exponent {
            self.add_lesser(other)
        } else {
            other.add_lesser(self)
        }
    }
}

impl AddAssign for Real {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul for Real {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Real::ZERO;
        }
        // The product has 191 or 192 bits. `crossed` includes the carry from the lower 64 bits.
        let lowest = wide(self.low.into(), other.low.into());
        let crossed = wide(self.high, other.low.into()) + wide(self.low.into(), other.high) + (lowest >> 32);
        Real::of_product(wide(self.high, other.high) + (crossed >> 32), self.exponent + other.exponent)
    }
}

impl From<Scaled> for Real {
    fn from(number: Scaled) -> Self {
        Real::new(number.digits(), number.exponent().into())
    }
}

fn wide(one: u64, another: u64) -> u128 {
    u128::from(one) * u128::from(another)
}

impl Div for Real {
    type Output = Self;

    /// # Panics
    ///
    /// Panics if `divisor` is 0.
    fn div(self, divisor: Self) -> Self {
        assert!(!divisor.is_zero(), "division by zero");
        if self.is_zero() {
            return Real::ZERO;
        }
        // The quotient has one integer bit and three groups of 32 fraction bits. A group is at most the quotient of the
        // leading 64 bits of `rest` and the leading 32 bits of `by`. The difference is small, because the top bit of
        // `by` is 1. Source: Donald Knuth, "The Art of Computer Programming", volume 2, section 4.3.1, algorithm D.
        let (mut rest, by) = (self.digits(), divisor.digits());
        let mut quotient = u128::from(rest >= by);
        rest -= quotient * by;
        for _ in 0..3 {
            let mut group = (rest >> 32) as u64 / (by >> 64) as u64;
            rest = (rest << 32).wrapping_sub(by.wrapping_mul(group.into()));
            while (rest as i128) < 0 {
                group -= 1;
                rest = rest.wrapping_add(by);
            }
            quotient = (quotient << 32) | u128::from(group);
        }
        Real::cut(quotient, self.exponent - divisor.exponent - DIGITS as i32)
    }
}

impl PartialEq for Real {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Real {}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |number: &Real| (number.exponent, number.high, number.low);
        key(self).cmp(&key(other))
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::*;

    /// The number in units of 2^-1000.
    fn exact(number: Real) -> BigUint {
        BigUint::from(number.digits()) << (number.exponent + 1000)
    }

    fn numbers() -> impl Strategy<Value = Real> {
        let digits = prop_oneof![1u128..1 << 96, Just(1), Just((1 << 96) - 1)];
        (digits, -130..130i32).prop_map(|(digits, exponent)| Real::cut(digits, exponent))
    }

    /// Asserts that `result` is at most `exact`, and that the relative error is below 2^-95. Both numbers have the same
    /// unit.
    fn assert_cut(result: &BigUint, exact: &BigUint) {
        assert!(result <= exact, "{result} is above {exact}");
        assert!((exact - result) << 95u32 <= *exact, "{result} is too far below {exact}");
    }

    /// The digits of `one` times 2^96, divided by the digits of `another`, one bit after another.
    fn long_quotient(one: Real, another: Real) -> u128 {
        let (mut rest, mut quotient) = (one.digits(), 0);
        for _ in 0..=96 {
            let bit = rest >= another.digits();
            rest = (rest - u128::from(bit) * another.digits()) << 1;
            quotient = quotient << 1 | u128::from(bit);
        }
        quotient
    }

    proptest! {
        #[test]
        fn the_relative_error_is_below_2_to_the_minus_95(one in numbers(), another in numbers(), factor in 1u32..) {
            assert_cut(&exact(one + another), &(exact(one) + exact(another)));
            assert_cut(&(exact(one * another) << 1000), &(exact(one) * exact(another)));
            assert_cut(&exact(one.times(factor, 7)), &((exact(one) * factor) << 7));
            // The function `exact` counts units of 2^-1000, and the quotient can be smaller than one unit. The
            // test therefore compares products.
            let quotient = one / another;
            prop_assert_eq!(quotient, Real::cut(long_quotient(one, another), one.exponent - another.exponent - 96));
            assert_cut(&(exact(quotient) * exact(another)), &(exact(one) << 1000));
        }

        #[test]
        fn comparison_depends_only_on_the_value(one in numbers(), another in numbers()) {
            prop_assert_eq!(one.cmp(&another), exact(one).cmp(&exact(another)));
            prop_assert!(one > Real::ZERO && one == one + Real::ZERO && one == Real::ZERO + one);
        }

        #[test]
        fn conversion_to_scaled_rounds_to_nearest(one in numbers()) {
            let scaled = one.to_scaled();
            let rounded = BigUint::from(scaled.digits()) << (scaled.exponent() + 1000);
            let off = BigUint::max(rounded.clone(), exact(one)) - BigUint::min(rounded, exact(one));
            prop_assert!(off << 64u32 <= exact(one));
        }
    }

    #[test]
    fn conversion_to_scaled_saturates() {
        assert_eq!(Real::new(3, 16382).to_scaled(), Scaled::new(3, 16382));
        assert_eq!(Real::new(1, 16447).to_scaled(), Scaled::LARGEST);
        assert_eq!(Real::new(u64::MAX, i32::MAX - 200).to_scaled(), Scaled::LARGEST);
        assert_eq!(Real::new(3, -16383).to_scaled(), Scaled::new(1, -16382));
        assert_eq!(Real::new(1, -20000).to_scaled(), Scaled::new(1, -16382));
        assert_eq!(Real::ZERO.to_scaled(), Scaled::ZERO);
        // 2^96-1 rounds up to 2^96.
        assert_eq!(Real { high: u64::MAX, low: u32::MAX, exponent: 0 }.to_scaled(), Scaled::new(1 << 63, 33));
    }

    #[test]
    fn the_sum_of_three_thirds_is_one() {
        let third = Real::ONE / Real::new(3, 0);
        assert_eq!((third + third + third).to_scaled(), Scaled::ONE);
        assert_eq!(third.times(3, 4).to_scaled(), Scaled::new(16, 0));
    }
}
