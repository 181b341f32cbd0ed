//! Writes the JSON of option `features`: one line for each branch. docs/src/reference/features.md describes the fields.

use bpa_schema::{Digits, Format, Named, SuccessorFeatures};
use cranelift_entity::{EntityRef, PrimaryMap};

use super::json::write_line;
use super::score::ScoredFunction;
use crate::compared::{self, kind_of};
use bpa_model::features::{self, BranchFeatures, View, BRANCH_NAMES, SUCCESSOR_NAMES};
use bpa_profile::cfg::{table, Block};

/// Appends a line for each branch of `function` to `out`. If the branch was executed, the line includes profiled
/// counts. `view` is a view of the same function with static predictions.
pub fn write_features_json(function: &ScoredFunction, view: &View, out: &mut Vec<u8>) {
    // The branches of `view` and of `measured` are in layout order. `measured` contains all branches of the function,
    // or is empty.
    let mut measured = compared::branches(function.measured, function.predicted).into_iter().peekable();
    let mut totals = table(function.predicted.graph().block_count(), 0);
    for row in view.branches() {
        while measured.next_if(|branch| branch.block < row.block).is_some() {}
        let measured = measured.next_if(|branch| branch.block == row.block);
        let predicted = function.predicted_numerators(&row, &mut totals);
        let measured = measured.as_ref().filter(|branch| branch.executions > 0);
        write_line(&function.features_row(&row, predicted, measured), out);
    }
}

impl ScoredFunction<'_> {
    /// The predicted probability of each successor. A branch may have as many successors as the function has blocks, so
    /// all probabilities are computed in one pass. `totals` is a scratch table of sums. Between calls, all sums are 0.
    fn predicted_numerators(&self, row: &BranchFeatures, totals: &mut PrimaryMap<Block, u32>) -> Vec<u32> {
        let mut numerators = Vec::with_capacity(row.successors.len());
        let result = self.predicted.branch_probabilities();
        result.for_each_target(self.predicted.graph(), row.block, totals, |target, probability| {
            // The row lists successors in the order of their first edges.
            if row.successors.get(numerators.len()).is_some_and(|successor| successor.target == target) {
                numerators.push(probability.numerator());
            }
        });
        numerators
    }

    fn features_row(
        &self,
        row: &BranchFeatures,
        predicted: Vec<u32>,
        measured: Option<&compared::Branch>,
    ) -> bpa_schema::BranchFeatures<'_> {
        let terminator = self.predicted.facts().blocks()[row.block].terminator;
        let successors = row.successors.iter().zip(predicted).enumerate();
        let successor = |(place, (successor, numerator)): (usize, (&features::SuccessorFeatures, u32))| {
            SuccessorFeatures {
                to: successor.target.index(),
                numerator,
                truth: measured.map(|branch| branch.successors[place].truth),
                features: Named::new(&SUCCESSOR_NAMES, &successor.values),
            }
        };
        let kind = kind_of(terminator, row.successors.len());
        bpa_schema::BranchFeatures {
            format: Format,
            llvm: self.predicted.dialect().version,
            place: self.place(row.block, kind, self.source.branch(row.block)),
            rule: self.predicted.rule(row.block).unwrap_or_default(),
            executions: measured.map(|branch| Digits(branch.executions)),
            features: Named::new(&BRANCH_NAMES, &row.values),
            successors: successors.map(successor).collect(),
        }
    }
}
