//! Which conditions are edited, and how: those of which it is certain.

use std::collections::{BTreeMap, BTreeSet};

use super::condition::{Condition, Conditions};
use super::edit::{self, Edit, Reason};
use super::files::{FileId, Files};
use super::measured::Measured;
use super::text::Text;

/// From this share on `__builtin_expect` is written, which LLVM takes for nearly always.
const SURE: f64 = 0.9;
/// Below this share no hint is worth writing.
const LEAST: f64 = 0.6;

/// What is to be done about the hints of `branches`: edits, and the branches whose hints are left out.
pub fn edits<'a>(
    branches: &'a [Measured],
    conditions: &Conditions,
    files: &mut Files,
) -> (Vec<Edit<'a>>, Vec<(&'a Measured, Reason)>) {
    let (mut edits, mut left_out) = (Vec::new(), Vec::new());
    let mut groups: BTreeMap<(FileId, usize, usize), (&Condition, Vec<&Measured>)> = BTreeMap::new();
    for branch in branches {
        match place(branch, conditions, files) {
            Ok((file, condition)) => {
                let key = (file, condition.start, condition.end);
                groups.entry(key).or_insert((condition, Vec::new())).1.push(branch);
            }
            Err(reason) => left_out.extend(branch.is_chosen().then_some((branch, reason))),
        }
    }
    for ((file, _, _), (condition, group)) in groups {
        let chosen: Vec<&Measured> = group.iter().copied().filter(|branch| branch.is_chosen()).collect();
        if chosen.is_empty() {
            continue;
        }
        match edit(file, condition, &group, conditions, files) {
            Ok(changes) => edits.push(Edit { file, changes, members: chosen }),
            Err(reason) => left_out.extend(chosen.into_iter().map(|branch| (branch, reason))),
        }
    }
    (edits, left_out)
}

/// The condition that a branch tests.
fn place<'c>(
    branch: &Measured,
    conditions: &'c Conditions,
    files: &mut Files,
) -> Result<(FileId, &'c Condition), Reason> {
    let position = branch.position.as_ref().ok_or("nothing tells where it stands")?;
    let file = files.of(position);
    let offset =
        files.text(file)?.offset(position.frame.line, position.frame.column).ok_or("its file has changed")?;
    let condition = conditions.at(file, offset);
    condition
        .map(|condition| (file, condition))
        .ok_or("no condition of an if, a loop, ?:, && or || is found there")
}

/// The changes that tell of `condition` what all its branches do.
fn edit(
    file: FileId,
    condition: &Condition,
    group: &[&Measured],
    conditions: &Conditions,
    files: &Files,
) -> Result<Vec<edit::Change>, Reason> {
    let text = files.text(file)?;
    if condition.is_ambiguous || conditions.shares_macro(file, condition) {
        return Err("a macro or a template makes several conditions of it");
    }
    if condition.spelled.is_some() && !stands_alone(text, condition) {
        return Err("a macro has part of it");
    }
    if text.is_beside_directive(condition.start, condition.end) {
        return Err("directives of the preprocessor stand in it or beside it");
    }
    let edge = group[0].likely_edge();
    if group.iter().any(|branch| branch.likely_edge() != edge) {
        return Err("instances or copies of it go different ways");
    }
    let share = share(group, edge);
    if share < LEAST {
        return Err("it goes no way often enough");
    }
    let value = condition.first_edge == (edge == 0);
    let is_hinted = group.iter().any(|branch| branch.hint.as_ref().is_some_and(|hint| hint.is_about_hint()));
    match &condition.expectation {
        Some(expectation) if is_hinted => edit::contradict(condition, expectation, value, share >= SURE),
        None if is_hinted => Err("the hint that is there is not written as __builtin_expect(..., 0 or 1)"),
        Some(_) => Err("there is a hint already"),
        None => Ok(edit::expect(condition, value, (share < SURE).then_some(share))),
    }
}

/// Whether the operand that a macro has part of is between what can only be around it.
fn stands_alone(text: &Text, condition: &Condition) -> bool {
    let next = text.next_token(condition.end);
    let is_before = text.byte_before(condition.start).is_some_and(|byte| b"(&|!;".contains(&byte));
    let is_behind = [")", "&&", "||", ";", "?"].iter().any(|token| text.has(token, next));
    is_before && is_behind
}

/// Of all executions the share that took `edge`. What several modules have of one function is the same.
fn share(group: &[&Measured], edge: usize) -> f64 {
    let (mut seen, mut taken, mut all) = (BTreeSet::new(), 0.0, 0.0);
    for branch in group {
        if branch.is_local || seen.insert((branch.symbol.as_str(), branch.number)) {
            taken += branch.edges[edge];
            all += branch.edges[0] + branch.edges[1];
        }
    }
    taken / all
}
