//! Explains a model's predictions.

use std::sync::Arc;

use bpa_profile::bpi::{Contribution, LogOdds, PredictionSource};

use super::{FeatureMatrix, Model, ModelPart};
use crate::features::INVERTED;

/// The features of the predicted branches of a function. The rows of two-way branches have lower numbers than the rows
/// of switches.
#[derive(Debug)]
pub(super) struct FeatureRows {
    pub model: Arc<Model>,
    pub two_way: FeatureMatrix,
    pub switch: FeatureMatrix,
}

impl PredictionSource for FeatureRows {
    fn log_odds(&self, row: u32, place: usize) -> LogOdds {
        let row = row as usize;
        let (part, features) = match row.checked_sub(self.two_way.len()) {
            None => (ModelPart::TwoWay, self.two_way.row(row)),
            Some(row) => (ModelPart::Switch, self.switch.row(row)),
        };
        let of_switch = part == ModelPart::Switch;
        // The sum for a two-way branch is the logarithm of the odds that its test is true. The odds of a false test are
        // the reciprocal of these odds.
        let is_false = (place == 1) != (features[INVERTED] != 0);
        let sign = if !of_switch && is_false { -1 } else { 1 };
        let (start, moved) =
            self.model.part(part).expect("the model has a part for each row").contributions(&features);
        let names = part.feature_names();
        let contribution = |&one: &super::FeatureAmount| Contribution {
            feature: names[one.feature].clone(),
            value: features[one.feature],
            amount: sign * one.amount,
        };
        LogOdds { of_switch, start: sign * start, contributions: moved.iter().map(contribution).collect() }
    }
}
