//! Sums and differences of scaled numbers with LLVM's truncation.
//!
//! [`Add`](std::ops::Add) rounds its result to nearest. The operations of this module truncate their result. Truncation
//! drops low digits of the number with the lower exponent. If the sum has 65 bits, truncation also drops its last bit.
//! The sum of many numbers therefore depends on their order.

use super::scaled::Scaled;

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
