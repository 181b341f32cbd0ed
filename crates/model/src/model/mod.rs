//! A model consists of decision trees over the [features](crate::features) of branches and functions. A model is
//! trained on profiles.
//!
//! The sum of the results of all trees is the natural logarithm of the predicted odds. For a two-way branch, the sum is
//! computed once, for the odds of the first successor. For a switch, the trees predict each successor separately, and
//! the probabilities are then scaled so that they add up to 1. For a function, the sum is the logarithm of the number of calls or executed
//! instructions, divided by the mean of all functions in the module. All numbers are integers, so the predictions of a
//! model are the same on every machine.
//!
//! In training, each tree is fitted to the remaining error of the previous trees. This method is from Jerome Friedman,
//! "Greedy function approximation: a gradient boosting machine" (Annals of Statistics 29(5), 2001).

mod branches;
mod file;
mod functions;
mod logistic;
mod matrix;
mod scorer;
mod trees;

use std::sync::OnceLock;

use crate::features::{
    BRANCH_COUNT, BRANCH_NAMES, FUNCTION_COUNT, FUNCTION_NAMES, SUCCESSOR_COUNT, SUCCESSOR_NAMES,
};
pub(crate) use branches::Queries;
pub use functions::estimate_calls;
pub use matrix::FeatureMatrix;
pub use trees::{FeatureAmount, Trees};

/// A trained model: the trees of each [`ModelPart`].
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The parts in the order of [`ModelPart::ALL`].
    parts: [LazyPart; ModelPart::ALL.len()],
}

/// A part of a model, or nothing if the model does not have this part.
#[derive(Clone, Debug, Default)]
struct LazyPart {
    /// The text from which the part is read at its first use, or `None` if the part is already read.
    text: Option<&'static str>,
    trees: OnceLock<Trees>,
}

/// The parts of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelPart {
    /// Branches with two successors. This part of the model predicts the probability of the first successor.
    TwoWay,
    /// Switches. This part of the model predicts the probability of each successor.
    Switch,
    /// Functions. This part of the model predicts the number of calls.
    Calls,
    /// Functions. This part of the model predicts the number of executed instructions.
    Time,
}

impl ModelPart {
    /// All parts of a model, in the order of a model file.
    pub(crate) const ALL: [ModelPart; 4] =
        [ModelPart::TwoWay, ModelPart::Switch, ModelPart::Calls, ModelPart::Time];

    /// The name of the part in a model file.
    pub const fn name(self) -> &'static str {
        match self {
            ModelPart::TwoWay => "two-way",
            ModelPart::Switch => "switch",
            ModelPart::Calls => "calls",
            ModelPart::Time => "time",
        }
    }

    /// The names of the features that this part of a model uses, in order. The features of the branch precede the
    /// features of each successor.
    pub fn feature_names(self) -> Vec<String> {
        match self {
            ModelPart::TwoWay => with_items(&BRANCH_NAMES, &["first", "second"], &SUCCESSOR_NAMES),
            ModelPart::Switch => with_items(&BRANCH_NAMES, &["side"], &SUCCESSOR_NAMES),
            ModelPart::Calls | ModelPart::Time => with_items(&FUNCTION_NAMES, &[], &[]),
        }
    }

    /// The number of features that this part of a model uses.
    pub(crate) const fn feature_count(self) -> usize {
        match self {
            ModelPart::TwoWay => BRANCH_COUNT + 2 * SUCCESSOR_COUNT,
            ModelPart::Switch => BRANCH_COUNT + SUCCESSOR_COUNT,
            ModelPart::Calls | ModelPart::Time => FUNCTION_COUNT,
        }
    }
}

fn with_items(own: &[&str], items: &[&str], of_item: &[&str]) -> Vec<String> {
    let of_items = items.iter().flat_map(|item| of_item.iter().map(move |name| format!("{item}.{name}")));
    own.iter().map(ToString::to_string).chain(of_items).collect()
}

impl Model {
    /// The trees of `part`, or `None` if the model does not have this part.
    pub fn part(&self, part: ModelPart) -> Option<&Trees> {
        let LazyPart { text, trees } = &self.parts[part as usize];
        match text {
            Some(text) => Some(trees.get_or_init(|| file::built_in_part(part, text))),
            None => trees.get(),
        }
    }
}

impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        ModelPart::ALL.iter().all(|&part| self.part(part) == other.part(part))
    }
}

impl Eq for Model {}

#[cfg(test)]
mod prediction_tests;
#[cfg(test)]
mod tests;
