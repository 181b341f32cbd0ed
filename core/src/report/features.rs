//! What `features` prints: one JSON object a branch, on a line of its own. docs/features.md describes it.

use cranelift_entity::{EntityRef, PrimaryMap};
use serde::{Serialize, Serializer};

use super::json::Digits;
use super::score::{PlaceColumns, ScoredFunction};
use crate::cfg::{table, Block};
use crate::features::{BranchFeatures, View, BRANCH_COUNT, BRANCH_NAMES, SIDE_COUNT, SIDE_NAMES};
use crate::score::{self, Kind};

/// The version of the format. It changes when something is removed or gets another meaning; what is added does not
/// change it.
pub(super) const FORMAT: u32 = 1;

/// Appends a line about each branch of `function` to `out`, with what was measured of it where something was. `view` is of the
/// same function, as it is answered.
pub fn write_features_json(function: &ScoredFunction, view: &View, out: &mut Vec<u8>) {
    // Both are in layout order, and what was measured covers all branches of the function or none.
    let mut measured = score::branches(function.measured, function.answered).into_iter().peekable();
    let mut totals = table(function.answered.graph().block_count(), 0);
    for row in view.branches() {
        while measured.next_if(|branch| branch.block < row.block).is_some() {}
        let measured = measured.next_if(|branch| branch.block == row.block);
        let answers = function.answers(&row, &mut totals);
        let document = function.features_document(
            &row,
            answers,
            measured.as_ref().filter(|branch| branch.executions > 0),
        );
        serde_json::to_writer(&mut *out, &document).expect("writing to memory does not fail");
        out.push(b'\n');
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

    fn features_document<'a>(
        &'a self,
        row: &'a BranchFeatures,
        answers: Vec<u32>,
        measured: Option<&'a score::Branch>,
    ) -> impl Serialize + 'a {
        let terminator = self.answered.facts().blocks()[row.block].terminator;
        let sides =
            row.sides.iter().zip(answers).enumerate().map(move |(place, (side, numerator))| SideRow {
                to: side.target.index(),
                numerator,
                truth: measured.map(|branch| branch.sides[place].truth),
                features: Named(&SIDE_NAMES, &side.values),
            });
        Document {
            format: FORMAT,
            llvm: self.answered.dialect().version,
            place: self.place(
                row.block,
                Kind::of(terminator, row.sides.len()).name(),
                self.source.branch(row.block),
            ),
            rule: self.answered.rule(row.block).name(),
            executions: measured.map(|branch| Digits(branch.executions)),
            features: Named(&BRANCH_NAMES, &row.values),
            sides: sides.collect(),
        }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    llvm: u32,
    #[serde(flatten)]
    place: PlaceColumns<'a>,
    rule: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    executions: Option<Digits>,
    features: Named<'a, BRANCH_COUNT>,
    sides: Vec<SideRow<'a>>,
}

#[derive(Serialize)]
struct SideRow<'a> {
    to: usize,
    numerator: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    truth: Option<u64>,
    features: Named<'a, SIDE_COUNT>,
}

/// Integers by their names.
pub(super) struct Named<'a, const COUNT: usize>(pub &'a [&'static str; COUNT], pub &'a [i32; COUNT]);

impl<const COUNT: usize> Serialize for Named<'_, COUNT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().zip(self.1))
    }
}
