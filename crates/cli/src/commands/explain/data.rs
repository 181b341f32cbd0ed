//! The output of `bpa explain` as JSON and SARIF.

use bpa_schema::{Digits, Format, SourceBranch as Row, SourceSuccessor, WHOLE};

use crate::base::demangle;
use crate::base::error::Result;
use crate::base::output;
use crate::print::diagnostic::{self, MERGED};
use crate::print::sarif::{self, Finding, Rule, Span};
use crate::print::words::SourceWords;
use crate::study::branch::{Branch, Successor};
use crate::study::merged::SourceBranch;
use crate::study::place;
use crate::study::source::Sources;

/// Prints one line of JSON per branch.
pub fn print_json(branches: &[SourceBranch], sources: &Sources) -> Result<()> {
    output::print_json_lines(branches.iter().map(|branch| row(branch, sources)))
}

fn row(merged: &SourceBranch, sources: &Sources) -> Row {
    let branch = merged.first();
    let (place, inlined_at) = place::columns(branch.position());
    Row {
        format: Format,
        place,
        inlined_at,
        function: demangle::name_of(branch.function),
        symbol: branch.function.function.to_string(),
        rule: branch.edges[0].rule,
        reason: SourceWords::new(branch, sources).reason(),
        successors: branch.successors().iter().map(|one| successor_row(branch, one)).collect(),
        frequency: branch.frequency,
        executions: branch.executions().map(|_| Digits(merged.weight as u64)),
        copies: merged.copies.len(),
        merged: diagnostic::is_merged(branch, sources),
    }
}

fn successor_row(branch: &Branch, successor: &Successor) -> SourceSuccessor {
    SourceSuccessor {
        place: place::target(branch, successor.to),
        line: place::beginning(branch, successor.to).map(|first| first.line),
        probability: f64::from(successor.numerator) / f64::from(WHOLE),
    }
}

const RULES: [Rule; 1] = [Rule {
    id: "branch-probability",
    description: "The predicted probabilities of a branch, and the reason.",
}];

/// Prints all branches with a known line as SARIF notes.
pub fn print_sarif(branches: &[SourceBranch], sources: &Sources) -> Result<()> {
    let findings: Vec<Finding> = branches.iter().filter_map(|branch| finding(branch, sources)).collect();
    sarif::print(&RULES, &findings)
}

fn finding(merged: &SourceBranch, sources: &Sources) -> Option<Finding> {
    let branch = merged.first();
    let frame = &branch.position()?.frame;
    let reason = SourceWords::new(branch, sources).reason();
    let reason = reason.map(|reason| format!(". {reason}")).unwrap_or_default();
    let note = if diagnostic::is_merged(branch, sources) { format!(". {MERGED}") } else { String::new() };
    let mut properties = serde_json::Map::new();
    properties.insert("predictedBy".into(), branch.edges[0].rule.to_string().into());
    properties.insert("copies".into(), merged.copies.len().into());
    Some(Finding {
        rule: RULES[0].id,
        is_warning: false,
        message: diagnostic::shares_in_line(branch) + &reason + &note,
        span: Span::of(frame, sources),
        properties,
        ..Finding::default()
    })
}
