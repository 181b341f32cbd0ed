//! The cost of predictions, measured with a profile: log-loss and misses.

use std::ops::{Add, Sub};

use bpa_schema::{LIKELY_WEIGHT, UNLIKELY_WEIGHT};

/// If a predicted probability is below this value, the log-loss uses this value instead. LLVM's probabilities are
/// multiples of 2^-31.
const LEAST_PROBABILITY: f64 = 1.0 / (1u64 << 31) as f64;

/// The cost of predictions: how much the predictions of a set of branches differ from the profile.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// The sum of `-log2 p` over all executions, where `p` is the predicted probability of the executed successor.
    pub log_loss: f64,
    /// The number of executions that do not take the predicted successor. The predicted successor has the highest
    /// predicted probability. If several successors have the highest probability, one of them is chosen at random, and
    /// `misses` is an expected value.
    pub misses: f64,
}

impl Cost {
    /// The cost of a branch. Each item is the predicted probability and the profiled count of a successor.
    pub fn of_branch(successors: &[(f64, f64)]) -> Self {
        let loss = |&(predicted, taken): &(f64, f64)| -taken * predicted.max(LEAST_PROBABILITY).log2();
        let executions: f64 = successors.iter().map(|(_, taken)| taken).sum();
        // In Rust, the sum of an empty list of floats is -0.0. The `max` replaces -0.0 by 0.0.
        let log_loss = successors.iter().map(loss).sum::<f64>().max(0.0);
        Cost { log_loss, misses: executions - bpa_schema::hits(successors.iter().copied()) }
    }

    /// The cost of a branch if a hint marks the most frequent successor as likely, or, if `is_right` is false, the least
    /// frequent successor.
    pub fn of_hint(counts: &[f64], is_right: bool) -> Self {
        let by_count = |one: &usize, other: &usize| counts[*one].total_cmp(&counts[*other]);
        let places = 0..counts.len();
        let likely = if is_right { places.max_by(by_count) } else { places.min_by(by_count) };
        let weight = |place| if Some(place) == likely { LIKELY_WEIGHT } else { UNLIKELY_WEIGHT };
        let total: f64 = (0..counts.len()).map(weight).sum();
        let successors = counts.iter().enumerate().map(|(place, &taken)| (weight(place) / total, taken));
        Cost::of_branch(&successors.collect::<Vec<_>>())
    }

    /// Returns true if this difference of two costs is an improvement: the log-loss and the misses both decrease.
    pub fn is_gain(self) -> bool {
        self.log_loss < 0.0 && self.misses < 0.0
    }
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost { log_loss: self.log_loss + other.log_loss, misses: self.misses + other.misses }
    }
}

impl Sub for Cost {
    type Output = Cost;

    fn sub(self, other: Cost) -> Cost {
        Cost { log_loss: self.log_loss - other.log_loss, misses: self.misses - other.misses }
    }
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(all: I) -> Cost {
        all.fold(Cost::default(), Cost::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bpa_schema::least_sure_share;

    #[test]
    fn cost_is_zero_only_for_certain_and_right_predictions() {
        assert_eq!(Cost::of_branch(&[(1.0, 7.0), (0.0, 0.0)]), Cost::default());
        assert_eq!(Cost::of_branch(&[(0.5, 30.0), (0.5, 10.0)]), Cost { log_loss: 40.0, misses: 20.0 });
        assert_eq!(Cost::of_branch(&[(0.25, 30.0), (0.75, 10.0)]).misses, 30.0);
    }

    #[test]
    fn a_hint_and_a_prediction_of_50_percent_cost_the_same_at_the_least_sure_share() {
        let total = LIKELY_WEIGHT + UNLIKELY_WEIGHT;
        let loss = |predicted: f64, share: f64| {
            Cost::of_branch(&[(predicted, share), (1.0 - predicted, 1.0 - share)]).log_loss
        };
        let difference = |share| loss(LIKELY_WEIGHT / total, share) - loss(0.5, share);
        let share = least_sure_share();
        assert!(difference(share).abs() < 1e-9 && (0.908..0.910).contains(&share), "{share}");
        assert!(difference(share + 0.01) < 0.0 && difference(share - 0.01) > 0.0);
    }

    #[test]
    fn a_wrong_hint_costs_more_than_any_rule() {
        let wrong = Cost::of_hint(&[90.0, 10.0], false);
        assert_eq!(wrong.misses, 90.0);
        assert!(wrong.log_loss > Cost::of_branch(&[(0.05, 90.0), (0.95, 10.0)]).log_loss);
    }
}
