//! Numbers as doubles, for eyes and for readers of JSON: nothing is decided by them.

use crate::bfi::Scaled;

/// The nearest `f64`, infinity where doubles do not reach.
pub fn nearest_double(number: Scaled) -> f64 {
    // In two steps, since one alone may leave the range that the result is in.
    let exponent = i32::from(number.exponent());
    let half = exponent / 2;
    number.digits() as f64 * 2f64.powi(half) * 2f64.powi(exponent - half)
}
