//! Non-negative numbers of 64 bits with an exponent of 32 bits, for products of weights along long chains of calls.
//!
//! No operation subtracts, so no digits are lost by cancellation. Results are truncated. The relative error of each
//! operation is below 2^-62. The errors of successive operations add up.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul};

use crate::bfi::Scaled;

/// The number `digits` x 2^`exponent`. The top bit of `digits` is 1, except in zero. The exponent of zero is less than
/// the exponent of any other number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extended {
    digits: u64,
    exponent: i32,
}

impl Extended {
    pub(super) const ZERO: Extended = Extended { digits: 0, exponent: i32::MIN };
    pub(super) const ONE: Extended = Extended::power(0);

    /// 2^`power`.
    pub(super) const fn power(power: i32) -> Self {
        Extended { digits: 1 << 63, exponent: power - 63 }
    }

    pub(super) const fn is_zero(self) -> bool {
        self.digits == 0
    }

    /// `self` times 2^`power`.
    pub(super) const fn shifted(self, power: i32) -> Self {
        if self.is_zero() {
            return self;
        }
        Extended { exponent: self.exponent + power, ..self }
    }

    /// The same number. Numbers above the range become the greatest number, and numbers below the range become the
    /// least number above 0.
    pub(super) fn to_scaled(self) -> Scaled {
        const LEAST: i32 = Scaled::MIN_EXPONENT as i32;
        const GREATEST: i32 = Scaled::MAX_EXPONENT as i32;
        match self.exponent {
            _ if self.is_zero() => Scaled::ZERO,
            exponent @ LEAST..=GREATEST => Scaled::new(self.digits, exponent as i16),
            ..LEAST => {
                let kept = self.digits.checked_shr(LEAST.abs_diff(self.exponent)).unwrap_or(0);
                Scaled::new(kept.max(1), Scaled::MIN_EXPONENT)
            }
            _ => Scaled::LARGEST,
        }
    }

    /// The sum. The exponent of `lesser` must not be greater than the exponent of `self`.
    #[inline]
    fn add_lesser(self, lesser: Self) -> Self {
        let down = self.exponent.abs_diff(lesser.exponent);
        match self.digits.overflowing_add(lesser.digits.checked_shr(down).unwrap_or(0)) {
            (digits, false) => Extended { digits, ..self },
            (digits, true) => Extended { digits: digits >> 1 | 1 << 63, exponent: self.exponent + 1 },
        }
    }
}

impl From<Scaled> for Extended {
    fn from(number: Scaled) -> Self {
        if number.is_zero() {
            return Extended::ZERO;
        }
        let zeros = number.digits().leading_zeros();
        Extended { digits: number.digits() << zeros, exponent: i32::from(number.exponent()) - zeros as i32 }
    }
}

impl Add for Extended {
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

impl AddAssign for Extended {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul for Extended {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Extended::ZERO;
        }
        // The product has 127 or 128 bits.
        let product = u128::from(self.digits) * u128::from(other.digits);
        let exponent = self.exponent + other.exponent;
        match (product >> 64) as u64 {
            digits if digits >> 63 == 1 => Extended { digits, exponent: exponent + 64 },
            digits => Extended { digits: digits << 1 | (product as u64) >> 63, exponent: exponent + 63 },
        }
    }
}

impl Div for Extended {
    type Output = Self;

    /// # Panics
    ///
    /// Panics if `divisor` is 0.
    fn div(self, divisor: Self) -> Self {
        if self.is_zero() {
            return self;
        }
        let quotient = (u128::from(self.digits) << 63) / u128::from(divisor.digits);
        let zeros = quotient.leading_zeros() as i32 - 64;
        let exponent = self.exponent - divisor.exponent - 63;
        match zeros {
            0.. => Extended { digits: (quotient as u64) << zeros, exponent: exponent - zeros },
            _ => Extended { digits: (quotient >> 1) as u64, exponent: exponent + 1 },
        }
    }
}

impl PartialOrd for Extended {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Extended {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.exponent, self.digits).cmp(&(other.exponent, other.digits))
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::*;

    /// The number in units of 2^-1000.
    fn exact(number: Extended) -> BigUint {
        BigUint::from(number.digits) << (number.exponent + 1000)
    }

    fn numbers() -> impl Strategy<Value = Extended> {
        (prop_oneof![1u64.., Just(1), Just(u64::MAX)], -130..130i16)
            .prop_map(|(digits, exponent)| Scaled::new(digits, exponent).into())
    }

    /// Asserts that `result` is at most `exact`, and that the relative error is below 2^-62. Both numbers have the same
    /// unit.
    fn assert_cut(result: &BigUint, exact: &BigUint) {
        assert!(result <= exact, "{result} is above {exact}");
        assert!((exact - result) << 62u32 <= *exact, "{result} is too far below {exact}");
    }

    proptest! {
        #[test]
        fn the_relative_error_is_below_2_to_the_minus_62(one in numbers(), another in numbers()) {
            assert_cut(&exact(one + another), &(exact(one) + exact(another)));
            assert_cut(&(exact(one * another) << 1000), &(exact(one) * exact(another)));
            assert_cut(&(exact(one / another) * exact(another)), &(exact(one) << 1000));
        }

        #[test]
        fn comparison_depends_only_on_the_value(one in numbers(), another in numbers()) {
            prop_assert_eq!(one.cmp(&another), exact(one).cmp(&exact(another)));
            prop_assert!(one > Extended::ZERO && one == one + Extended::ZERO && one == Extended::ZERO + one);
        }

        #[test]
        fn conversion_keeps_the_number(digits in any::<u64>(), exponent in any::<i16>()) {
            let number = Scaled::new(digits, exponent.clamp(Scaled::MIN_EXPONENT, Scaled::MAX_EXPONENT));
            prop_assert_eq!(Extended::from(number).to_scaled(), number);
        }
    }

    #[test]
    fn conversion_to_scaled_saturates() {
        assert_eq!(Extended::power(16383 + 63).to_scaled(), Scaled::new(1 << 63, 16383));
        assert_eq!(Extended::power(16384 + 63).to_scaled(), Scaled::LARGEST);
        assert_eq!((Extended::power(-16382) + Extended::power(-16383)).to_scaled(), Scaled::new(1, -16382));
        assert_eq!(Extended::power(-20000).to_scaled(), Scaled::new(1, -16382));
    }
}
