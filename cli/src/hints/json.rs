//! Hints as one JSON document: docs/hints.md describes it.

use serde::Serialize;

use super::finding::Finding;
use super::places::Sums;
use super::ranking::{Counts, Ranking};

/// The version of the format. It changes when something is removed or gets another meaning; what is added does not
/// change it.
const FORMAT: u32 = 2;

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    totals: Totals,
    hints: &'a [Finding],
}

#[derive(Serialize)]
struct Totals {
    /// Places of the source with a branch that ran.
    measured_places: usize,
    executions: u64,
    misses: u64,
    avoidable_misses: u64,
    /// What all hints avoid, shown or not.
    wanted: Part,
    /// What the hints of this document avoid.
    shown: Part,
    inexpressible: Part,
    system: Part,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Serialize)]
struct Part {
    places: usize,
    avoided_misses: u64,
}

impl Part {
    fn of(sums: &Sums) -> Self {
        Part { places: sums.places, avoided_misses: sums.avoided.round() as u64 }
    }
}

pub fn document(ranking: &Ranking, findings: &[Finding], counts: Counts) -> String {
    let measured = &ranking.measured;
    let [executions, misses, avoidable_misses] =
        [measured.executions, measured.misses, measured.avoidable_misses].map(|count| count.round() as u64);
    let totals = Totals {
        measured_places: measured.places,
        executions,
        misses,
        avoidable_misses,
        wanted: Part::of(&ranking.wanted),
        shown: Part::of(&ranking.shown(findings.len())),
        inexpressible: Part::of(&ranking.inexpressible),
        system: Part::of(&ranking.system),
        counts,
    };
    let document = Document { format: FORMAT, totals, hints: findings };
    serde_json::to_string_pretty(&document).expect("all keys are text") + "\n"
}
