//! What a user chooses by name or file: rules with their numbers, or a learned model.

use std::sync::Arc;

use bpa_profile::facts::{FunctionFacts, LoopConditions};
use bpa_profile::profile::{Profile, ProfileBuilder};
use bpa_profile::rules::{RuleSet, RuleSetError};

use crate::features::FunctionContents;
use crate::model::Model;

/// Learned models that come along: their names and texts.
const TEXTS: [(&str, &str); 1] = [("bpa", include_str!("../predictors/bpa.model"))];

/// Rules with their numbers, and, if a model was chosen, the model that predicts branches before LLVM's rules do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predictor {
    rules: Arc<RuleSet>,
    model: Option<Arc<Model>>,
}

impl Predictor {
    /// The names of all that come along, in words.
    pub fn names() -> String {
        let models = TEXTS.iter().map(|(name, _)| *name);
        RuleSet::names().chain(models).collect::<Vec<&str>>().join(", ")
    }

    /// The one by that name; nothing if none goes by it.
    pub fn named(name: &str) -> Option<Predictor> {
        if let Some(rules) = RuleSet::named(name) {
            return Some(rules.into());
        }
        let (name, text) = TEXTS.iter().find(|(known, _)| *known == name)?;
        Some(Predictor::read(name, text).expect("what comes along is well written"))
    }

    /// The predictor that `text` describes, called `name`: a [`Model`], or [rules](RuleSet::read) in TOML.
    ///
    /// # Errors
    ///
    /// The first thing in the text that is not as it should be.
    pub fn read(name: &str, text: &str) -> Result<Predictor, RuleSetError> {
        if Model::is_meant_by(text) {
            let model = Some(Arc::new(Model::read(text)?));
            return Ok(Predictor { rules: Arc::new(RuleSet::with_predictions(name)), model });
        }
        RuleSet::read(name, text).map(Predictor::from)
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        self.rules.name()
    }

    /// Whether it answers as LLVM does, whatever it is called.
    pub fn is_like_llvm(&self) -> bool {
        self.rules.is_like_llvm()
    }

    /// Its rules, which have [`Rule::Learned`](bpa_profile::bpi::Rule::Learned) among them if there is a model.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Its model, if it has one.
    pub fn model(&self) -> Option<&Arc<Model>> {
        self.model.as_ref()
    }

    /// The profile that `builder` makes by this predictor. `contents` is asked for what stands in the function if there is a
    /// model, which is told what there is without a measured profile, whether the facts have one or not.
    ///
    /// # Panics
    ///
    /// If the contents are those of another function, where that is noticed.
    pub fn profile(
        &self,
        builder: ProfileBuilder,
        conditions: &mut impl LoopConditions,
        contents: impl FnOnce(&FunctionFacts) -> FunctionContents,
    ) -> Profile {
        let rules = self.rules.clone();
        let Some(model) = &self.model else { return builder.rules(rules).build_with(conditions) };
        let contents = contents(builder.facts());
        if builder.facts().has_profile() {
            let mut facts = builder.facts().clone();
            facts.forget_profile();
            let unmeasured = Profile::builder(facts, builder.dialect()).build_with(conditions);
            let predictions = model.predict_branches(&unmeasured, &contents);
            return builder.rules(rules).predictions(predictions.into()).build_with(conditions);
        }
        let profile = builder.build_with(conditions);
        let predictions = model.predict_branches(&profile, &contents);
        profile.with_predictions(rules, predictions.into())
    }
}

impl From<RuleSet> for Predictor {
    fn from(rules: RuleSet) -> Self {
        Predictor { rules: Arc::new(rules), model: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_come_along_can_be_had() {
        for name in Predictor::names().split(", ") {
            assert_eq!(Predictor::named(name).expect("it comes along").name(), name);
        }
        assert_eq!(Predictor::named("LLVM"), None);
        assert_eq!(Predictor::named(""), None);
    }
}
