//! A model: trees over the [features](crate::features) of branches and selects, learned from profiles.
//!
//! Trees add to the log-odds of what is asked: of a two-way branch, that it goes to its first side; of a switch, for each
//! side, that it goes there, and the shares of all sides are then made one; of a `select`, that its condition holds. All are
//! integers, so that a model gives the same answers on every machine. That trees which are fitted one after the other to what
//! is left over make a good model is the work of Jerome Friedman, "Greedy function approximation: a gradient boosting machine"
//! (Annals of Statistics 29(5), 2001).

mod branches;
mod file;
mod logistic;
mod matrix;
mod node;
mod scorer;
mod selects;
mod source;
mod trees;

use crate::features::{
    BRANCH_COUNT, BRANCH_NAMES, SELECT_COUNT, SELECT_NAMES, SIDE_COUNT, SIDE_NAMES, VALUE_COUNT, VALUE_NAMES,
};
pub use matrix::FeatureMatrix;
pub use trees::{FeatureAmount, Trees};

/// Trees for each kind of branch, and for selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    two_way: Trees,
    switch: Option<Trees>,
    select: Option<Trees>,
}

/// What a part of a model answers about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelPart {
    /// Branches with two sides: whether they go to the first.
    TwoWay,
    /// Sides of switches: whether they are taken.
    Switch,
    /// Selects: whether their conditions hold.
    Select,
}

impl ModelPart {
    /// All parts, in their order in files.
    pub(crate) const ALL: [ModelPart; 3] = [ModelPart::TwoWay, ModelPart::Switch, ModelPart::Select];

    /// The part's name in files.
    pub const fn name(self) -> &'static str {
        match self {
            ModelPart::TwoWay => "two-way",
            ModelPart::Switch => "switch",
            ModelPart::Select => "select",
        }
    }

    /// What features are called, in the order in which the part is asked with them: those of the branch or `select`, and of
    /// each side or value that is looked at.
    pub fn feature_names(self) -> Vec<String> {
        match self {
            ModelPart::TwoWay => with_sides(&BRANCH_NAMES, &["first", "second"], &SIDE_NAMES),
            ModelPart::Switch => with_sides(&BRANCH_NAMES, &["side"], &SIDE_NAMES),
            ModelPart::Select => with_sides(&SELECT_NAMES, &["first", "second"], &VALUE_NAMES),
        }
    }

    /// How many those are.
    pub const fn feature_count(self) -> usize {
        match self {
            ModelPart::TwoWay => BRANCH_COUNT + 2 * SIDE_COUNT,
            ModelPart::Switch => BRANCH_COUNT + SIDE_COUNT,
            ModelPart::Select => SELECT_COUNT + 2 * VALUE_COUNT,
        }
    }
}

fn with_sides(own: &[&str], sides: &[&str], of_side: &[&str]) -> Vec<String> {
    let of_sides = sides.iter().flat_map(|side| of_side.iter().map(move |name| format!("{side}.{name}")));
    own.iter().map(ToString::to_string).chain(of_sides).collect()
}

impl Model {
    /// The trees of a part, if the model has it.
    pub fn part(&self, part: ModelPart) -> Option<&Trees> {
        match part {
            ModelPart::TwoWay => Some(&self.two_way),
            ModelPart::Switch => self.switch.as_ref(),
            ModelPart::Select => self.select.as_ref(),
        }
    }
}

#[cfg(test)]
mod prediction_tests;
#[cfg(test)]
mod tests;
