//! Numbers as doubles, for eyes and for readers of JSON: nothing is decided by them.

use crate::bfi::Scaled;
use crate::bpi::Probability;

impl Scaled {
    /// The nearest `f64`, infinity where doubles do not reach.
    pub fn to_f64(self) -> f64 {
        // In two steps, since one alone may leave the range that the result is in.
        let exponent = i32::from(self.exponent());
        let half = exponent / 2;
        self.digits() as f64 * 2f64.powi(half) * 2f64.powi(exponent - half)
    }
}

impl Probability {
    /// The probability as an `f64` from 0 to 1: exactly, since doubles have more digits.
    pub fn to_f64(self) -> f64 {
        f64::from(self.numerator()) / f64::from(Probability::DENOMINATOR)
    }
}
