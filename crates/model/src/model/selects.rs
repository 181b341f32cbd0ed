//! What a model says of the selects of a function.

use super::branches::bounded;
use super::logistic::probability;
use super::{FeatureMatrix, Model, ModelPart};
use crate::features::{FunctionContents, SelectFeatures, SelectProfile, View};
use bpa_profile::bpi::Probability;
use bpa_profile::dialect::Dialect;
use bpa_profile::facts::{FunctionFacts, LoopConditions};
use bpa_profile::profile::Profile;

impl Model {
    /// Branch weights for selects, by their places: if the condition holds, and if not. They are told of those that the entry
    /// reaches and that have no valid weights, or, to `overwrite` them, of those that have; a `select` with another profile is
    /// left alone. `contents`, with selects, are those of the same function.
    ///
    /// None if the model has no part about selects. Its features are those without a profile, whether there is one or not.
    ///
    /// # Panics
    ///
    /// If `contents` are those of another function, where that is noticed.
    pub fn predict_selects(
        &self,
        facts: &FunctionFacts,
        contents: &FunctionContents,
        overwrite: bool,
        conditions: &mut impl LoopConditions,
        dialect: &'static Dialect,
    ) -> Vec<(usize, [u32; 2])> {
        let Some(trees) = self.part(ModelPart::Select) else { return Vec::new() };
        let mut unmeasured = facts.clone();
        unmeasured.forget_profile();
        let profile = Profile::builder(unmeasured, dialect).build_with(conditions);
        let view = View::new(&profile, contents);
        let is_asked = |place: usize| match contents.selects[place].profile {
            SelectProfile::None => true,
            SelectProfile::Weights(_) => overwrite,
            SelectProfile::Other => false,
        };
        let rows: Vec<SelectFeatures> = view.selects().filter(|row| is_asked(row.place)).collect();
        let mut asked = FeatureMatrix::new(ModelPart::Select.feature_count(), rows.len());
        rows.iter().for_each(|row| asked.push(&[&row.values, &row.sides[0], &row.sides[1]]));
        let said = rows.iter().zip(trees.log_odds(&asked));
        said.map(|(row, odds)| (row.place, weights(odds))).collect()
    }
}

/// Weights of a condition that holds with these odds.
fn weights(log_odds: i64) -> [u32; 2] {
    let holds = probability(bounded(log_odds)).numerator();
    [holds, Probability::DENOMINATOR - holds]
}
