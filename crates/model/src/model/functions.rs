//! Estimates the calls and the time of functions with a model.

use super::exponential::exponential;
use super::{FeatureMatrix, Model, ModelPart};
use crate::features::function_features;
use bpa_profile::bfi::Scaled;
use bpa_profile::calls::{Estimate, ModuleFacts, Start};

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
