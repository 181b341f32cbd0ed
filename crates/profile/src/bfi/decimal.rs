//! Scaled numbers as decimal text, with the same digits as LLVM.
//!
//! LLVM has two algorithms that convert numbers to decimal text. This module implements LLVM's algorithm for numbers
//! from about 2^-64 to 2^64. The algorithm estimates the precision of the number, and stops when this estimate allows
//! no further digit. LLVM prints all other numbers as 80-bit floating point numbers: see
//! [`scientific`](super::scientific).

use std::fmt;

use super::double::padded;
use super::scientific::{write_scientific, MOST_PRECISION};
use super::Scaled;

/// The default number of significant digits.
///
/// LLVM: `ScaledNumberBase::DefaultPrecision`.
const DEFAULT_PRECISION: usize = 10;
/// The fraction has 120 bits, because ten times the fraction must fit in 128 bits.
const FRACTION_BITS: u32 = 120;

impl fmt::Display for Scaled {
    /// The precision of the format is the number of significant digits. A precision below 1 is replaced with 1, and a
    /// precision above 17 is replaced with 17.
    ///
    /// LLVM's block frequency printer uses `{:.5}`. The integer part is always printed completely. At least one digit
    /// follows the decimal point.
    ///
    /// LLVM: `ScaledNumberBase::toString`.
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let precision = out.precision().unwrap_or(DEFAULT_PRECISION).clamp(1, MOST_PRECISION);
        if out.width().is_some() {
            // The macro calls `fmt` again. Its format has no width, so the second call does not reach this line.
            let number = *self;
            return padded(out, format_args!("{number:.precision$}"));
        }
        if self.is_zero() {
            return out.write_str("0.0");
        }
        match Positional::of(*self) {
            Some(number) => number.write(precision as u32, out),
            None => write_scientific(*self, precision, out),
        }
    }
}

/// A number within the range of this module's algorithm.
struct Positional {
    /// The decimal digits so far, as one integer. The integer has at most 22 digits if the number is at least 1, and at
    /// most 18 digits otherwise.
    digits: u128,
    /// How many of the digits are after the decimal point.
    places: u32,
    /// The part of the number that is not yet in `digits`, in units of 2^-120.
    rest: u128,
    /// The original number has this many bits with values below 2^-64.
    depth: u32,
}

impl Positional {
    /// Splits `number` into its integer part and its fraction. Returns `None` if `number` is out of range.
    fn of(number: Scaled) -> Option<Self> {
        let digits = number.digits();
        // The fraction is in units of 2^-128.
        let (whole, fraction) = match number.exponent() {
            up @ 0.. if up as u32 <= digits.leading_zeros() => (digits << up, 0),
            down @ -119..0 => {
                (digits.checked_shr(-down as u32).unwrap_or(0), u128::from(digits) << (128 + down))
            }
            _ => return None,
        };
        let depth = (-64 - i32::from(number.exponent())).max(0) as u32;
        (whole > 0 || fraction >> 64 > 0).then_some(Positional {
            digits: whole.into(),
            places: 0,
            rest: fraction >> (u128::BITS - FRACTION_BITS),
            depth,
        })
    }

    fn write(mut self, precision: u32, out: &mut fmt::Formatter) -> fmt::Result {
        let limit = 10u128.pow(precision);
        self.append_fraction(limit);
        self.round_below(limit);
        while self.places > 1 && self.digits % 10 == 0 {
            (self.digits, self.places) = (self.digits / 10, self.places - 1);
        }
        let unit = 10u128.pow(self.places);
        let (whole, fraction) = (self.digits / unit, self.digits % unit);
        write!(out, "{whole}.{fraction:0places$}", places = self.places as usize)
    }

    /// Appends digits of the fraction.
    ///
    /// Appends at least two digits. Stops when the number `self.digits` reaches `limit`. Stops earlier if the
    /// remaining fraction `self.rest` is less than half of `uncertainty`. The uncertainty is 2^-64 at first. Each of
    /// the first `self.depth` digits multiplies the uncertainty by five, and each further digit multiplies it by ten.
    /// After twenty digits, the 64-bit integer `uncertainty` overflows, as in LLVM. This overflow affects the text.
    ///
    /// LLVM: `ScaledNumberBase::toString`.
    fn append_fraction(&mut self, limit: u128) {
        let mut uncertainty: u64 = 1;
        loop {
            let tenfold = self.rest * 10;
            self.rest = tenfold & ((1 << FRACTION_BITS) - 1);
            self.digits = self.digits * 10 + (tenfold >> FRACTION_BITS);
            self.places += 1;
            uncertainty = uncertainty.wrapping_mul(if self.places <= self.depth { 5 } else { 10 });
            let left = ((self.rest >> (FRACTION_BITS - 60)) as u64) << 4;
            let decided = uncertainty == 0 || left < uncertainty / 2;
            if decided || (self.digits >= limit && self.places >= 2) {
                break;
            }
        }
    }

    /// Removes the last digits of the number until `digits` is below `limit`. Keeps at least one digit after the
    /// decimal point. If the digit that was removed last is at least 5, the result is rounded up.
    ///
    /// LLVM: `doesRoundUp`.
    fn round_below(&mut self, limit: u128) {
        let mut removed = 0;
        while self.digits >= limit && self.places > 1 {
            removed = self.digits % 10;
            self.digits /= 10;
            self.places -= 1;
        }
        self.digits += u128::from(removed >= 5);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mass_of_one_unit_prints_as_zero_and_a_mass_of_331_units_does_not() {
        // The algorithm truncates the rest of the fraction to a multiple of 2^-60, so a mass of 2^-64 becomes 0.
        assert_eq!(format!("{:.5}", Scaled::new(1, -64)), "0.0");
        // The exact value is 1.79435...E-17.
        assert_eq!(format!("{:.5}", Scaled::new(331, -64)), "0.000000000000000017944");
    }

    #[test]
    fn bits_below_two_to_the_minus_64_add_digits() {
        // The exact value is 5.35713E-17. Without the bits below 2^-64, the number would be 988 * 2^-64, and its text
        // would be shorter.
        assert_eq!(format!("{:.5}", Scaled::new(2_072_438_953, -85)), "0.000000000000000053571");
    }
}
