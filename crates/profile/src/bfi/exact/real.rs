//! Non-negative numbers of 96 bits, for sums of products that must be accurate to more than 64 bits.
//!
//! There is no subtraction, except to detect convergence, so no digits cancel. The relative error of each operation is below
//! 2^-95, and errors only add up. Results are truncated, never rounded up. The exponent has 32 bits, which is enough for all
//! products along a function's paths, because a probability is at least 2^-32.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul};

use crate::bfi::Scaled;

/// A number (`high` x 2^32 + `low`) x 2^`exponent`. The top bit of `high` is 1 except in zero.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Real {
    high: u64,
    low: u32,
    exponent: i32,
}

/// The number of bits.
const DIGITS: u32 = 96;

impl Real {
    pub(crate) const ZERO: Real = Real { high: 0, low: 0, exponent: 0 };
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

    /// This times 2^`power`.
    pub(crate) const fn shifted(self, power: i32) -> Self {
        Real { exponent: self.exponent + power, ..self }
    }

    /// The binary logarithm rounded down, of a number that is not 0.
    pub(crate) const fn log2_floor(self) -> i32 {
        self.exponent + DIGITS as i32 - 1
    }

    /// The absolute difference of two numbers, to the precision of the greater number: to detect convergence.
    pub(crate) fn distance(self, other: Self) -> Self {
        let (greater, lesser) = if self > other { (self, other) } else { (other, self) };
        let down = if lesser.is_zero() { DIGITS } else { greater.exponent.abs_diff(lesser.exponent) };
        match greater.digits() - lesser.digits().checked_shr(down).unwrap_or(0) {
            0 => Real::ZERO,
            digits => Real::cut(digits, greater.exponent),
        }
    }

    /// This times `factor` x 2^`power`: cheaper than a product.
    pub(crate) fn times(self, factor: u32, power: i32) -> Self {
        if self.is_zero() || factor == 0 {
            return Real::ZERO;
        }
        Real::cut(self.digits() * u128::from(factor), self.exponent + power)
    }

    fn digits(self) -> u128 {
        (u128::from(self.high) << 32) | u128::from(self.low)
    }

    /// The number `digits` x 2^`exponent`, truncated to 96 bits; `digits` is not 0.
    fn cut(digits: u128, exponent: i32) -> Self {
        let length = u128::BITS - digits.leading_zeros();
        let digits = if length > DIGITS { digits >> (length - DIGITS) } else { digits << (DIGITS - length) };
        let exponent = exponent + length as i32 - DIGITS as i32;
        Real { high: (digits >> 32) as u64, low: digits as u32, exponent }
    }

    /// The number rounded to 64 bits, to nearest, halves up. Saturates at the greatest and the least number, so that a number
    /// other than 0 does not become 0.
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

    fn add(self, other: Self) -> Self {
        // Zero has the exponent 0, which may be above the exponent of the other number.
        if other.is_zero() {
            return self;
        }
        if self.is_zero() {
            return other;
        }
        let (greater, lesser) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let down = greater.exponent.abs_diff(lesser.exponent);
        let aligned = lesser.digits().checked_shr(down).unwrap_or(0);
        let sum = greater.digits() + aligned;
        let carry = (sum >> DIGITS) as u32;
        let digits = sum >> carry;
        Real { high: (digits >> 32) as u64, low: digits as u32, exponent: greater.exponent + carry as i32 }
    }
}

impl AddAssign for Real {
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
        // The upper 128 bits of the product's 192 bits; the carry from the lower 64 bits is in `crossed`.
        let wide = |one: u64, another: u64| u128::from(one) * u128::from(another);
        let lowest = wide(self.low.into(), other.low.into());
        let crossed = wide(self.high, other.low.into()) + wide(self.low.into(), other.high) + (lowest >> 32);
        let upper = wide(self.high, other.high) + (crossed >> 32);
        Real::cut(upper, self.exponent + other.exponent + 64)
    }
}

impl Div for Real {
    type Output = Self;

    /// # Panics
    ///
    /// If `divisor` is 0.
    fn div(self, divisor: Self) -> Self {
        assert!(!divisor.is_zero(), "the divisor is above 0");
        if self.is_zero() {
            return Real::ZERO;
        }
        let (mut rest, by) = (self.digits(), divisor.digits());
        // The integer bit, then three times 32 fraction bits.
        let mut quotient = rest / by;
        rest %= by;
        for _ in 0..3 {
            rest <<= 32;
            quotient = (quotient << 32) | (rest / by);
            rest %= by;
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
        let key = |number: &Real| (!number.is_zero(), number.exponent, number.high, number.low);
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

    /// Asserts that `result` is `exact`, both in some units, or less by less than 2^-95 of it.
    fn assert_cut(result: &BigUint, exact: &BigUint) {
        assert!(result <= exact, "{result} {exact}");
        assert!((exact - result) << 95u32 <= *exact, "{result} {exact}");
    }

    proptest! {
        #[test]
        fn every_operation_is_right_to_96_digits(one in numbers(), another in numbers(), factor in 1u32..) {
            assert_cut(&exact(one + another), &(exact(one) + exact(another)));
            assert_cut(&(exact(one * another) << 1000), &(exact(one) * exact(another)));
            assert_cut(&exact(one.times(factor, 7)), &((exact(one) * factor) << 7));
            // The quotient may be a fraction of the unit.
            let quotient = one / another;
            assert_cut(&(exact(quotient) * exact(another)), &(exact(one) << 1000));
        }

        #[test]
        fn order_is_that_of_the_values(one in numbers(), another in numbers()) {
            prop_assert_eq!(one.cmp(&another), exact(one).cmp(&exact(another)));
            prop_assert!(one > Real::ZERO && one == one + Real::ZERO && one == Real::ZERO + one);
        }

        #[test]
        fn sixty_four_digits_are_the_nearest(one in numbers()) {
            let scaled = one.to_scaled();
            let rounded = BigUint::from(scaled.digits()) << (scaled.exponent() + 1000);
            let off = BigUint::max(rounded.clone(), exact(one)) - BigUint::min(rounded, exact(one));
            prop_assert!(off << 64u32 <= exact(one));
        }
    }

    #[test]
    fn what_the_narrower_format_does_not_reach_saturates() {
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
    fn thirds_come_back_whole() {
        let third = Real::ONE / Real::new(3, 0);
        assert_eq!((third + third + third).to_scaled(), Scaled::ONE);
        assert_eq!(third.times(3, 4).to_scaled(), Scaled::new(16, 0));
    }
}
