//! Estimates the calls and the time of functions with a model.

use bpa_profile::bfi::Scaled;
use bpa_profile::calls::{Estimate, ModuleFacts, Start};

use super::{FeatureMatrix, Model, ModelPart};
use crate::features::function_features;

/// Estimates the calls and the time of the functions in `facts`: solves the call equations, and lets `model` improve
/// the solution. The result is the solution if there is no model, if the model has no part about calls, or if the
/// module does not define `main`: models are trained on whole programs.
pub fn estimate_calls(facts: ModuleFacts, model: Option<&Model>) -> Estimate {
    let estimate = Estimate::of(facts);
    match model {
        Some(model) => model.learned(estimate),
        None => estimate,
    }
}

impl Model {
    /// Computes the calls and the times from the solution of the call equations and from other features of the
    /// functions.
    fn learned(&self, estimate: Estimate) -> Estimate {
        let Some(calls) = self.part(ModelPart::Calls) else { return estimate };
        if !estimate.defined().any(|node| estimate.start(node) == Some(Start::Main)) {
            return estimate;
        }
        let rows = function_features(&estimate);
        let mut matrix = FeatureMatrix::new(ModelPart::Calls.feature_count(), rows.len());
        rows.iter().for_each(|row| matrix.push(&[row]));
        let numbers = |sums: Vec<i64>| -> Vec<Scaled> { sums.into_iter().map(exponential).collect() };
        let times = self.part(ModelPart::Time).map(|times| numbers(times.log_odds(&matrix)));
        estimate.with_learned(&numbers(calls.log_odds(&matrix)), times.as_deref())
    }
}

/// The number of table entries for exponents of 2 from 0 to 1.
const STEPS: usize = 64;
/// The distance between two consecutive entries of the table, in units of 2^-16.
const WITHIN_STEP: u64 = 65_536 / STEPS as u64;
/// 2^(1/64), multiplied by 2^62 and rounded.
const STEP_UP: u128 = 4_661_903_986_662_671_290;
/// The binary logarithm of e, multiplied by 2^32 and rounded.
const LOG2_E: i128 = 6_196_328_019;

/// 2^x, multiplied by 2^31 and rounded down. `x` grows from 0 to 1 in steps of 1/64.
const TABLE: [u64; STEPS + 1] = {
    let mut table = [0; STEPS + 1];
    let (mut place, mut power) = (0, 1_u128 << 62);
    while place < table.len() {
        table[place] = (power >> 31) as u64;
        power = (power * STEP_UP) >> 62;
        place += 1;
    }
    table
};

/// e to the power `exponent`, which is in units of 2^-16. The function interpolates linearly between entries of a
/// table. The relative error is less than 2^-14 for exponents from -30 to 30.
pub(super) fn exponential(exponent: i64) -> Scaled {
    let binary = (i128::from(exponent) * LOG2_E) >> 32;
    let (whole, rest) = (binary >> 16, (binary & 0xFFFF) as u64);
    let (step, rest) = ((rest / WITHIN_STEP) as usize, rest % WITHIN_STEP);
    let digits = TABLE[step] + (TABLE[step + 1] - TABLE[step]) * rest / WITHIN_STEP;
    let whole = whole.clamp(Scaled::MIN_EXPONENT.into(), Scaled::MAX_EXPONENT.into());
    Scaled::new(digits, 0).shifted(whole as i32 - 31)
}

#[cfg(test)]
#[allow(clippy::disallowed_types, reason = "the exponential function is defined in floating point")]
mod tests {
    use super::*;

    #[test]
    fn powers_follow_the_exponential_function() {
        for exponent in (-2_000_000_i64..2_000_000).step_by(997) {
            let exact = (exponent as f64 / 65_536.0).exp();
            let relative = exponential(exponent).to_f64() / exact;
            assert!((relative - 1.0).abs() < 5e-5, "{exponent}: {relative}");
        }
        assert_eq!(exponential(0), Scaled::ONE);
    }

    #[test]
    fn the_function_is_monotonic() {
        for exponent in (-300_000_i64..300_000).step_by(13) {
            assert!(exponential(exponent) <= exponential(exponent + 13));
        }
    }
}
