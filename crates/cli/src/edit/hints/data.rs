//! Prints hints as data: one JSON document, or SARIF.

use bpa_schema::{Digits, Format, HintFinding, HintSum, HintTotals, SourceHint, SourceHints};

use super::finding::whole;
use super::places::Sums;
use super::ranking::{Counts, Ranking};
use crate::base::error::Result;
use crate::base::output;
use crate::print::sarif::{self, Finding, Rule, Span};

/// Prints the hints and the totals as one line of JSON.
pub fn print_json(ranking: &Ranking, hints: Vec<SourceHint>, counts: Counts) -> Result<()> {
    let measured = &ranking.measured;
    let totals = HintTotals {
        measured_places: measured.places,
        executions: whole(measured.executions),
        misses: whole(measured.misses),
        avoidable_misses: whole(measured.avoidable_misses),
        wanted: sum(&ranking.wanted),
        shown: HintSum { places: hints.len(), avoided_misses: avoided(&hints) },
        inexpressible: sum(&ranking.inexpressible),
        system: sum(&ranking.system),
        never_ran_branches: counts.never_ran_branches,
        functions: counts.functions.all,
        functions_without_profile: counts.functions.all - counts.functions.profiled,
    };
    let document = SourceHints { format: Format, totals, hints };
    output::print_json_lines([document])
}

/// The total number of misses that `hints` would avoid.
pub fn avoided(hints: &[SourceHint]) -> Digits {
    Digits(hints.iter().map(|hint| hint.avoided_misses.0).sum())
}

fn sum(sums: &Sums) -> HintSum {
    HintSum { places: sums.places, avoided_misses: whole(sums.avoided) }
}

const MISSING_HINT: Rule = Rule {
    id: "missing-hint",
    description:
        "The compiler mispredicts most executions of a branch, and a hint would avoid the mispredictions.",
};

const WRONG_HINT: Rule =
    Rule { id: "wrong-hint", description: "A hint in the source contradicts the measured profile." };

/// Prints the hints with a known line as SARIF.
pub fn print_sarif(hints: &[SourceHint]) -> Result<()> {
    let findings: Vec<Finding> = hints.iter().filter_map(finding).collect();
    sarif::print(&[MISSING_HINT, WRONG_HINT], &findings)
}

fn finding(hint: &SourceHint) -> Option<Finding> {
    let place = hint.place.as_ref()?;
    let columns = Columns::of(&place.file);
    let span = |line: u32, column: u32, end_line: u32, end_column: u32| Span {
        file: place.file.clone(),
        line,
        column: columns.characters(line, column),
        end_line,
        end_column: columns.characters(end_line, end_column),
    };
    let replacements = hint.fix.iter().flat_map(|fix| &fix.replacements);
    let edit = |one: &bpa_schema::HintReplacement| {
        (span(one.line, one.column, one.end_line, one.end_column), one.text.clone())
    };
    let mut properties = serde_json::Map::new();
    properties.insert("executions".into(), hint.executions.0.into());
    properties.insert("avoidedMisses".into(), hint.avoided_misses.0.into());
    properties.insert("predictedBy".into(), hint.rule.to_string().into());
    properties.insert("instances".into(), hint.instances.into());
    let rule = match hint.finding {
        HintFinding::MissingHint => MISSING_HINT,
        HintFinding::WrongHint => WRONG_HINT,
    };
    Some(Finding {
        rule: rule.id,
        is_warning: true,
        message: format!("{}; {}.", hint.message, hint.advice),
        span: span(
            place.line,
            place.column,
            place.end_line.unwrap_or_default(),
            place.end_column.unwrap_or_default(),
        ),
        edits: replacements.map(edit).collect(),
        properties,
    })
}

/// The text of a file. The text is needed to convert columns: clang counts bytes, and SARIF counts characters.
struct Columns(Vec<u8>);

impl Columns {
    fn of(file: &str) -> Self {
        Columns(std::fs::read(file).unwrap_or_default())
    }

    /// Converts a column that counts bytes to a column that counts characters. `line` is the number of the line. Lines
    /// and columns start at 1.
    fn characters(&self, line: u32, column: u32) -> u32 {
        let text =
            self.0.split(|&byte| byte == b'\n').nth((line as usize).saturating_sub(1)).unwrap_or_default();
        let before = &text[..(column.saturating_sub(1) as usize).min(text.len())];
        // UTF-8 continuation bytes do not begin a character.
        let others = before.iter().filter(|&&byte| byte & 0xc0 == 0x80).count();
        column - u32::try_from(others).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters() {
        let columns = Columns("a\n\u{e4}\u{df} x".into());
        assert_eq!(columns.characters(2, 6), 4);
        assert_eq!(columns.characters(1, 1), 1);
        assert_eq!((columns.characters(9, 3), columns.characters(0, 0)), (3, 0));
    }
}
