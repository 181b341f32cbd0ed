//! Converts the logarithm of odds to a probability. The logistic function is computed with integers.

use bpa_profile::bpi::Probability;

/// The number of table entries in each interval of length 1.
const STEPS: usize = 32;
/// The last logarithm in the table, for odds of about 2^29 to 1.
const UNITS: usize = 20;
/// The distance between two consecutive entries of the table, in units of 2^-16.
const WITHIN_STEP: u64 = 65_536 / STEPS as u64;

/// e^(-1/32), multiplied by 2^62 and rounded.
const STEP_DOWN: u128 = 4_469_799_356_029_710_115;
const ONE: u128 = 1 << 62;

/// 1 / (1 + e^-x), multiplied by 2^31 and rounded. `x` grows from 0 to 20 in steps of 1/32.
const TABLE: [u32; STEPS * UNITS + 1] = {
    let mut table = [0; STEPS * UNITS + 1];
    let (mut place, mut power) = (0, ONE);
    while place < table.len() {
        let whole = ONE + power;
        table[place] = (((ONE << 31) + whole / 2) / whole) as u32;
        power = (power * STEP_DOWN) >> 62;
        place += 1;
    }
    table
};

/// Converts odds to a probability. The argument is the natural logarithm of the odds, in units of 2^-16. The function
/// interpolates linearly between entries of the table. For odds beyond the end of the table, the function uses the last
/// entry. Therefore no prediction has the probability 0 or 1.
pub(super) fn probability(log_odds: i64) -> Probability {
    let size = log_odds.unsigned_abs().min(WITHIN_STEP * (STEPS * UNITS) as u64);
    let (step, rest) = ((size / WITHIN_STEP) as usize, size % WITHIN_STEP);
    let here = u64::from(TABLE[step]);
    let next = u64::from(TABLE[(step + 1).min(STEPS * UNITS)]);
    let numerator = (here + (next - here) * rest / WITHIN_STEP) as u32;
    Probability::from_numerator(if log_odds < 0 { Probability::DENOMINATOR - numerator } else { numerator })
}

#[cfg(test)]
#[allow(clippy::disallowed_types, reason = "the logistic function is defined in floating point")]
mod tests {
    use super::*;

    /// The entries of the table are rounded values of the logistic function. The error of interpolated values is less
    /// than 2e-5.
    #[test]
    fn probabilities_follow_the_logistic_function() {
        for log_odds in (-1_400_000_i32..1_400_000).step_by(997) {
            let x = (f64::from(log_odds) / 65_536.0).clamp(-20.0, 20.0);
            let exact = 1.0 / (1.0 + (-x).exp());
            let found = f64::from(probability(log_odds.into()).numerator()) / f64::from(1_u32 << 31);
            let is_entry = log_odds.unsigned_abs() % 2_048 == 0;
            assert!((found - exact).abs() < if is_entry { 1e-9 } else { 2e-5 }, "{x}: {found} and {exact}");
        }
        for step in 0..=640_i64 {
            let exact = 1.0 / (1.0 + (-(step as f64) / 32.0).exp());
            let found = f64::from(probability(step * 2_048).numerator()) / f64::from(1_u32 << 31);
            assert!((found - exact).abs() < 4e-10, "{step}: {found} and {exact}");
        }
    }

    #[test]
    fn the_function_is_monotonic_symmetric_and_never_certain() {
        let numerator = |log_odds| probability(log_odds).numerator();
        for log_odds in (-1_500_000_i64..1_500_000).step_by(101) {
            assert!(numerator(log_odds) <= numerator(log_odds + 101));
            assert_eq!(numerator(log_odds) + numerator(-log_odds), Probability::DENOMINATOR);
        }
        assert_eq!(numerator(0), 1 << 30);
        assert_eq!(numerator(i64::MAX), numerator(20 << 16));
        assert_eq!(numerator(i64::MIN), Probability::DENOMINATOR - numerator(20 << 16));
        assert!((1..Probability::DENOMINATOR).contains(&numerator(i64::MAX)));
    }
}
