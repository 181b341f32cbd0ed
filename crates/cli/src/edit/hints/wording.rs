//! Advice for hints that bpa cannot write into the source: the hint in the syntax of the language, and where to write
//! it.

use super::branches::{BranchSuccessor, MeasuredBranch};
use super::dialect::Dialect;
use super::ranking::Hint;
use crate::edit::patch::edit::Reason;
use crate::study::place;
use bpa_schema::{least_sure_share, probability_of_hint};

/// A sentence that recommends a hint.
pub fn advice(hint: &Hint, branch: &MeasuredBranch) -> String {
    match hint.dialect {
        Dialect::BuiltinExpect | Dialect::Unknown => builtin_expect(hint, branch),
        Dialect::Attributes => match attributes(hint, branch) {
            Some(text) if branch.is_hinted() => format!("remove the hint, or replace it: {text}"),
            Some(text) => text,
            None => builtin_expect(hint, branch),
        },
        Dialect::Rust => rust(hint, branch),
    }
}

fn likely<'b>(hint: &Hint, branch: &'b MeasuredBranch) -> &'b BranchSuccessor {
    &branch.successors[hint.place.likely]
}

fn builtin_expect(hint: &Hint, branch: &MeasuredBranch) -> String {
    let to = near(branch, likely(hint, branch));
    let (name, rest) = match probability_of_hint(hint.place.share) {
        None => ("__builtin_expect", String::new()),
        Some(share) => ("__builtin_expect_with_probability", format!(", {share:.2}")),
    };
    if branch.is_switch {
        return format!(
            "write `switch ({name}(value, CASE{rest}))`, where CASE is the constant of the case that leads to {to}"
        );
    }
    let written =
        format!("`{name}(condition, VALUE{rest})`, where VALUE is the value (0 or 1) that leads to {to}");
    match branch.is_hinted() {
        true => format!("remove the hint, or write {written}"),
        false => format!("write {written}"),
    }
}

/// Advice with `[[likely]]` or `[[unlikely]]`. The result is `None` if the branch goes to its likely successor too
/// rarely. If no successor of a two-way branch has a known line and exactly one incoming edge, the result is also
/// `None`.
pub fn attributes(hint: &Hint, branch: &MeasuredBranch) -> Option<String> {
    if hint.place.share < least_sure_share() {
        return None;
    }
    let statement = |successor: &BranchSuccessor| {
        let is_known = successor.is_only_entry && successor.first.is_some();
        is_known.then(|| near(branch, successor))
    };
    let likely = likely(hint, branch);
    if branch.is_switch {
        return Some(format!(
            "write `[[likely]]` before the label of the case that leads to {}",
            near(branch, likely)
        ));
    }
    let other = branch.successors.iter().find(|successor| successor.to != likely.to);
    match (statement(likely), other.and_then(statement)) {
        (Some(there), _) => Some(format!("write `[[likely]]` before the statement at {there}")),
        (None, Some(there)) => Some(format!("write `[[unlikely]]` before the statement at {there}")),
        (None, None) => None,
    }
}

/// The advice for a condition in a macro. The edges of the branch can be the outcomes of an operand in the macro, so the
/// text identifies each outcome by the code to which it leads.
pub fn in_macro(hint: &Hint, branch: &MeasuredBranch) -> String {
    let likely = likely(hint, branch);
    let to = near(branch, likely);
    let rest = match branch.successors.iter().filter(|other| other.to != likely.to).collect::<Vec<_>>()[..] {
        [other] if near(branch, other) != to => {
            format!(", and the outcome that leads to {} is unlikely", near(branch, other))
        }
        _ => String::new(),
    };
    format!(
        "this condition is in a macro that is expanded here: the outcome that leads to {to} is likely{rest}; write the \
         hint in the definition of the macro; the hint affects all uses"
    )
}

/// The advice for Rust: write a call of `cold_path` at the start of the code that rarely runs.
fn rust(hint: &Hint, branch: &MeasuredBranch) -> String {
    format!("write `core::hint::cold_path();` at the start of {}", rare_code(hint, branch))
}

/// The advice for code in which `cold_path` is not available or has no effect. `reason` is the cause.
pub fn cold_function(hint: &Hint, branch: &MeasuredBranch, reason: Reason) -> String {
    format!("move {} into a function with `#[cold]`: {reason}", rare_code(hint, branch))
}

/// Describes the code that rarely runs. The text contains the lines of this code only if the code runs only after the
/// branch. If the code is empty, for example, the successor of the branch is the code after the block.
fn rare_code(hint: &Hint, branch: &MeasuredBranch) -> String {
    let likely = likely(hint, branch);
    let rare = || branch.successors.iter().filter(|successor| successor.to != likely.to);
    let here = branch.frame().map(|frame| &frame.file);
    let begins_here = |successor: &BranchSuccessor| {
        successor.is_only_entry && successor.first.as_ref().map(|first| &first.file) == here
    };
    if !rare().all(begins_here) {
        return format!("the code that runs if the branch does not go to {}", near(branch, likely));
    }
    let places: Vec<String> = rare().map(|successor| near(branch, successor)).collect();
    format!("the block at {}", places.join(" and "))
}

/// The position at which the code of `successor` begins. If `branch` and `successor` are in the same file, the file
/// name is omitted.
pub fn near(branch: &MeasuredBranch, successor: &BranchSuccessor) -> String {
    let Some(there) = &successor.leads_to else { return "code without a line number".to_string() };
    let is_here = branch.frame().is_some_and(|here| here.file == there.file);
    match is_here {
        true if there.column > 0 => format!("line {}:{}", there.line, there.column),
        true => format!("line {}", there.line),
        false => place::place(there),
    }
}
