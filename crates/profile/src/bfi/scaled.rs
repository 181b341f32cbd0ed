//! Scaled numbers: 64-bit integers times a power of two, with saturating arithmetic.
//!
//! The product of the scales of a deep loop nest can be too large or too small for 64 bits. Frequencies therefore have
//! a binary exponent. Results equal LLVM's `ScaledNumber<uint64_t>` bit for bit, and each operation documents its
//! rounding. A value has several representations (8 x 2^0 equals 4 x 2^1). Comparisons compare the values, not
//! the representations.
//!
//! [`Add`] rounds its result to nearest. `plus` and `distance` truncate, as LLVM does: they drop low digits of the number
//! with the lower exponent and, if a sum has 65 bits, its last bit. The sum of many numbers therefore depends on their
//! order.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul};

/// A number `digits` x 2^`exponent`, from 0 to [`Scaled::LARGEST`].
///
/// LLVM: `ScaledNumber`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scaled {
    digits: u64,
    exponent: i16,
}

impl Scaled {
    /// The largest exponent, as in x87's 80-bit floating point.
    ///
    /// LLVM: `ScaledNumbers::MaxScale`.
    pub const MAX_EXPONENT: i16 = 16383;
    /// The smallest exponent. If a number needs a smaller exponent, its lowest digits are lost.
    ///
    /// LLVM: `ScaledNumbers::MinScale`.
    pub const MIN_EXPONENT: i16 = -16382;
    /// 0.
    ///
    /// LLVM: `ScaledNumber::getZero`.
    pub const ZERO: Scaled = Scaled::new(0, 0);
    /// 1.
    ///
    /// LLVM: `ScaledNumber::getOne`.
    pub const ONE: Scaled = Scaled::new(1, 0);
    /// The largest number. If the exact result of an operation is larger than `LARGEST`, the result is `LARGEST`.
    ///
    /// LLVM: `ScaledNumber::getLargest`.
    pub const LARGEST: Scaled = Scaled::new(u64::MAX, Self::MAX_EXPONENT);

    /// The number `digits` x 2^`exponent`.
    ///
    /// # Panics
    ///
    /// Panics if the exponent is not between -16382 and 16383.
    pub const fn new(digits: u64, exponent: i16) -> Self {
        assert!(Self::MIN_EXPONENT <= exponent && exponent <= Self::MAX_EXPONENT, "the exponent is in range");
        Scaled { digits, exponent }
    }

    /// The digits of this representation.
    pub const fn digits(self) -> u64 {
        self.digits
    }

    /// The exponent of this representation.
    pub const fn exponent(self) -> i16 {
        self.exponent
    }

    /// Whether the number is 0.
    pub const fn is_zero(self) -> bool {
        self.digits == 0
    }

    /// 1 / `self`, rounded like [`Div`]. The inverse of 0 is [`Scaled::LARGEST`].
    ///
    /// LLVM: `ScaledNumber::inverse`.
    pub fn inverse(self) -> Self {
        Scaled::ONE / self
    }

    /// `self` times 2^`power`.
    ///
    /// If the new exponent is in range, only the exponent changes. If the new exponent would exceed the maximum, the
    /// digits are shifted left. If the digits overflow, the result is [`Scaled::LARGEST`]. If the new exponent would be
    /// less than the minimum, the digits are shifted right without rounding.
    ///
    /// LLVM: `ScaledNumber::shiftLeft`, `ScaledNumber::shiftRight`.
    pub fn shifted(self, power: i32) -> Self {
        if self.is_zero() {
            return self;
        }
        let wanted = i32::from(self.exponent) + power;
        let exponent = wanted.clamp(Self::MIN_EXPONENT.into(), Self::MAX_EXPONENT.into());
        let digits = match wanted - exponent {
            0 => self.digits,
            up @ 1.. if up > self.digits.leading_zeros() as i32 => return Scaled::LARGEST,
            up @ 1.. => self.digits << up,
            down @ -63.. => self.digits >> -down,
            _ => return Scaled::ZERO,
        };
        Scaled { digits, exponent: exponent as i16 }
    }

    /// The binary logarithm, or `None` for 0. The logarithm is rounded up if the bit after the leading bit is 1, and
    /// down otherwise.
    ///
    /// LLVM: `ScaledNumbers::getLgImpl`, `ScaledNumbers::getLg`.
    pub fn log2_rounded(self) -> Option<i32> {
        let floor = self.log2_floor()?;
        let below_leading = self.normalized() << 1;
        Some(floor + (below_leading >> 63) as i32)
    }

    /// The binary logarithm, rounded down, or `None` for 0.
    ///
    /// LLVM: `ScaledNumbers::getLgFloor`.
    pub fn log2_floor(self) -> Option<i32> {
        Some(i32::from(self.exponent) + self.digits.checked_ilog2()? as i32)
    }

    /// The field `digits`, shifted left until its top bit is 1. Zero stays zero.
    pub fn normalized(self) -> u64 {
        self.digits << (self.digits.leading_zeros() % u64::BITS)
    }

    /// The integer part, limited to `u64::MAX`.
    ///
    /// LLVM: `ScaledNumber::toInt`.
    pub fn to_u64(self) -> u64 {
        match self.log2_floor() {
            None | Some(..0) => 0,
            Some(64..) => u64::MAX,
            Some(_) if self.exponent >= 0 => self.digits << self.exponent,
            Some(_) => self.digits >> -self.exponent,
        }
    }

    /// The nearest integer, with halves rounded up, limited to `u64::MAX`.
    pub fn to_nearest_u64(self) -> u64 {
        match self.log2_floor() {
            None | Some(..-1) => 0,
            Some(-1) => 1,
            Some(64..) => u64::MAX,
            Some(_) if self.exponent >= 0 => self.digits << self.exponent,
            Some(_) => {
                let down = -self.exponent;
                let half = self.digits >> (down - 1) & 1;
                (self.digits.checked_shr(down as u32).unwrap_or(0)) + half
            }
        }
    }

    /// The square root, truncated to 64 bits.
    pub(crate) fn square_root(self) -> Self {
        if self.is_zero() {
            return self;
        }
        // Converts the number to 127 or 128 bits with an even exponent.
        let exponent = i32::from(self.exponent) - self.digits.leading_zeros() as i32 - 64;
        let odd = exponent.rem_euclid(2);
        let digits = (u128::from(self.normalized()) << 64) >> odd;
        Scaled { digits: digits.isqrt() as u64, exponent: 0 }.shifted((exponent + odd) / 2)
    }

    /// The absolute difference of `self` and `other`. First the digits of the greater number are shifted left until
    /// they fill 64 bits. Then the lesser number is truncated to the same exponent.
    pub fn abs_difference(self, other: Self) -> Self {
        let (greater, lesser) = if self > other { (self, other) } else { (other, self) };
        if lesser.is_zero() {
            return greater;
        }
        let up = greater.digits.leading_zeros() as i32;
        let exponent = i32::from(greater.exponent) - up;
        let digits = greater.normalized();
        let shift = i32::from(lesser.exponent) - exponent;
        let taken = match shift {
            0.. => lesser.digits << shift,
            -63.. => lesser.digits >> -shift,
            _ => 0,
        };
        Scaled { digits: digits - taken, exponent: 0 }.shifted(exponent)
    }

    /// The exponent of `self` minus the exponent of `other`.
    fn exponent_above(self, other: Self) -> i32 {
        i32::from(self.exponent) - i32::from(other.exponent)
    }

    /// `digits` x 2^`exponent`, or (`digits` + 1) x 2^`exponent` if `up` is true.
    ///
    /// LLVM: `ScaledNumbers::getRounded`.
    fn rounded(digits: u64, exponent: i16, up: bool) -> Self {
        match digits.checked_add(up.into()) {
            Some(digits) => Scaled { digits, exponent },
            None => Scaled { digits: 1 << 63, exponent: exponent + 1 },
        }
    }
}

impl Add for Scaled {
    type Output = Self;

    /// The sum, rounded to its leading 64 bits, with halves rounded up.
    ///
    /// LLVM: `ScaledNumbers::matchScales`, `ScaledNumbers::getSum`, `ScaledNumber::operator+=`.
    fn add(self, other: Self) -> Self {
        let (greater, lesser) = if self > other { (self, other) } else { (other, self) };
        if lesser.is_zero() {
            return greater;
        }
        // In the 128-bit sum, the digits of the greater operand are in the highest bits. The digits of the
        // lesser operand can extend into the lowest 63 bits.
        let up = greater.digits.leading_zeros() as i32 + 63;
        let exponent = i32::from(greater.exponent) - up;
        let shift = i32::from(lesser.exponent) - exponent;
        let added = match shift {
            0.. => u128::from(lesser.digits) << shift,
            -63.. => u128::from(lesser.digits) >> -shift,
            _ => 0,
        };
        let sum = (u128::from(greater.digits) << up) + added;
        let excess = u64::BITS - sum.leading_zeros();
        let half = sum >> (excess - 1) & 1 == 1;
        Scaled::rounded((sum >> excess) as u64, excess as i16, half).shifted(exponent)
    }
}

impl Mul for Scaled {
    type Output = Self;

    /// The product, rounded to its leading 64 bits, with halves rounded up.
    ///
    /// LLVM: `ScaledNumbers::getProduct`, `ScaledNumbers::multiply64`, `ScaledNumber::operator*=`.
    fn mul(self, other: Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Scaled::ZERO;
        }
        let product = u128::from(self.digits) * u128::from(other.digits);
        let excess = u64::BITS.saturating_sub(product.leading_zeros());
        let half = excess > 0 && product >> (excess - 1) & 1 == 1;
        Scaled::rounded((product >> excess) as u64, excess as i16, half)
            .shifted(i32::from(self.exponent) + i32::from(other.exponent))
    }
}

impl Div for Scaled {
    type Output = Self;

    /// The quotient, rounded to 64 bits, with halves rounded up. The quotient is exact if the division has no
    /// remainder.
    ///
    /// 0 / 0 is 0. If only the divisor is 0, the quotient is [`Scaled::LARGEST`].
    ///
    /// LLVM: `ScaledNumber::operator/=`.
    fn div(self, divisor: Self) -> Self {
        if self.is_zero() {
            return self;
        }
        if divisor.is_zero() {
            return Scaled::LARGEST;
        }
        quotient(self.digits, divisor.digits).shifted(self.exponent_above(divisor))
    }
}

/// `dividend` / `divisor`. Both numbers must be above 0.
///
/// The representation of the result affects the rounding of later operations. The divisor's factors of two move to the
/// exponent first, so the remaining divisor is odd. The dividend is shifted left as far as possible. If the odd divisor
/// divides the shifted dividend without remainder, the quotient is exact. Otherwise the binary expansion of the
/// quotient is infinite, and the quotient is rounded to 64 bits.
///
/// LLVM: `ScaledNumbers::getQuotient`, `ScaledNumbers::divide64`, `getHalf`.
fn quotient(dividend: u64, divisor: u64) -> Scaled {
    let twos = divisor.trailing_zeros();
    let odd = divisor >> twos;
    if odd == 1 {
        return Scaled { digits: dividend, exponent: -(twos as i16) };
    }
    let moved = dividend.leading_zeros();
    let top = dividend << moved;
    if top % odd == 0 {
        return Scaled { digits: top / odd, exponent: -((twos + moved) as i16) };
    }
    let missing = (top / odd).leading_zeros();
    let wide = u128::from(top) << missing;
    let remainder = (wide % u128::from(odd)) as u64;
    let exponent = -((twos + moved + missing) as i16);
    Scaled::rounded((wide / u128::from(odd)) as u64, exponent, remainder >= odd.div_ceil(2))
}

impl Ord for Scaled {
    /// LLVM: `ScaledNumbers::compare`, `ScaledNumbers::compareImpl`.
    fn cmp(&self, other: &Self) -> Ordering {
        if self.exponent == other.exponent {
            return self.digits.cmp(&other.digits);
        }
        // The logarithm of 0 is `None`, which is below all other logarithms.
        self.log2_floor().cmp(&other.log2_floor()).then_with(|| self.normalized().cmp(&other.normalized()))
    }
}

impl PartialOrd for Scaled {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Scaled {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Scaled {}

impl Scaled {
    /// The sum of `self` and `other`, truncated.
    ///
    /// LLVM: `ScaledNumbers::getSum`, `ScaledNumber::operator+=`.
    pub(super) fn plus(self, other: Self) -> Self {
        let (one, other) = matched(self, other);
        match one.digits().checked_add(other.digits()) {
            Some(digits) => Scaled::new(digits, one.exponent()),
            None if one.exponent() == Scaled::MAX_EXPONENT => Scaled::LARGEST,
            None => {
                let wrapped = one.digits().wrapping_add(other.digits());
                Scaled::new(1 << 63 | wrapped >> 1, one.exponent() + 1)
            }
        }
    }

    /// The absolute difference of `self` and `other`. Low digits that do not fit are dropped before the subtraction.
    ///
    /// LLVM: `ScaledNumbers::getDifference`, `ScaledNumber::operator-=`.
    pub(super) fn distance(self, other: Self) -> Self {
        let (greater, lesser) = if self >= other { (self, other) } else { (other, self) };
        let (rest, taken) = matched(greater, lesser);
        if rest.digits() <= taken.digits() {
            return Scaled::ZERO;
        }
        if taken.is_zero() && !lesser.is_zero() {
            return barely_less(rest, lesser);
        }
        Scaled::new(rest.digits() - taken.digits(), rest.exponent())
    }
}

/// `number` minus `lost`, where `lost` is smaller than the last digit of `number`. Let 2^k be the value of the leading
/// bit of `lost`. If `number` is 2^(k+64), the result is the greatest [`Scaled`] below 2^(k+64). Otherwise the result
/// is `number`.
///
/// LLVM: `ScaledNumbers::getDifference`.
fn barely_less(number: Scaled, lost: Scaled) -> Scaled {
    let digit = i32::from(lost.exponent()) + lost.digits().ilog2() as i32;
    match number == Scaled::ONE.shifted(digit + 64) {
        true => Scaled::new(u64::MAX, digit as i16),
        false => number,
    }
}

/// Converts two numbers to the same exponent. If low digits of the number with the lower exponent do not fit, drops
/// these digits.
///
/// LLVM: `ScaledNumbers::matchScales`.
fn matched(one: Scaled, other: Scaled) -> (Scaled, Scaled) {
    if one.exponent() < other.exponent() {
        let (other, one) = matched(other, one);
        return (one, other);
    }
    if one.is_zero() {
        return (Scaled::new(0, other.exponent()), other);
    }
    let apart = i32::from(one.exponent()) - i32::from(other.exponent());
    let up = apart.min(one.digits().leading_zeros() as i32);
    let down = apart - up;
    if other.is_zero() || down >= u64::BITS as i32 {
        return (one, Scaled::new(0, one.exponent()));
    }
    let exponent = one.exponent() - up as i16;
    (Scaled::new(one.digits() << up, exponent), Scaled::new(other.digits() >> down, exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(number: Scaled) -> (u64, i16) {
        (number.digits(), number.exponent())
    }

    #[test]
    fn square_roots_have_64_digits() {
        let root = |digits, exponent| Scaled::new(digits, exponent).square_root();
        assert_eq!(root(0, 3), Scaled::ZERO);
        assert_eq!(
            [root(1, 0), root(1, -8), root(9, 5), root(9, 4)].map(|root| root * root),
            [Scaled::ONE, Scaled::new(1, -8), root(9, 5) * root(9, 5), Scaled::new(9, 4)]
        );
        // These are the first 64 bits of the square root of 2.
        assert_eq!(form(root(2, 0)), (0xB504_F333_F9DE_6484, -63));
        assert_eq!(form(root(u64::MAX, Scaled::MAX_EXPONENT)).0, 0xB504_F333_F9DE_6483);
    }

    #[test]
    fn a_sum_has_the_lower_exponent_if_it_fits() {
        assert_eq!(form(Scaled::new(3, 4).plus(Scaled::new(5, 1))), (29, 1));
        assert_eq!(form(Scaled::new(5, 1).plus(Scaled::new(3, 4))), (29, 1));
        // The digits of 2^63 * 2^4 use all 64 bits, so the exponent cannot decrease from 4 to 0. The number 0x35
        // therefore loses its last four binary digits.
        assert_eq!(form(Scaled::new(1 << 63, 4).plus(Scaled::new(0x35, 0))), ((1 << 63) + 3, 4));
        assert_eq!(form(Scaled::new(1 << 63, 70).plus(Scaled::new(u64::MAX, 6))), (1 << 63, 70));
    }

    #[test]
    fn a_sum_of_65_digits_loses_its_last_digit() {
        assert_eq!(form(Scaled::new(u64::MAX, 0).plus(Scaled::new(2, 0))), (1 << 63, 1));
        assert_eq!(form(Scaled::new(u64::MAX, 0).plus(Scaled::new(u64::MAX, 0))), (u64::MAX, 1));
        assert_eq!(Scaled::LARGEST.plus(Scaled::LARGEST), Scaled::LARGEST);
    }

    #[test]
    fn zero_changes_nothing() {
        for zero in [Scaled::ZERO, Scaled::new(0, 90), Scaled::new(0, -90)] {
            assert_eq!(form(zero.plus(Scaled::new(3, 5))), (3, 5));
            assert_eq!(form(Scaled::new(3, 5).plus(zero)), (3, 5));
            assert_eq!(form(Scaled::new(3, 5).distance(zero)), (3, 5));
        }
        assert!(Scaled::ZERO.plus(Scaled::ZERO).is_zero());
    }

    #[test]
    fn a_distance_is_symmetric() {
        assert_eq!(form(Scaled::new(3, 4).distance(Scaled::new(5, 1))), (19, 1));
        assert_eq!(form(Scaled::new(5, 1).distance(Scaled::new(3, 4))), (19, 1));
        assert!(Scaled::new(8, 0).distance(Scaled::new(4, 1)).is_zero());
    }

    #[test]
    fn subtracting_a_tiny_number_changes_only_powers_of_two() {
        assert_eq!(form(Scaled::new(1, 64).distance(Scaled::new(1, 0))), (u64::MAX, 0));
        assert_eq!(form(Scaled::new(1, 65).distance(Scaled::new(1, 0))), (1 << 63, 2));
        assert_eq!(form(Scaled::new(3, 64).distance(Scaled::new(1, 0))), (3 << 62, 2));
    }
}
