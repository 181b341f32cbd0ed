//! Formats very large and very small numbers as decimal text: `1.2345E-40`.
//!
//! LLVM converts the number to an 80-bit floating point number, and prints it with a given precision. LLVM's printer
//! uses exact integers of any width. The printer first divides by a power of ten to remove decimal digits that it does
//! not need. The removed digits do not affect the rounding that follows. This module does the same division, and
//! therefore prints the same digits. The operations are ordered so that only powers of five need wide integers.
//!
//! A power of five can have 38,000 bits. In almost all cases, its leading 128 bits and a bound of their error determine
//! the digits. Otherwise, the exact power is computed. `as_printed` returns the value of the printed text.

use std::fmt;

use num_bigint::BigUint;

use super::Scaled;

/// The greatest supported precision, in significant digits.
pub(super) const MOST_PRECISION: usize = 17;

/// Writes `number` with at most `precision` significant digits. The number must not be 0.
///
/// LLVM: `toStringAPFloat`.
pub(super) fn write_scientific(number: Scaled, precision: usize, out: &mut fmt::Formatter) -> fmt::Result {
    debug_assert!(precision <= MOST_PRECISION);
    let Some(binary) = Binary::of(number) else {
        return out.write_str("0.0E+0");
    };
    let decimal = binary.leading_digits(precision as u32).rounded(precision as u32);
    let count = decimal.digits.ilog10();
    let unit = 10u64.pow(count);
    let exponent = decimal.exponent + count as i32;
    write!(out, "{}.", decimal.digits / unit)?;
    match count {
        0 => out.write_str("0")?,
        _ => write!(out, "{:0width$}", decimal.digits % unit, width = count as usize)?,
    }
    write!(out, "E{exponent:+}")
}

/// An odd significand times a power of two.
struct Binary {
    significand: u64,
    exponent: i32,
}

impl Binary {
    /// Converts `number` to an 80-bit floating point number, as LLVM does. The result is `None` if this number is 0.
    ///
    /// Numbers below 2^16384 fit in the floating point format. For larger numbers, LLVM shifts out the top bits. If the
    /// leading bit of the result is 0, LLVM treats the result as a denormal number. A saturated frequency is therefore
    /// printed as if its significand were 2^63.
    ///
    /// LLVM: `toStringAPFloat`, `IEEEFloat::initFromF80LongDoubleAPInt`.
    fn of(number: Scaled) -> Option<Self> {
        let exponent = i32::from(number.exponent());
        let zeros = number.digits().leading_zeros() as i32;
        let largest = i32::from(Scaled::MAX_EXPONENT) - 63;
        if exponent - zeros <= largest {
            return Some(Self::odd(number.digits(), exponent));
        }
        let significand = number.digits() << (exponent - largest);
        let denormal = significand >> 63 == 0;
        let exponent = if denormal { i32::from(Scaled::MIN_EXPONENT) - 63 } else { largest };
        (significand > 0).then(|| Self::odd(significand, exponent))
    }

    fn odd(significand: u64, exponent: i32) -> Self {
        let twos = significand.trailing_zeros();
        Binary { significand: significand >> twos, exponent: exponent + twos as i32 }
    }

    /// Returns the leading decimal digits, without rounding. LLVM computes the same number of digits for `precision`.
    ///
    /// LLVM: `IEEEFloat::toString`.
    fn leading_digits(&self, precision: u32) -> Decimal {
        self.leading_digits_by_leading_bits(precision).unwrap_or_else(|| self.exact_leading_digits(precision))
    }

    /// [`Binary::leading_digits`], or `None` if 128 bits of the powers of five do not determine the digits.
    fn leading_digits_by_leading_bits(&self, precision: u32) -> Option<Decimal> {
        let significand = LeadingBits::of(self.significand);
        if self.exponent >= 0 {
            let bits = self.significand.ilog2() + 1 + self.exponent as u32;
            let dropped = droppable_digits(bits, precision);
            let power = LeadingBits::power_of_five(dropped);
            let twos = u32::try_from(self.exponent - dropped as i32 - power.exponent).ok()?;
            let product = BigUint::from(self.significand) << twos;
            let [least, greatest] =
                [power.digits.checked_add(power.error)?, power.digits].map(|by| &product / by);
            return (least == greatest).then(|| Decimal::new(greatest, dropped as i32));
        }
        let halvings = self.exponent.unsigned_abs();
        let whole = LeadingBits::power_of_five(halvings).times(significand);
        whole.digits.checked_add(whole.error)?;
        let dropped = droppable_digits((whole.exponent + 128) as u32, precision);
        let product = LeadingBits::power_of_five(halvings.checked_sub(dropped)?).times(significand);
        let shift = u32::try_from(dropped as i32 - product.exponent).ok()?;
        let greatest = product.digits.checked_add(product.error)?.checked_shr(shift)?;
        let digits = product.digits.checked_shr(shift)?;
        let exponent = dropped as i32 - halvings as i32;
        (digits == greatest).then_some(Decimal { digits: digits as u64, exponent })
    }

    fn exact_leading_digits(&self, precision: u32) -> Decimal {
        if self.exponent < 0 {
            return self.leading_digits_of_fraction(precision);
        }
        let bits = self.significand.ilog2() + 1 + self.exponent as u32;
        let dropped = droppable_digits(bits, precision);
        // s 2^e / 10^d = s 2^(e-d) / 5^d.
        let twos = self.exponent - dropped as i32;
        let (up, down) = (twos.max(0) as u32, (-twos).max(0) as u32);
        let quotient = (BigUint::from(self.significand >> down) << up) / power_of_five(dropped);
        Decimal::new(quotient, dropped as i32)
    }

    /// [`Binary::exact_leading_digits`] for a negative exponent: s / 2^e = (s 5^e) / 10^e.
    fn leading_digits_of_fraction(&self, precision: u32) -> Decimal {
        let halvings = self.exponent.unsigned_abs();
        let bits = (power_of_five(halvings) * self.significand).bits();
        let dropped = droppable_digits(bits as u32, precision);
        // Let e be `halvings`, and let d be `dropped`. Then s 5^e / 10^d = s 5^(e-d) / 2^d.
        // If the number is below 2^-47, `halvings` is greater than `dropped` for every precision.
        let product = power_of_five(halvings - dropped) * self.significand;
        Decimal::new(product >> dropped, dropped as i32 - halvings as i32)
    }
}

/// The leading 128 bits of a number, which is at least `digits` x 2^`exponent` and at most
/// (`digits` + `error`) x 2^`exponent`. The top bit of `digits` is 1.
#[derive(Clone, Copy)]
struct LeadingBits {
    digits: u128,
    exponent: i32,
    error: u128,
}

impl LeadingBits {
    /// The exact value of `number`, which must not be 0.
    fn of(number: u64) -> Self {
        let zeros = u128::from(number).leading_zeros();
        LeadingBits { digits: u128::from(number) << zeros, exponent: -(zeros as i32), error: 0 }
    }

    fn power_of_five(power: u32) -> Self {
        let five = Self::of(5);
        let bits = (0..u32::BITS - power.leading_zeros()).rev();
        bits.fold(Self::of(1), |result, bit| {
            let square = result.times(result);
            if power >> bit & 1 == 1 {
                square.times(five)
            } else {
                square
            }
        })
    }

    /// The product. Let a and b be the digits of the factors, and let x and y be their errors, which are far below 2^64.
    ///
    /// 1. (a + x)(b + y) = ab + ay + bx + xy, and a and b are below 2^128.
    /// 2. The lower 127 or 128 bits of ab are dropped. In units of the result, the error is therefore at most
    ///    2y + 2x + 1 for the last three terms, and 1 for the dropped bits.
    fn times(self, other: Self) -> Self {
        let half = u128::from(u64::MAX);
        let [a, b] = [self.digits, other.digits];
        let low = (a & half) * (b & half);
        let first = (a >> 64) * (b & half) + (low >> 64);
        let second = (a & half) * (b >> 64) + (first & half);
        let high = (a >> 64) * (b >> 64) + (first >> 64) + (second >> 64);
        let low = second << 64 | low & half;
        let is_short = high >> 127 == 0;
        let (digits, dropped) = if is_short { (high << 1 | low >> 127, low << 1) } else { (high, low) };
        let is_exact = self.error + other.error + dropped.min(1) == 0;
        LeadingBits {
            digits,
            exponent: self.exponent + other.exponent + 128 - i32::from(is_short),
            error: if is_exact { 0 } else { 2 * (self.error + other.error) + 2 },
        }
    }
}

fn power_of_five(power: u32) -> BigUint {
    BigUint::from(5u32).pow(power)
}

/// The number of low decimal digits that LLVM drops before it prints `precision` digits of a number with `bits` bits.
///
/// 196 / 59 is LLVM's upper bound for the binary logarithm of ten.
///
/// LLVM: `AdjustToPrecision`.
fn droppable_digits(bits: u32, precision: u32) -> u32 {
    let needed = (precision * 196).div_ceil(59);
    bits.saturating_sub(needed) * 59 / 196
}

/// A number `digits` x 10^`exponent`.
struct Decimal {
    digits: u64,
    exponent: i32,
}

impl Decimal {
    /// The digits must fit in 64 bits.
    fn new(digits: BigUint, exponent: i32) -> Self {
        Decimal { digits: digits.try_into().expect("the leading digits fit in 64 bits"), exponent }
    }

    /// The number without trailing zeros, rounded to `precision` digits, with halves rounded up.
    ///
    /// LLVM: `AdjustToPrecision`.
    fn rounded(self, precision: u32) -> Self {
        let Decimal { mut digits, mut exponent } = self;
        let excess = (digits.ilog10() + 1).saturating_sub(precision);
        if excess > 0 {
            let unit = 10u64.pow(excess);
            let up = digits % unit >= unit / 2;
            digits = digits / unit + u64::from(up);
            exponent += excess as i32;
        }
        while digits % 10 == 0 {
            digits /= 10;
            exponent += 1;
        }
        Decimal { digits, exponent }
    }
}

/// The number of decimal digits that always fit in 64 bits.
const MOST_DIGITS: usize = 19;

impl Scaled {
    /// The value that LLVM's block frequency printer prints for this number. The value has about five digits, and fewer
    /// digits for very small numbers.
    pub(crate) fn as_printed(self) -> Self {
        let text = format!("{self:.5}");
        let (mantissa, exponent) = text.split_once('E').unwrap_or((&text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = [whole, fraction].concat();
        let significant = all.trim_start_matches('0');
        let kept = &significant[..significant.len().min(MOST_DIGITS)];
        let left_out = significant.len() - kept.len();
        let exponent: i32 = exponent.parse().expect("an exponent");
        let exponent = exponent + left_out as i32 - fraction.len() as i32;
        // If the number is 0, the text has no significant digits.
        let number = Scaled::new(kept.parse().unwrap_or(0), 0);
        match exponent {
            0.. => number * power_of_ten(exponent.unsigned_abs()),
            _ => number / power_of_ten(exponent.unsigned_abs()),
        }
    }
}

fn power_of_ten(mut exponent: u32) -> Scaled {
    let (mut power, mut square) = (Scaled::ONE, Scaled::new(10, 0));
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power * square;
        }
        square = square * square;
        exponent >>= 1;
    }
    power
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Scaled, *};
    use crate::cfg::test_support::config;

    proptest! {
        #![proptest_config(config())]

        /// The leading bits give the digits of the exact computation, and almost always suffice.
        #[test]
        fn leading_bits_give_exact_digits(
            digits in prop_oneof![1..=u64::MAX, 1..1000u64, (0..64u32).prop_map(|bit| 1 << bit)],
            exponent in prop_oneof![-16382..16384i16, -200..200i16],
            precision in 1..=MOST_PRECISION as u32,
        ) {
            let Some(number) = Binary::of(Scaled::new(digits, exponent)) else { return Ok(()) };
            // Numbers near 1 are not printed with an exponent.
            prop_assume!(number.exponent >= 0 || number.exponent < -64);
            let exact = number.exact_leading_digits(precision);
            let found = number.leading_digits_by_leading_bits(precision);
            let is_plain = number.exponent < -200 || number.exponent > 200;
            prop_assert!(found.is_some() || !is_plain, "{digits} x 2^{exponent}");
            if let Some(found) = found {
                prop_assert_eq!((found.digits, found.exponent), (exact.digits, exact.exponent));
            }
        }
    }

    #[test]
    fn a_number_above_the_range_of_the_format_loses_its_top_digits() {
        // The 64-bit digits are shifted to the left by ten bits, and the upper ten bits are lost. The digits 2^63 + 1
        // therefore become 2^10, so the number is denormal. The digits 2^63 become 0.
        assert_eq!(format!("{:.5}", Scaled::new((1 << 63) + 1, 16330)), "3.7327E-4948");
        assert_eq!(format!("{:.5}", Scaled::new(1 << 63, 16330)), "0.0E+0");
        assert_eq!(format!("{:.5}", Scaled::new(u64::MAX, 16330)), "1.1897E+4932");
    }

    #[test]
    fn the_printed_value_is_parsed() {
        assert_eq!(Scaled::ZERO.as_printed(), Scaled::ZERO);
        assert_eq!(Scaled::new(3, -1).as_printed(), Scaled::new(3, -1));
        let number = Scaled::new(524_287 * 8 + 3, -3);
        assert_eq!(
            (number.to_string(), number.as_printed().to_string()),
            ("524287.375".into(), "524287.4".into())
        );
    }

    proptest! {
        #[test]
        fn the_printed_value_keeps_the_first_digits(digits in 1u64.., exponent in -16_000i16..16_000) {
            let number = Scaled::new(digits, exponent);
            let size = number.log2_rounded().expect("not 0");
            // The text of a number between 2^-64 and 2^-50 omits digits below 2^-64. The relative error of the printed
            // number is therefore larger.
            prop_assume!(!(-66..-48).contains(&size));
            let off = number.abs_difference(number.as_printed()) / number;
            prop_assert!(off < Scaled::new(1, -13), "{number} is off by {off}");
        }
    }
}
