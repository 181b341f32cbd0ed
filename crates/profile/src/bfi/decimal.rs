//! Scaled numbers as decimal text, with the same digits as LLVM.
//!
//! LLVM has two algorithms for decimal text. This module implements LLVM's algorithm for numbers from about 2^-64 to
//! 2^64. The algorithm stops when further digits are below the precision of the number. The algorithm estimates this
//! precision, and the estimate affects the text. LLVM prints all other numbers as 80-bit floating point numbers: see
//! [`scientific`](super::scientific).

use std::fmt;

use super::scientific::{write_scientific, MOST_PRECISION};
use super::Scaled;
use crate::double::padded;

/// The default number of significant digits.
///
/// LLVM: `ScaledNumberBase::DefaultPrecision`.
const DEFAULT_PRECISION: usize = 10;
/// The capacity for digits: 20 before the decimal point (2^64), 19 zeros after the decimal point (2^-64), the
/// significant digits, and 2 more.
const MOST_DIGITS: usize = 64;
/// The fraction has 120 bits, because ten times the fraction must fit in 128 bits.
const FRACTION_BITS: u32 = 120;

impl fmt::Display for Scaled {
    /// Writes the number with P significant digits, where P is the precision of the format, but at least 1 and at most
    /// 17.
    ///
    /// LLVM's block frequency printer uses `{:.5}`. The integer part is always printed completely. At least one digit
    /// follows the decimal point.
    ///
    /// LLVM: `ScaledNumberBase::toString`.
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let precision = out.precision().unwrap_or(DEFAULT_PRECISION).clamp(1, MOST_PRECISION);
        if out.width().is_some() {
            // The inner format has no width, so the recursion ends.
            let number = *self;
            return padded(out, format_args!("{number:.precision$}"));
        }
        if self.is_zero() {
            return out.write_str("0.0");
        }
        match Positional::of(*self) {
            Some(number) => number.write(precision, out),
            None => write_scientific(*self, precision, out),
        }
    }
}

/// A number within the range of this module's algorithm.
struct Positional {
    whole: u64,
    /// The fraction, in units of 2^-120.
    fraction: u128,
    /// How many bits of the original number are below 2^-64.
    depth: u32,
}

impl Positional {
    /// Splits `number` into its integer part and its fraction. Returns `None` if `number` is out of range.
    fn of(number: Scaled) -> Option<Self> {
        let Parts { whole, fraction } = split(number)?;
        let depth = (-64 - i32::from(number.exponent())).max(0) as u32;
        (whole > 0 || fraction >> 64 > 0).then_some(Positional {
            whole,
            fraction: fraction >> (u128::BITS - FRACTION_BITS),
            depth,
        })
    }

    fn write(mut self, precision: usize, out: &mut fmt::Formatter) -> fmt::Result {
        let mut digits = Digits::of_whole(self.whole);
        if self.fraction == 0 {
            digits.push(0);
        } else {
            let significant = self.append_fraction(precision, &mut digits);
            digits.round_off(significant.saturating_sub(precision));
        }
        digits.write(out)
    }

    /// Appends digits of the fraction, and returns the number of significant digits.
    ///
    /// Appends at least two digits, and one digit more than `precision` for rounding. Stops earlier if the rest of the
    /// fraction is less than half of the uncertainty. The uncertainty starts as one unit of 2^-64. Each of the first
    /// `self.depth` digits multiplies the uncertainty by five, and each further digit multiplies it by ten. After
    /// twenty digits, the uncertainty overflows, as in LLVM. This overflow affects the text.
    ///
    /// LLVM: `ScaledNumberBase::toString`.
    fn append_fraction(&mut self, precision: usize, digits: &mut Digits) -> usize {
        let mut uncertainty: u64 = 1;
        let mut significant = if self.whole > 0 { digits.count } else { 0 };
        for after_point in 1.. {
            uncertainty = uncertainty.wrapping_mul(if after_point <= self.depth { 5 } else { 10 });
            let digit = self.next_digit();
            digits.push(digit);
            significant += usize::from(significant > 0 || digit > 0);
            let left = ((self.fraction >> (FRACTION_BITS - 60)) as u64) << 4;
            let decided = uncertainty == 0 || left < uncertainty / 2;
            if decided || (significant > precision && after_point >= 2) {
                break;
            }
        }
        significant
    }

    fn next_digit(&mut self) -> u8 {
        let tenfold = self.fraction * 10;
        self.fraction = tenfold & ((1 << FRACTION_BITS) - 1);
        (tenfold >> FRACTION_BITS) as u8
    }
}

/// The integer part and the fraction of a number.
struct Parts {
    whole: u64,
    /// The fraction, in units of 2^-128.
    fraction: u128,
}

/// Splits `number` if it is below 2^64 and a multiple of 2^-119.
fn split(number: Scaled) -> Option<Parts> {
    let digits = number.digits();
    match number.exponent() {
        up @ 0.. if up as u32 <= digits.leading_zeros() => Some(Parts { whole: digits << up, fraction: 0 }),
        down @ -119..0 => {
            let whole = digits.checked_shr(-down as u32).unwrap_or(0);
            Some(Parts { whole, fraction: u128::from(digits) << (128 + down) })
        }
        _ => None,
    }
}

/// Decimal digits and the position of the decimal point.
struct Digits {
    digits: [u8; MOST_DIGITS],
    count: usize,
    whole: usize,
}

impl Digits {
    /// The digits of `whole`. The decimal point follows after the last digit. The number 0 has one digit.
    ///
    /// LLVM: `appendNumber`.
    fn of_whole(whole: u64) -> Self {
        let mut digits = [0; MOST_DIGITS];
        let count = whole.checked_ilog10().unwrap_or(0) as usize + 1;
        let mut left = whole;
        for digit in digits[..count].iter_mut().rev() {
            *digit = (left % 10) as u8;
            left /= 10;
        }
        Digits { digits, count, whole: count }
    }

    /// LLVM: `appendDigit`.
    fn push(&mut self, digit: u8) {
        self.digits[self.count] = digit;
        self.count += 1;
    }

    /// Removes the last `excess` digits, and rounds up if the first removed digit is at least 5. Never removes the
    /// first digit after the decimal point.
    ///
    /// LLVM: `doesRoundUp`.
    fn round_off(&mut self, excess: usize) {
        let kept = (self.count - excess).max(self.whole + 1);
        if kept < self.count {
            let up = self.digits[kept] >= 5;
            self.count = kept;
            if up {
                self.add_one_unit();
            }
        }
    }

    /// Adds 1 to the last digit, with carry.
    fn add_one_unit(&mut self) {
        match self.digits[..self.count].iter().rposition(|&digit| digit != 9) {
            Some(place) => {
                self.digits[place] += 1;
                self.digits[place + 1..self.count].fill(0);
            }
            None => {
                self.digits[..self.count].fill(0);
                self.digits.copy_within(..self.count, 1);
                self.digits[0] = 1;
                self.count += 1;
                self.whole += 1;
            }
        }
    }

    /// Writes the digits without trailing zeros, except the first digit after the decimal point.
    ///
    /// LLVM: `stripTrailingZeros`.
    fn write(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let (whole, fraction) = self.digits[..self.count].split_at(self.whole);
        let last = fraction.iter().rposition(|&digit| digit != 0).unwrap_or(0);
        write_digits(whole, out)?;
        out.write_str(".")?;
        write_digits(&fraction[..=last], out)
    }
}

fn write_digits(digits: &[u8], out: &mut fmt::Formatter) -> fmt::Result {
    digits.iter().try_for_each(|&digit| fmt::Write::write_char(out, char::from(b'0' + digit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_near_one_have_no_exponent() {
        let texts = |number: Scaled| [format!("{number:.5}"), number.to_string()];
        assert_eq!(texts(Scaled::ZERO), ["0.0", "0.0"]);
        assert_eq!(texts(Scaled::ONE / Scaled::new(3, 0)), ["0.33333", "0.3333333333"]);
        assert_eq!(texts(Scaled::new(2, 0) / Scaled::new(3, 0)), ["0.66667", "0.6666666667"]);
        assert_eq!(texts(Scaled::new(u64::MAX, -64)), ["1.0", "1.0"]);
        assert_eq!(texts(Scaled::new(u64::MAX, -63)), ["2.0", "2.0"]);
        assert_eq!(texts(Scaled::new(123_456_789_123, -10)), ["120563270.6", "120563270.6"]);
        assert_eq!(texts(Scaled::new(1, 63)), ["9223372036854775808.0", "9223372036854775808.0"]);
        assert_eq!(texts(Scaled::new(999_999, 0) / Scaled::new(1_000_000, 0)), ["1.0", "0.999999"]);
    }

    #[test]
    fn a_carry_may_need_one_more_digit_before_the_point() {
        assert_eq!(format!("{:.5}", Scaled::new(999_996, 0) / Scaled::new(100_000, 0)), "10.0");
        assert_eq!(format!("{:.5}", Scaled::new(999_994, 0) / Scaled::new(100_000, 0)), "9.9999");
    }

    #[test]
    fn a_mass_of_one_unit_prints_as_zero_and_a_mass_of_331_units_does_not() {
        // The algorithm compares the rest of the fraction in units of 2^-60. The mass 2^-64 is less than one such unit.
        assert_eq!(format!("{:.5}", Scaled::new(1, -64)), "0.0");
        // The exact value is 1.79435...E-17.
        assert_eq!(format!("{:.5}", Scaled::new(331, -64)), "0.000000000000000017944");
    }

    #[test]
    fn bits_below_two_to_the_minus_64_add_digits() {
        // The exact value is 5.35713E-17. Without the bits below 2^-64, the number is 988 * 2^-64, and its text has
        // fewer digits.
        assert_eq!(format!("{:.5}", Scaled::new(2_072_438_953, -85)), "0.000000000000000053571");
    }
}
