//! Predicts the selects of a function with a model.

use super::branches::bounded;
use super::logistic::probability;
use super::{FeatureMatrix, Model, ModelPart};
use crate::features::{FunctionStatistics, SelectFeatures, SelectProfile, StatisticsError, View};
use bpa_profile::bpi::Probability;
use bpa_profile::dialect::Dialect;
use bpa_profile::facts::{FunctionFacts, LoopConditions};
use bpa_profile::profile::Profile;

impl Model {
    /// Predicts selects. Each item of the result has the index of a predicted select, and two branch weights. The first
    /// weight is for a true condition, the second for a false condition. Selects in unreachable blocks are skipped. If
    /// `overwrite` is false, selects with valid weights are skipped. Selects with profile metadata other than branch
    /// weights are always skipped. `statistics` must describe the function of `facts` and include its selects.
    ///
    /// If the model has no part about selects, the result is empty. The features do not depend on a profile in `facts`.
    ///
    /// # Errors
    ///
    /// Returns an error if the statistics do not fit the function.
    pub fn predict_selects(
        &self,
        facts: &FunctionFacts,
        statistics: &FunctionStatistics,
        overwrite: bool,
        conditions: &mut impl LoopConditions,
        dialect: &'static Dialect,
    ) -> Result<Vec<(usize, [u32; 2])>, StatisticsError> {
        let Some(trees) = self.part(ModelPart::Select) else { return Ok(Vec::new()) };
        let mut unmeasured = facts.clone();
        unmeasured.forget_profile();
        let profile = Profile::builder(unmeasured, dialect).build_with(conditions);
        let view = View::new(&profile, statistics)?;
        let is_predicted = |place: usize| match statistics.selects[place].profile {
            SelectProfile::None => true,
            SelectProfile::Weights(_) => overwrite,
            SelectProfile::Other => false,
        };
        let rows: Vec<SelectFeatures> = view.selects().filter(|row| is_predicted(row.place)).collect();
        let mut matrix = FeatureMatrix::new(ModelPart::Select.feature_count(), rows.len());
        let is_inverted = |row: &SelectFeatures| view.select(row.place).test.inverted;
        for row in &rows {
            let [first, second] = if is_inverted(row) { [1, 0] } else { [0, 1] };
            matrix.push(&[&row.values, &row.choices[first], &row.choices[second]]);
        }
        let predictions = rows.iter().zip(trees.log_odds(&matrix));
        Ok(predictions
            .map(|(row, odds)| (row.place, weights(if is_inverted(row) { -odds } else { odds })))
            .collect())
    }
}

/// The weight of a true condition, and the weight of a false condition. `log_odds` is the logarithm of the odds that
/// the condition is true.
fn weights(log_odds: i64) -> [u32; 2] {
    let holds = probability(bounded(log_odds)).numerator();
    [holds, Probability::DENOMINATOR - holds]
}
