//! What a model says of a function.

use super::contents::FunctionContents;
use super::rows::BranchFeatures;
use super::view::View;
use crate::bpi::Probability;
use crate::cfg::Block;
use crate::dialect::Dialect;
use crate::facts::{FunctionFacts, LoopConditions, Prediction, Terminator};
use crate::predictor::Model;
use crate::profile::Profile;

impl Model {
    /// Adds to `facts` what the model says of each two-way branch, for [`Rule::Learned`](crate::bpi::Rule::Learned) to
    /// go by. `contents` are those of the same function.
    ///
    /// It says nothing where LLVM knows rather than guesses: where a side never completes, does not return, unwinds or is
    /// cold. Its features are those without a profile, whether there is one or not.
    ///
    /// # Panics
    ///
    /// If `contents` are those of another function, where that is noticed.
    pub fn predict_branches(
        &self,
        facts: &mut FunctionFacts,
        contents: &FunctionContents,
        conditions: &mut impl LoopConditions,
        dialect: &'static Dialect,
    ) {
        let mut unmeasured = facts.clone();
        unmeasured.forget_profile();
        let profile = Profile::with_conditions(unmeasured, conditions, dialect);
        let view = View::new(&profile, contents);
        let graph = profile.graph();
        // Wide switches have many sides, of which nobody asks.
        let is_asked = |&block: &Block| {
            graph.tree().reaches(block)
                && profile.facts().blocks()[block].terminator == Terminator::Branch
                && !view.is_known(block)
        };
        let rows = graph.blocks().filter(is_asked).filter_map(|block| view.branch(block));
        facts.predictions = rows.map(|row| (row.block, self.prediction(&row))).collect();
    }

    fn prediction(&self, row: &BranchFeatures) -> Prediction {
        let sides = row.sides.iter().flat_map(|side| side.values);
        let features: Box<[i32]> = row.values.into_iter().chain(sides).collect();
        let first = self.predict(&features).numerator();
        Prediction { weights: [first, Probability::DENOMINATOR - first], features }
    }
}
