//! Predictors that a user chooses by name or file: rules with their parameters, or a trained model.

use std::sync::{Arc, LazyLock};

use bpa_profile::facts::{FunctionFacts, LoopConditions};
use bpa_profile::profile::{Profile, ProfileBuilder};
use bpa_profile::rules::{RuleSet, RuleSetError};
use bpa_schema::PREDICTORS;

use crate::features::{FunctionStatistics, StatisticsError};
use crate::model::{Model, Queries};

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

    /// The built-in predictor with the name `name`, or `None` if no built-in predictor has this name. Each call reads
    /// the model again, so keep the predictor for all functions.
    pub fn named(name: &str) -> Option<Predictor> {
        if name == RuleSet::llvm().name() {
            return Some(RuleSet::llvm().clone().into());
        }
        let (name, text) = TEXTS.iter().find(|(known, _)| *known == name)?;
        Some(Predictor::with_model(name, Model::built_in(text)))
    }

    /// Reads a predictor from `text` and gives it the name `name`. The text is a [`Model`], or [rules](RuleSet::read)
    /// in TOML.
    ///
    /// # Errors
    ///
    /// Returns the first error in the text.
    pub fn read(name: &str, text: &str) -> Result<Predictor, RuleSetError> {
        if Model::has_title(text) {
            return Ok(Predictor::with_model(name, Model::read(text)?));
        }
        RuleSet::read(name, text).map(Predictor::from)
    }

    fn with_model(name: &str, model: Model) -> Predictor {
        Predictor { rules: Arc::new(RuleSet::with_predictions(name)), model: Some(Arc::new(model)) }
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
        let mut batch = self.batch_with_capacity(0);
        batch.add(builder, conditions, statistics)?;
        Ok(batch.finish().next().expect("the batch has one function"))
    }

    /// Starts the computation of the profiles of several functions.
    pub fn batch(&self) -> ProfileBatch {
        // The last function of a batch usually has further branches.
        self.batch_with_capacity(ProfileBatch::ENOUGH_BRANCHES * 5 / 4)
    }

    fn batch_with_capacity(&self, branches: usize) -> ProfileBatch {
        let queries = Queries::with_capacity(branches);
        ProfileBatch { predictor: self.clone(), profiles: Vec::new(), queries }
    }
}

/// The profiles of several functions. The results are equal to the results of [`Predictor::profile`], but a model
/// predicts the branches of all functions together, which is faster.
pub struct ProfileBatch {
    predictor: Predictor,
    /// The profile of each function. If the predictor has a model, these profiles use LLVM's rules, and do not have the
    /// predictions of the model yet.
    profiles: Vec<Profile>,
    queries: Queries,
}

impl ProfileBatch {
    /// If a batch has this number of branches, more branches do not make the prediction much faster.
    const ENOUGH_BRANCHES: usize = 1024;

    /// The maximum number of functions in a batch. The structures of this number of functions reuse memory.
    const MOST_FUNCTIONS: usize = 64;

    /// Adds a function. [`Predictor::profile`] describes the arguments.
    ///
    /// # Errors
    ///
    /// Returns an error if the statistics do not fit the function. The batch then does not contain the function.
    pub fn add(
        &mut self,
        builder: ProfileBuilder,
        conditions: &mut impl LoopConditions,
        statistics: impl FnOnce(&FunctionFacts) -> FunctionStatistics,
    ) -> Result<(), StatisticsError> {
        let Some(model) = &self.predictor.model else {
            self.profiles.push(builder.rules(self.predictor.rules.clone()).build_with(conditions));
            return Ok(());
        };
        let statistics = statistics(builder.facts());
        let unmeasured = builder.facts().has_profile().then(|| {
            let mut facts = builder.facts().clone();
            facts.forget_profile();
            Profile::builder(facts, builder.dialect()).build_with(conditions)
        });
        let (profile, estimates) = builder.rules(LLVM.clone()).build_with_estimates(conditions);
        self.queries.add_function(model, unmeasured.as_ref().unwrap_or(&profile), estimates, &statistics)?;
        self.profiles.push(profile);
        Ok(())
    }

    /// Whether the batch should be finished, because more functions would only need more memory.
    pub fn is_full(&self) -> bool {
        self.predictor.model.is_none()
            || self.queries.len() >= Self::ENOUGH_BRANCHES
            || self.profiles.len() >= Self::MOST_FUNCTIONS
    }

    /// The profiles of the added functions, in the order of the calls of [`ProfileBatch::add`].
    pub fn finish(self) -> impl Iterator<Item = Profile> {
        let ProfileBatch { predictor, profiles, queries } = self;
        let graphs = profiles.iter().map(|profile| profile.graph());
        let predictions = predictor.model.as_ref().map(|model| queries.predict(model, graphs));
        let mut predictions = predictions.unwrap_or_default().into_iter();
        profiles.into_iter().map(move |profile| match predictions.next() {
            Some(predictions) => {
                profile.with_predictions(predictor.rules.clone(), predictions.into()).expect(FITS)
            }
            None => profile,
        })
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
        assert_eq!(["llvm"].into_iter().chain(models).collect::<Vec<&str>>(), PREDICTORS);
        for name in PREDICTORS {
            assert_eq!(Predictor::named(name).expect("a built-in predictor").name(), name);
        }
        for (name, text) in TEXTS {
            assert_eq!(Predictor::named(name), Predictor::read(name, text).ok());
        }
        assert_eq!(Predictor::named("LLVM"), None);
        assert_eq!(Predictor::named(""), None);
    }
}
