//! The same as data.

use bpa_schema::{Digits, Format, Frame, MeasuredBranch, MeasuredSuccessor};

use super::Scored;
use crate::error::Result;
use crate::sarif::{self, Finding, Rule, Span};
use crate::source::Sources;
use crate::{demangle, output, place};

/// Prints each branch as a line of JSON.
pub fn print_json(scored: &[Scored]) -> Result<()> {
    let line = |one: &Scored| serde_json::to_string(&row(one)).expect("it is text and numbers") + "\n";
    output::print(&scored.iter().map(line).collect::<String>())
}

fn row(one: &Scored) -> MeasuredBranch {
    let Scored { branch, counts } = one;
    let position = branch.position();
    let successors = counts.successors().iter().map(|successor| MeasuredSuccessor {
        place: place::target(branch, successor.to),
        line: branch.function.blocks[successor.to].first.as_ref().map(|first| first.frame.line),
        predicted: successor.predicted,
        count: Digits(successor.count),
    });
    MeasuredBranch {
        format: Format,
        place: position.map(|position| position.frame.to_owned_text()),
        inlined_at: position
            .map(|position| position.inlined_at.iter().map(Frame::to_owned_text).collect())
            .unwrap_or_default(),
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

/// Prints the branches that are predicted wrongly, and whose line is known.
pub fn print_sarif(scored: &[Scored], sources: &Sources) -> Result<()> {
    let findings: Vec<Finding> = scored.iter().filter_map(|one| finding(one, sources)).collect();
    sarif::print(&RULES, &findings)
}

fn finding(one: &Scored, sources: &Sources) -> Option<Finding> {
    let avoidable = one.counts.avoidable_misses();
    let frame = &one.branch.position()?.frame;
    let mut properties = serde_json::Map::new();
    properties.insert("executions".into(), one.counts.executions().into());
    properties.insert("avoidableMispredictions".into(), avoidable.into());
    (avoidable > 0.0).then(|| Finding {
        rule: RULES[0].id,
        is_warning: true,
        message: super::words(one).title,
        span: Span::of(frame, sources),
        properties,
        ..Finding::default()
    })
}
