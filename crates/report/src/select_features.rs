//! Writes the JSON of option `features` for selects: one line for each `select`. docs/src/reference/features.md
//! describes the fields.

use bpa_schema::{BranchKind, Digits, Format, SelectedValue};

use super::features::named;
use super::json::write_line;
use super::score::ScoredFunction;
use bpa_model::features::{Select, SelectFeatures, SelectProfile, View, SELECT_NAMES, VALUE_NAMES};
use bpa_profile::source::Position;

/// Appends a line for each reachable `select` of `function` to `out`. If the `select` was executed, the line includes
/// profiled counts. `view` is the [`View`] of the function. `position` returns the source position of the `select` with
/// the given index.
pub fn write_select_features_json(
    function: &ScoredFunction,
    view: &View,
    position: impl Fn(usize) -> Option<Position>,
    out: &mut Vec<u8>,
) {
    for row in view.selects() {
        let position = position(row.place);
        write_line(&function.select_row(&row, view.select(row.place), position.as_ref()), out);
    }
}

impl ScoredFunction<'_> {
    fn select_row<'a>(
        &'a self,
        row: &SelectFeatures,
        select: &Select,
        position: Option<&'a Position>,
    ) -> bpa_schema::SelectFeatures<'a> {
        let measured = self.measured_select(select);
        let values = [0, 1].map(|place| SelectedValue {
            truth: measured.map(|(_, weights)| weights[place]),
            features: named(&VALUE_NAMES, &row.choices[place]),
        });
        bpa_schema::SelectFeatures {
            format: Format,
            llvm: self.predicted.dialect().version,
            place: self.place(select.block, BranchKind::Select, position),
            select: select.index,
            executions: measured.map(|(executions, _)| Digits(executions)),
            features: named(&SELECT_NAMES, &row.values),
            values,
        }
    }

    /// The profiled executions and weights of a `select`. The result is `None` if the profile does not show that the
    /// `select` was executed. [`compared::branches`](crate::compared::branches) decides in the same way whether a
    /// branch was executed.
    fn measured_select(&self, select: &Select) -> Option<(u64, [u32; 2])> {
        let SelectProfile::Weights(weights) = select.profile else { return None };
        self.measured.facts().measured_entries()?;
        let executions = self.measured.count(select.block).filter(|&executions| executions > 0)?;
        (weights != [0, 0]).then_some((executions, weights))
    }
}
