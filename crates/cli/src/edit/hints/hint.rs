//! A source position at which a hint improves the predictions.

use super::branches::MeasuredBranch;
use super::dialect::Dialect;
use super::places::Place;
use bpa_schema::least_sure_share;

/// A source position at which a hint improves the predictions.
#[derive(Clone, Debug)]
pub struct Hint {
    pub place: Place,
    pub dialect: Dialect,
}

impl Hint {
    /// Returns true if the language has syntax for the hint. `branch` is the most executed branch at the source
    /// position of the hint.
    pub fn is_expressible(&self, branch: &MeasuredBranch) -> bool {
        match self.dialect {
            // The likely successor is not `default`: the hint needs the constant of a case.
            Dialect::BuiltinExpect if branch.is_switch => self.place.likely > 0,
            // Attributes and `cold_path` have no argument for the probability.
            Dialect::Attributes if branch.is_switch => self.place.share >= least_sure_share(),
            Dialect::Rust => self.place.share >= least_sure_share(),
            _ => true,
        }
    }
}
