//! What `features` prints: one JSON object a branch, on a line of its own. docs/src/reference/features.md describes it.

use bpa_schema::{Digits, Format, Named, SideFeatures as SideRow};
use cranelift_entity::{EntityRef, PrimaryMap};

use super::json::write_line;
use super::score::ScoredFunction;
use crate::compared::{self, Kind};
use crate::schema::IntoSchema;
use bpa_model::features::{BranchFeatures, SideFeatures, View, BRANCH_NAMES, SIDE_NAMES};
use bpa_profile::cfg::{table, Block};

/// Appends a line about each branch of `function` to `out`, with what was measured of it where something was. `view` is of the
/// same function, as it is answered.
pub fn write_features_json(function: &ScoredFunction, view: &View, out: &mut Vec<u8>) {
    // Both are in layout order, and what was measured covers all branches of the function or none.
    let mut measured = compared::branches(function.measured, function.answered).into_iter().peekable();
    let mut totals = table(function.answered.graph().block_count(), 0);
    for row in view.branches() {
        while measured.next_if(|branch| branch.block < row.block).is_some() {}
        let measured = measured.next_if(|branch| branch.block == row.block);
        let answers = function.answers(&row, &mut totals);
        let measured = measured.as_ref().filter(|branch| branch.executions > 0);
        write_line(&function.features_row(&row, answers, measured), out);
    }
}

impl ScoredFunction<'_> {
    /// The answer for each side: as a branch may have as many as there are blocks, all of them at once. `totals` is memory for
    /// sums, all zero between calls.
    fn answers(&self, row: &BranchFeatures, totals: &mut PrimaryMap<Block, u32>) -> Vec<u32> {
        let mut answers = Vec::with_capacity(row.sides.len());
        let result = self.answered.branch_probabilities();
        result.for_each_target(self.answered.graph(), row.block, totals, |target, answer| {
            // Sides are in the order of their first edges.
            if row.sides.get(answers.len()).is_some_and(|side| side.target == target) {
                answers.push(answer.numerator());
            }
        });
        answers
    }

    fn features_row(
        &self,
        row: &BranchFeatures,
        answers: Vec<u32>,
        measured: Option<&compared::Branch>,
    ) -> bpa_schema::BranchFeatures<'_> {
        let terminator = self.answered.facts().blocks()[row.block].terminator;
        let sides = row.sides.iter().zip(answers).enumerate();
        let side = |(place, (side, numerator)): (usize, (&SideFeatures, u32))| SideRow {
            to: side.target.index(),
            numerator,
            truth: measured.map(|branch| branch.sides[place].truth),
            features: Named::new(&SIDE_NAMES, &side.values),
        };
        let kind = Kind::of(terminator, row.sides.len()).into_schema();
        bpa_schema::BranchFeatures {
            format: Format,
            llvm: self.answered.dialect().version,
            place: self.place(row.block, kind, self.source.branch(row.block)),
            rule: self.answered.rule(row.block).unwrap_or_default().into(),
            executions: measured.map(|branch| Digits(branch.executions)),
            features: Named::new(&BRANCH_NAMES, &row.values),
            sides: sides.map(side).collect(),
        }
    }
}
