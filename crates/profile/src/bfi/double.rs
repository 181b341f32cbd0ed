//! Conversions to `f64`, for output only. The analyses do not use floating point.

#![allow(clippy::disallowed_types, reason = "numbers for people")]

use std::fmt;

use bpa_schema::Digits;

use super::Scaled;
use crate::bpi::Probability;

impl Scaled {
    /// The nearest `f64`, or infinity if the number is out of range.
    pub fn to_f64(self) -> f64 {
        // Multiply by two powers of two, because 2^`exponent` can be out of range.
        let exponent = i32::from(self.exponent());
        let half = exponent / 2;
        self.digits() as f64 * power_of_two(half) * power_of_two(exponent - half)
    }
}

/// 2^`exponent`, exactly. If 2^`exponent` is not a normal number, the result is infinity or 0.
///
/// This function replaces `f64::powi`, whose precision is unspecified and can depend on the machine.
fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        ..-1022 => 0.0,
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        1024.. => f64::INFINITY,
    }
}

impl From<Scaled> for bpa_schema::Scaled {
    fn from(number: Scaled) -> Self {
        // JSON cannot represent infinity.
        let value = number.to_f64().min(f64::MAX);
        bpa_schema::Scaled { digits: Digits(number.digits()), exponent: number.exponent(), value }
    }
}

impl Probability {
    /// The probability as an `f64` from 0 to 1. The conversion is exact.
    pub fn to_f64(self) -> f64 {
        f64::from(self.numerator()) / f64::from(Probability::DENOMINATOR)
    }

    /// The percentage that LLVM prints: two decimal digits, with ties rounded to even.
    ///
    /// The order of the floating-point operations is LLVM's order, because this order affects the last digit.
    ///
    /// LLVM: `BranchProbability::print`.
    pub fn percentage(self) -> f64 {
        (self.to_f64() * 100.0 * 100.0).round_ties_even() / 100.0
    }
}

impl fmt::Display for Probability {
    /// Formats the probability like LLVM, for example `0x50000000 / 0x80000000 = 62.50%`.
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let (numerator, denominator) = (self.numerator(), Probability::DENOMINATOR);
        let percentage = self.percentage();
        padded(out, format_args!("0x{numerator:08x} / 0x{denominator:08x} = {percentage:.2}%"))
    }
}

/// Writes `text`, padded to the width that `out` requests. By default, the text is aligned to the right, like a number.
pub(crate) fn padded(out: &mut fmt::Formatter, text: fmt::Arguments) -> fmt::Result {
    let Some(width) = out.width() else { return out.write_fmt(text) };
    let text = text.to_string();
    match out.align() {
        Some(fmt::Alignment::Left) => write!(out, "{text:<width$}"),
        Some(fmt::Alignment::Center) => write!(out, "{text:^width$}"),
        Some(fmt::Alignment::Right) | None => write!(out, "{text:>width$}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_rounded_once_with_halves_to_even() {
        let printed = |numerator| format!("{:.2}", Probability::from_numerator(numerator).percentage());
        assert_eq!(printed(Probability::ratio(124, 128).numerator()), "96.88"); // 96.875
        assert_eq!(printed(Probability::ratio(4, 128).numerator()), "3.12"); // 3.125
        assert_eq!(printed(Probability::ratio(1, 3).numerator()), "33.33");
        assert_eq!(printed(Probability::DENOMINATOR), "100.00");
    }

    #[test]
    fn doubles_are_the_nearest_ones() {
        let value = |digits, exponent| bpa_schema::Scaled::from(Scaled::new(digits, exponent)).value;
        assert_eq!(value(3, -1), 1.5);
        assert_eq!(value(u64::MAX, -64), 1.0);
        assert_eq!(value(1 << 63, 960), f64::from_bits(0x7FE << 52));
        assert_eq!(value(1 << 63, -1137), f64::from_bits(1)); // 2^-1074, the smallest positive double
        assert_eq!(value(u64::MAX, Scaled::MAX_EXPONENT), f64::MAX);
        assert_eq!(value(u64::MAX, Scaled::MIN_EXPONENT), 0.0);
    }
}
