//! A hint as data: what is wrong where, and what to write.

use serde::Serialize;

use super::branches::{MeasuredBranch, Side};
use super::dialect::Dialect;
use super::ranking::Hint;
use super::wording;
use crate::patch::choose;
use crate::patch::edit::{apply, Edit, Reason};
use crate::patch::files::Files;
use crate::patch::LeftOut;
use crate::{place, shares};
use bpa_schema::{Frame, Rule as PredictionRule};

/// A place where a hint would avoid misses.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    pub rule: Rule,
    /// What was measured and what is predicted.
    pub message: String,
    /// What to write.
    pub advice: String,
    /// None without debug information.
    #[serde(flatten)]
    pub location: Option<Location>,
    pub function: String,
    pub instances: usize,
    pub kind: &'static str,
    pub executions: u64,
    pub misses: u64,
    pub avoided_misses: u64,
    /// The rule that predicts the instance which ran most often, and how likely it calls what mostly happens.
    pub predicted_by: PredictionRule,
    pub predicted: f64,
    pub likely: Likely,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The static prediction is wrong.
    MissingHint,
    /// A hint in the source is wrong.
    WrongHint,
}

#[derive(Clone, Debug, Serialize)]
pub struct Location {
    pub file: String,
    pub line: usize,
    pub column: usize,
    /// Behind the condition, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<usize>,
}

/// What mostly happens.
#[derive(Clone, Debug, Serialize)]
pub struct Likely {
    pub share: f64,
    /// The value of the condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<bool>,
    /// Where the branch goes then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// An edit that is certain.
#[derive(Clone, Debug, Serialize)]
pub struct Fix {
    pub replacements: Vec<Replacement>,
    /// The lines that it changes, from `location.line` or an earlier one on: as they are, and as they should read.
    pub first_line: usize,
    pub before: String,
    pub after: String,
}

/// `text` instead of what is between two places, whose lines and columns (bytes) are from 1.
#[derive(Clone, Debug, Serialize)]
pub struct Replacement {
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
    pub text: String,
    /// In `before`.
    #[serde(skip)]
    pub span: std::ops::Range<usize>,
}

/// `hint` as data. Among `edits` there may be the one for it, else `left_out` may say why there is none.
pub fn finding(
    hint: &Hint,
    branches: &[MeasuredBranch],
    edits: &[Edit],
    left_out: &LeftOut,
    files: &Files,
) -> Finding {
    let place = &hint.place;
    let branch = &branches[place.branches[0]];
    let is_member =
        |one: &MeasuredBranch| place.branches.iter().any(|&index| std::ptr::eq(&branches[index], one));
    let edit = edits.iter().find(|edit| edit.members.iter().any(|one| is_member(one)));
    let reason = left_out.iter().find(|(one, _)| is_member(one)).map(|(_, reason)| *reason);
    let side = &branch.sides[place.likely];
    let fix = edit.and_then(|edit| fix(edit, files));
    Finding {
        rule: if branch.is_hinted() { Rule::WrongHint } else { Rule::MissingHint },
        message: message(hint, branch, edit, files),
        advice: advice(hint, branch, edit.filter(|_| fix.is_some()), reason),
        location: branch.frame().map(|frame| location(frame, edit, files)),
        function: function(branch),
        instances: place.instances,
        kind: if branch.is_switch { "switch" } else { "two-way" },
        executions: whole(place.executions),
        misses: whole(place.misses),
        avoided_misses: whole(place.avoided),
        predicted_by: branch.rule,
        predicted: side.predicted,
        likely: Likely {
            share: place.share,
            value: edit.map(|edit| edit.value),
            line: side.first.as_ref().map(|first| first.line),
            column: side.first.as_ref().map(|first| first.column),
        },
        fix,
    }
}

fn whole(count: f64) -> u64 {
    count.round() as u64
}

/// The function of the source, which may have been inlined in another one.
fn function(branch: &MeasuredBranch) -> String {
    let inlined = branch.position.as_ref().filter(|position| !position.inlined_at.is_empty());
    let inlined = inlined.and_then(|position| Some(position.frame.function.as_ref()?.to_string()));
    inlined.unwrap_or_else(|| branch.function.clone())
}

fn message(hint: &Hint, branch: &MeasuredBranch, edit: Option<&Edit>, files: &Files) -> String {
    let side = &branch.sides[hint.place.likely];
    let (measured, predicted) = (shares::share(hint.place.share), shares::share(side.predicted));
    let executions = shares::times(hint.place.executions);
    let by = match branch.is_hinted() {
        true => "the hint in the source".to_string(),
        false => format!("the rule {}", branch.rule.name()),
    };
    let what = match edit.and_then(|edit| condition(edit, files)) {
        Some(text) => format!("`{text}` is {}", edit.is_some_and(|edit| edit.value)),
        None => format!("goes to {}", near(branch, side)),
    };
    format!("{what} in {measured} of {executions} executions; {by} predicts {predicted}")
}

/// The condition as it is written, on one line.
fn condition(edit: &Edit, files: &Files) -> Option<String> {
    let bytes = files.text(edit.file).ok()?.bytes.get(edit.span.clone())?;
    let text = String::from_utf8_lossy(bytes);
    let words: Vec<&str> = text.split_whitespace().collect();
    Some(words.join(" "))
}

fn advice(hint: &Hint, branch: &MeasuredBranch, edit: Option<&Edit>, reason: Option<Reason>) -> String {
    let attributes = || wording::attributes(hint, branch).filter(|_| hint.dialect == Dialect::Attributes);
    let Some(edit) = edit else {
        return match reason {
            Some(choose::IN_MACRO | choose::PART_IN_MACRO) => "a macro or a template writes this condition: a hint \
                would be one in its definition, for all its uses"
                .to_string(),
            Some(choose::NO_CONDITION) => attributes().unwrap_or_else(|| {
                "no condition is written here (but a macro, a declaration or a range-based for): there is no place for \
                 a hint"
                    .to_string()
            }),
            Some(reason) => format!("{} (no edit is shown: {reason})", wording::advice(hint, branch)),
            None => wording::advice(hint, branch),
        };
    };
    if edit.is_removal() {
        return "take the hint away".to_string();
    }
    match attributes().filter(|_| edit.is_whole_if && !branch.is_hinted()) {
        Some(other) => format!("write `__builtin_expect` as shown, or {other}"),
        None => "write `__builtin_expect` as shown".to_string(),
    }
}

fn location(frame: &Frame, edit: Option<&Edit>, files: &Files) -> Location {
    let span = edit.and_then(|edit| {
        let text = files.text(edit.file).ok()?;
        Some((text.line_and_column(edit.span.start), text.line_and_column(edit.span.end)))
    });
    let file = frame.file.to_string();
    match span {
        Some(((line, column), (end_line, end_column))) => {
            Location { file, line, column, end_line: Some(end_line), end_column: Some(end_column) }
        }
        None => {
            let (line, column) = (frame.line as usize, frame.column as usize);
            Location { file, line, column, end_line: None, end_column: None }
        }
    }
}

fn fix(edit: &Edit, files: &Files) -> Option<Fix> {
    let text = files.text(edit.file).ok()?;
    let mut changes: Vec<_> = edit.changes.iter().collect();
    changes.sort_by_key(|change| change.start);
    let (first_line, _) = text.line_and_column(changes.first()?.start);
    let (last_line, _) = text.line_and_column(changes.iter().map(|change| change.end).max()?);
    let lines = text.lines_between(first_line, last_line);
    let before = std::str::from_utf8(&text.bytes[lines.clone()]).ok()?;
    let edited = apply(&text.bytes, edit.changes.iter());
    // Before and behind these lines nothing changes.
    let behind = text.bytes.len() - lines.end;
    let after = std::str::from_utf8(&edited[lines.start..edited.len() - behind]).ok()?;
    let replacement = |change: &&crate::patch::edit::Change| {
        let ((line, column), (end_line, end_column)) =
            (text.line_and_column(change.start), text.line_and_column(change.end));
        let span = change.start - lines.start..change.end - lines.start;
        Replacement { line, column, end_line, end_column, text: change.text.clone(), span }
    };
    let replacements = changes.iter().map(replacement).collect();
    Some(Fix { replacements, first_line, before: before.into(), after: after.into() })
}

/// Where `side` of `branch` begins: without the file if that is the branch's.
pub fn near(branch: &MeasuredBranch, side: &Side) -> String {
    let Some(there) = &side.first else { return format!("block {}", side.to) };
    let is_here = branch.frame().is_some_and(|here| here.file == there.file);
    match is_here {
        true if there.column > 0 => format!("line {}:{}", there.line, there.column),
        true => format!("line {}", there.line),
        false => place::place(there),
    }
}
