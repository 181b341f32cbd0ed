//! Formats numbers for the page.

use bpa_schema::WHOLE;

/// Rounds to five significant digits. Infinity becomes 0 because JSON has no infinity. A number below 1 is never
/// rounded to 1, but at most to 0.99999, because the page prints only the probability 1 as 100%.
pub fn rounded(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return 0.0;
    }
    let rounded = format!("{number:.4e}").parse().unwrap_or(number);
    if number < 1.0 && rounded >= 1.0 {
        return 0.99999;
    }
    rounded
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
        assert_eq!([part(WHOLE - 1), part(WHOLE)], [0.99999, 1.0]);
    }
}
