//! Numbers as doubles, for eyes and for readers of JSON: nothing is decided by them.

use crate::bfi::Scaled;
use crate::bpi::Probability;

impl Scaled {
    /// The nearest `f64`, infinity where doubles do not reach.
    pub fn to_f64(self) -> f64 {
        // In two steps, since one alone may leave the range that the result is in.
        let exponent = i32::from(self.exponent());
        let half = exponent / 2;
        self.digits() as f64 * power_of_two(half) * power_of_two(exponent - half)
    }
}

/// 2 to the power of `exponent`, exactly; infinity or 0 where no normal number is that. (How near `f64::powi` comes is not
/// specified, and may differ from machine to machine.)
fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        ..-1022 => 0.0,
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        1024.. => f64::INFINITY,
    }
}

impl Probability {
    /// The probability as an `f64` from 0 to 1: exactly, since doubles have more digits.
    pub fn to_f64(self) -> f64 {
        f64::from(self.numerator()) / f64::from(Probability::DENOMINATOR)
    }
}
