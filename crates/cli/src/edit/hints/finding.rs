//! Describes a hint as data: the misprediction, its position, and the text to write.

use super::branches::MeasuredBranch;
use super::dialect::Dialect;
use super::ranking::Hint;
use super::wording::{self, near};
use crate::base::shares;
use crate::edit::patch::choose;
use crate::edit::patch::edit::{apply, Edit, LeftOut, Reason};
use crate::edit::patch::files::Files;
use crate::edit::patch::macros;
use bpa_schema::probability_of_hint;
use bpa_schema::{
    Digits, Frame, HintFinding, HintFix, HintPlace, HintReplacement, LikelyOutcome, SourceHint,
};

/// Describes `hint`. `edits` contains an edit for the hint, or `left_out` contains the reason why there is no edit.
pub fn finding(
    hint: &Hint,
    branches: &[MeasuredBranch],
    edits: &[Edit],
    left_out: &LeftOut,
    files: &Files,
) -> SourceHint {
    let place = &hint.place;
    let branch = &branches[place.branches[0]];
    let is_member =
        |one: &MeasuredBranch| place.branches.iter().any(|&index| std::ptr::eq(&branches[index], one));
    let edit = edits.iter().find(|edit| edit.members.iter().any(|one| is_member(one)));
    let reason = left_out.iter().find(|(one, _)| is_member(one)).map(|(_, reason)| *reason);
    let successor = &branch.successors[place.likely];
    let fix = edit.and_then(|edit| fix(edit, files));
    SourceHint {
        finding: if branch.is_hinted() { HintFinding::WrongHint } else { HintFinding::MissingHint },
        message: message(hint, branch, edit, files),
        advice: advice(hint, branch, edit.filter(|_| fix.is_some()), reason),
        place: branch.frame().map(|frame| location(frame, edit, files)),
        function: function(branch),
        instances: place.instances,
        is_switch: branch.is_switch,
        executions: whole(place.executions),
        misses: whole(place.misses),
        avoided_misses: whole(place.avoided),
        rule: branch.rule,
        predicted: successor.predicted,
        likely: LikelyOutcome {
            share: place.share,
            value: edit.filter(|edit| !edit.span.is_empty()).map(|edit| edit.value),
            line: successor.leads_to.as_ref().map(|there| there.line),
            column: successor.leads_to.as_ref().map(|there| there.column),
        },
        fix,
    }
}

/// Returns true if the hint has an edit, or if the hint is for a `switch` in C or C++. For such a `switch`, the advice
/// contains the text to write.
pub fn can_be_written(hint: &SourceHint) -> bool {
    let is_of_rust = hint.place.as_ref().is_some_and(|place| place.file.ends_with(".rs"));
    hint.fix.is_some() || (hint.is_switch && !is_of_rust)
}

/// A count for output, rounded down. The sum of rounded counts is never greater than the rounded sum.
pub fn whole(count: f64) -> Digits {
    Digits(count as u64)
}

/// The source function that contains the condition. After inlining, the branch can be in another function of the IR.
fn function(branch: &MeasuredBranch) -> String {
    let inlined = branch.position.as_ref().filter(|position| !position.inlined_at.is_empty());
    let inlined = inlined.and_then(|position| Some(position.frame.function.as_ref()?.to_string()));
    inlined.unwrap_or_else(|| branch.function.clone())
}

fn message(hint: &Hint, branch: &MeasuredBranch, edit: Option<&Edit>, files: &Files) -> String {
    let successor = &branch.successors[hint.place.likely];
    // If the hint contains a probability, the message contains the same number.
    let written = edit.map_or_else(|| probability_of_hint(hint.place.share), |edit| edit.probability);
    let [measured, predicted] = [written.unwrap_or(hint.place.share), successor.predicted].map(shares::share);
    let executions = shares::times(hint.place.executions);
    let by = match (branch.is_hinted(), hint.dialect) {
        // rustc also gives weights to branches that lead to cold functions, such as panics.
        (true, Dialect::Rust) => "a hint in the source, or rustc,".to_string(),
        (true, _) => "the hint in the source".to_string(),
        (false, _) => format!("the rule \"{}\"", branch.rule),
    };
    let what = match edit.filter(|edit| !edit.span.is_empty()).and_then(|edit| condition(edit, files)) {
        Some(text) => format!("`{text}` is {}", edit.is_some_and(|edit| edit.value)),
        None => format!("goes to {}", near(branch, successor)),
    };
    format!("{what} in {measured} of {executions} executions; {by} predicts {predicted}")
}

/// The text of the condition, with line breaks replaced by spaces.
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
            Some(macros::IN_MACRO) => wording::in_macro(hint, branch),
            Some(choose::NO_CONDITION) => attributes().unwrap_or_else(|| {
                "to write a hint, first rewrite the condition as an expression of its own: the code here is a macro, \
                 a declaration, a range-based `for` or `a ?: b`"
                    .to_string()
            }),
            Some(crate::edit::rust::IS_GENERATED) => {
                "a build script writes this file: write the hint in the build script".to_string()
            }
            Some(reason @ (crate::edit::rust::IS_TOO_OLD | crate::edit::rust::IS_OTHER_LEVEL)) => {
                wording::cold_function(hint, branch, reason)
            }
            Some(reason) => format!("{} (no edit is shown: {reason})", wording::advice(hint, branch)),
            None => wording::advice(hint, branch),
        };
    };
    if edit.is_removal() {
        return "remove the hint".to_string();
    }
    if hint.dialect == Dialect::Rust {
        return "write `core::hint::cold_path()` as shown".to_string();
    }
    match attributes().filter(|_| edit.is_whole_if && !branch.is_hinted()) {
        Some(other) => format!("write `__builtin_expect` as shown, or {other}"),
        None => "write `__builtin_expect` as shown".to_string(),
    }
}

fn location(frame: &Frame, edit: Option<&Edit>, files: &Files) -> HintPlace {
    let file = frame.file.to_string();
    let span = edit.filter(|edit| !edit.span.is_empty()).and_then(|edit| {
        let text = files.text(edit.file).ok()?;
        Some([edit.span.start, edit.span.end].map(|offset| text.line_and_column(offset)))
    });
    match span {
        Some([(line, column), (end_line, end_column)]) => {
            HintPlace { file, line, column, end_line: Some(end_line), end_column: Some(end_column) }
        }
        None => HintPlace { file, line: frame.line, column: frame.column, end_line: None, end_column: None },
    }
}

fn fix(edit: &Edit, files: &Files) -> Option<HintFix> {
    let text = files.text(edit.file).ok()?;
    let mut changes: Vec<_> = edit.changes.iter().collect();
    changes.sort_by_key(|change| change.start);
    let (first_line, _) = text.line_and_column(changes.first()?.start);
    let (last_line, _) = text.line_and_column(changes.iter().map(|change| change.end).max()?);
    let lines = text.lines(first_line, last_line)?;
    let before = std::str::from_utf8(&text.bytes[lines.clone()]).ok()?;
    let edited = apply(&text.bytes, edit.changes.iter());
    // The changes are inside `lines`, so the text that follows `lines` has the same length before and after the edit.
    let behind = text.bytes.len() - lines.end;
    let after = std::str::from_utf8(&edited[lines.start..edited.len() - behind]).ok()?;
    let replacement = |change: &&crate::edit::patch::edit::Change| {
        let [(line, column), (end_line, end_column)] =
            [change.start, change.end].map(|offset| text.line_and_column(offset));
        HintReplacement { line, column, end_line, end_column, text: change.text.clone() }
    };
    let replacements = changes.iter().map(replacement).collect();
    Some(HintFix { replacements, first_line, before: before.into(), after: after.into() })
}
