//! Formats numbers for the page.

use bpa_schema::WHOLE;

/// Rounds to five significant digits. Infinity becomes 0 because JSON has no infinity.
pub fn rounded(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return 0.0;
    }
    format!("{number:.4e}").parse().unwrap_or(number)
}

/// `numerator` / 2^31, rounded.
pub fn part(numerator: u32) -> f64 {
    rounded(f64::from(numerator) / f64::from(WHOLE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_five_digits() {
        assert_eq!(rounded(1.0 / 3.0), 0.33333);
        assert_eq!([0.0, f64::INFINITY, 1e300].map(rounded), [0.0, 0.0, 1e300]);
        assert_eq!(part(WHOLE / 4), 0.25);
    }
}
