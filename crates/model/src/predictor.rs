//! Predictors that a user chooses by name or file: rules with their parameters, or a trained model.

use std::sync::{Arc, LazyLock};

use bpa_profile::facts::{FunctionFacts, LoopConditions};
use bpa_profile::profile::{Profile, ProfileBuilder};
use bpa_profile::rules::{RuleSet, RuleSetError};
use bpa_schema::PREDICTORS;

use crate::features::{FunctionStatistics, StatisticsError};
use crate::model::Model;

/// The name and the text of each built-in trained model.
const TEXTS: &[(&str, &str)] = &[("bpa", include_str!("../predictors/bpa.model"))];

/// LLVM's rules. All profiles share this copy.
static LLVM: LazyLock<Arc<RuleSet>> = LazyLock::new(|| RuleSet::llvm().clone().into());

/// Rules with their parameters, and optionally a model. Predictions of the model have precedence over LLVM's rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predictor {
    rules: Arc<RuleSet>,
    model: Option<Arc<Model>>,
}

impl Predictor {
    /// The names of all built-in predictors, separated by commas.
    pub fn names() -> String {
        PREDICTORS.join(", ")
    }

    /// The built-in predictor with the name `name`, or `None` if no built-in predictor has this name.
    pub fn named(name: &str) -> Option<Predictor> {
        if let Some(rules) = RuleSet::named(name) {
            return Some(rules.into());
        }
        let (name, text) = TEXTS.iter().find(|(known, _)| *known == name)?;
        Some(Predictor::read(name, text).expect("the built-in models are valid"))
    }

    /// Reads a predictor from `text` and gives it the name `name`. The text is a [`Model`], or [rules](RuleSet::read)
    /// in TOML.
    ///
    /// # Errors
    ///
    /// Returns the first error in the text.
    pub fn read(name: &str, text: &str) -> Result<Predictor, RuleSetError> {
        if Model::has_title(text) {
            let model = Some(Arc::new(Model::read(text)?));
            return Ok(Predictor { rules: Arc::new(RuleSet::with_predictions(name)), model });
        }
        RuleSet::read(name, text).map(Predictor::from)
    }

    /// The name of the predictor.
    pub fn name(&self) -> &str {
        self.rules.name()
    }

    /// Whether the rules and their parameters equal LLVM's rules and parameters. The predictor's name is not compared.
    pub fn is_like_llvm(&self) -> bool {
        self.rules.is_like_llvm()
    }

    /// The rules of the predictor. If the predictor has a model, the rules include
    /// [`Rule::Learned`](bpa_profile::bpi::Rule::Learned).
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// The model, if the predictor has one.
    pub fn model(&self) -> Option<&Arc<Model>> {
        self.model.as_ref()
    }

    /// Computes the profile of `builder` with this predictor instead of the builder's rules. If the predictor has a
    /// model, `statistics` is called to read the IR statistics of the function. If the facts contain a measured
    /// profile, the model does not use it.
    ///
    /// # Errors
    ///
    /// Returns an error if the statistics do not fit the function.
    pub fn profile(
        &self,
        builder: ProfileBuilder,
        conditions: &mut impl LoopConditions,
        statistics: impl FnOnce(&FunctionFacts) -> FunctionStatistics,
    ) -> Result<Profile, StatisticsError> {
        let rules = self.rules.clone();
        let Some(model) = &self.model else { return Ok(builder.rules(rules).build_with(conditions)) };
        let statistics = statistics(builder.facts());
        if builder.facts().has_profile() {
            let mut facts = builder.facts().clone();
            facts.forget_profile();
            let unmeasured = Profile::builder(facts, builder.dialect()).build_with(conditions);
            let predictions = model.predict_branches(&unmeasured, &statistics)?;
            let builder = builder.rules(rules).predictions(predictions.into()).expect(FITS);
            return Ok(builder.build_with(conditions));
        }
        let profile = builder.rules(LLVM.clone()).build_with(conditions);
        let predictions = model.predict_branches(&profile, &statistics)?;
        Ok(profile.with_predictions(rules, predictions.into()).expect(FITS))
    }
}

/// The message of `expect`. A model computes predictions from a profile of the function's graph, so the predictions
/// match this graph.
const FITS: &str = "the model's predictions match the graph of the function";

impl From<RuleSet> for Predictor {
    fn from(rules: RuleSet) -> Self {
        Predictor { rules: Arc::new(rules), model: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_predictor_can_be_loaded() {
        let models = TEXTS.iter().map(|(name, _)| *name);
        assert_eq!(RuleSet::names().chain(models).collect::<Vec<&str>>(), PREDICTORS);
        for name in PREDICTORS {
            assert_eq!(Predictor::named(name).expect("a built-in predictor").name(), name);
        }
        assert_eq!(Predictor::named("LLVM"), None);
        assert_eq!(Predictor::named(""), None);
    }
}
