//! Writes the JSON of option `features`: one line for each branch. docs/src/reference/features.md describes the fields.

use bpa_schema::{Digits, Format, Named, SuccessorFeatures};
use cranelift_entity::EntityRef;

use super::json::write_line;
use super::score::ScoredFunction;
use crate::compared::{self, kind_of};
use crate::successors::{Successor, Successors};
use bpa_model::features::{BranchFeatures, View, BRANCH_NAMES, SUCCESSOR_NAMES};

/// Appends a line for each branch of `function` to `out`. If the branch was executed, the line includes profiled
/// counts. `view` is a view of the same function with static predictions.
pub fn write_features_json(function: &ScoredFunction, view: &View, out: &mut Vec<u8>) {
    // The branches of `view` and of `measured` are in layout order. `measured` contains all branches of the function,
    // or is empty.
    let mut measured = compared::branches(function.measured, function.predicted).into_iter().peekable();
    let mut successors = Successors::new(function.predicted);
    for row in view.branches() {
        while measured.next_if(|branch| branch.block < row.block).is_some() {}
        let measured = measured.next_if(|branch| branch.block == row.block);
        let predicted = successors.of(row.block);
        let measured = measured.as_ref().filter(|branch| branch.executions > 0);
        write_line(&function.features_row(&row, predicted, measured), out);
    }
}

/// Pairs each name in `names` with the value at the same index in `values`.
pub(super) fn named<'a>(names: &[&'a str], values: &[i32]) -> Named<'a> {
    names.iter().zip(values).map(|(&name, &value)| (name.into(), value)).collect()
}

impl ScoredFunction<'_> {
    fn features_row(
        &self,
        row: &BranchFeatures,
        predicted: Vec<Successor>,
        measured: Option<&compared::Branch>,
    ) -> bpa_schema::BranchFeatures<'_> {
        let terminator = self.predicted.facts().blocks()[row.block].terminator;
        // Both lists have one element per successor, in the order of the first edge to each successor.
        let successors = row.successors.iter().zip(predicted).enumerate();
        let successors = successors.map(|(place, (successor, predicted))| SuccessorFeatures {
            to: successor.target.index(),
            numerator: predicted.probability.numerator(),
            truth: measured.map(|branch| branch.successors[place].truth),
            features: named(&SUCCESSOR_NAMES, &successor.values),
        });
        let kind = kind_of(terminator, row.successors.len());
        bpa_schema::BranchFeatures {
            format: Format,
            llvm: self.predicted.dialect().version,
            place: self.place(row.block, kind, self.source.branch(row.block)),
            rule: self.predicted.rule(row.block).unwrap_or_default(),
            executions: measured.map(|branch| Digits(branch.executions)),
            features: named(&BRANCH_NAMES, &row.values),
            successors: successors.collect(),
        }
    }
}
