//! The output of `bpa score` as JSON and SARIF.

use bpa_schema::{Digits, Format, MeasuredBranch, MeasuredSuccessor};

use super::Scored;
use crate::base::demangle;
use crate::base::error::Result;
use crate::base::output;
use crate::print::sarif::{self, Finding, Rule, Span};
use crate::study::merged::SourceBranch;
use crate::study::place;
use crate::study::source::Sources;

/// Prints one line of JSON per branch.
pub fn print_json(scored: &[Scored]) -> Result<()> {
    output::print_json_lines(scored.iter().map(row))
}

fn row(one: &Scored) -> MeasuredBranch {
    let Scored { branch, counts } = one;
    let (place, inlined_at) = place::columns(branch.position());
    let successors = counts.successors().iter().map(|successor| MeasuredSuccessor {
        place: place::target(branch, successor.to),
        line: place::beginning(branch, successor.to).map(|first| first.line),
        predicted: successor.predicted,
        count: Digits(successor.count),
    });
    MeasuredBranch {
        format: Format,
        place,
        inlined_at,
        function: demangle::name_of(branch.function),
        symbol: branch.function.function.to_string(),
        calls: branch.function.entry_count.map_or(Digits(0), |entries| entries.count),
        rule: branch.scored.map_or(branch.edges[0].rule, |scored| scored.rule),
        executions: Digits(counts.executions()),
        approximate: counts.is_approximate,
        avoidable_mispredictions: counts.avoidable_misses(),
        successors: successors.collect(),
    }
}

const RULES: [Rule; 1] = [Rule {
    id: "misprediction",
    description: "A measured profile contradicts the static prediction of a branch.",
}];

/// Prints the mispredicted branches with a known line as SARIF warnings.
pub fn print_sarif(wrong: &[SourceBranch], sources: &Sources) -> Result<()> {
    let findings: Vec<Finding> = wrong.iter().filter_map(|one| finding(one, sources)).collect();
    sarif::print(&RULES, &findings)
}

fn finding(merged: &SourceBranch, sources: &Sources) -> Option<Finding> {
    let frame = &merged.first().position()?.frame;
    let executions = super::taken(merged).iter().fold(0, |sum: u64, &count| sum.saturating_add(count));
    let mut properties = serde_json::Map::new();
    properties.insert("executions".into(), executions.into());
    properties.insert("avoidableMispredictions".into(), merged.weight.into());
    properties.insert("copies".into(), merged.copies.len().into());
    Some(Finding {
        rule: RULES[0].id,
        is_warning: true,
        message: super::words(merged).title,
        span: Span::of(frame, sources),
        properties,
        ..Finding::default()
    })
}
