//! What `features` prints of selects: one JSON object each, on a line of its own. docs/features.md describes it.

use serde::Serialize;

use super::features::{Named, FORMAT};
use super::json::Digits;
use super::score::{PlaceColumns, ScoredFunction};
use crate::features::{
    Select, SelectFeatures, SelectProfile, View, SELECT_COUNT, SELECT_NAMES, VALUE_COUNT, VALUE_NAMES,
};
use crate::source::SourcePosition;

/// Appends a line about each `select` of `function` that the entry reaches to `out`, with what was measured of it where
/// something was. `view` is of the same function, and `position` tells where in the source a `select` stands, by its place.
pub fn write_select_features_json(
    function: &ScoredFunction,
    view: &View,
    position: impl Fn(usize) -> Option<SourcePosition>,
    out: &mut Vec<u8>,
) {
    for row in view.selects() {
        let position = position(row.place);
        let document = function.select_document(&row, view.select(row.place), position.as_ref());
        serde_json::to_writer(&mut *out, &document).expect("writing to memory does not fail");
        out.push(b'\n');
    }
}

impl ScoredFunction<'_> {
    fn select_document<'a>(
        &'a self,
        row: &'a SelectFeatures,
        select: &Select,
        position: Option<&'a SourcePosition>,
    ) -> impl Serialize + 'a {
        let measured = self.measured_select(select);
        let values = [0, 1].map(|place| ValueRow {
            truth: measured.map(|(_, weights)| weights[place]),
            features: Named(&VALUE_NAMES, &row.sides[place]),
        });
        Document {
            format: FORMAT,
            llvm: self.answered.dialect().version,
            place: self.place(select.block, "select", position),
            select: select.index,
            executions: measured.map(|(executions, _)| Digits(executions)),
            features: Named(&SELECT_NAMES, &row.values),
            values,
        }
    }

    /// How often a `select` ran, and its weights; nothing if no profile says that it ran. The same is held of branches.
    fn measured_select(&self, select: &Select) -> Option<(u64, [u32; 2])> {
        let SelectProfile::Weights(weights) = select.profile else { return None };
        self.measured.facts().measured_entries()?;
        let executions = self.measured.count(select.block).filter(|&executions| executions > 0)?;
        (weights != [0, 0]).then_some((executions, weights))
    }
}

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    llvm: u32,
    #[serde(flatten)]
    place: PlaceColumns<'a>,
    /// Which of the selects of its block it is.
    select: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    executions: Option<Digits>,
    features: Named<'a, SELECT_COUNT>,
    values: [ValueRow<'a>; 2],
}

#[derive(Serialize)]
struct ValueRow<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    truth: Option<u32>,
    features: Named<'a, VALUE_COUNT>,
}
