//! Selects the conditions to edit, and computes the edits. A condition is edited only if the edit cannot change
//! the meaning of the program.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::condition::{Condition, Conditions};
use super::edit::{self, Edit, Reason};
use super::files::{FileId, Files};
use super::text::Text;
use crate::edit::hints::branches::MeasuredBranch;
use crate::edit::hints::places::LEAST_SHARE;
use bpa_schema::probability_of_hint;

/// The reasons why a condition from a macro or a template is not edited.
pub const IN_MACRO: Reason = "a macro or a template expands this code to several conditions";
pub const PART_IN_MACRO: Reason = "a part of the condition is in a macro";
/// The reason why a branch gets no edit if no editable condition begins at the position of the branch.
pub const NO_CONDITION: Reason =
    "no condition of an if, a loop, ?:, && or || begins at the position of the branch";

/// Returns two lists: the edits for the chosen `branches`, and the chosen branches that have no edit. A branch is
/// ignored if `is_wanted` returns false for this branch.
pub fn edits<'a>(
    branches: &'a [MeasuredBranch],
    is_wanted: impl Fn(&MeasuredBranch) -> bool,
    conditions: &Conditions,
    files: &mut Files,
) -> (Vec<Edit<'a>>, Vec<(&'a MeasuredBranch, Reason)>) {
    let (mut edits, mut left_out) = (Vec::new(), Vec::new());
    let mut groups: BTreeMap<(FileId, usize, usize), (&Condition, Vec<&MeasuredBranch>)> = BTreeMap::new();
    let mut numbers: HashMap<_, BTreeSet<usize>> = HashMap::new();
    let mut placed = Vec::new();
    for branch in branches.iter().filter(|branch| !branch.is_switch && is_wanted(branch)) {
        let place = place(branch, conditions, files);
        if let Ok((file, condition)) = place {
            numbers.entry(at(branch, file, condition)).or_default().insert(branch.number);
        }
        placed.push((branch, place));
    }
    for (branch, place) in placed {
        match place {
            Ok((file, condition)) => {
                // In `if (a && b)`, if `b` has temporaries, clang tests `a` and then the value of the whole condition.
                // Both branches can have the position where `a` begins.
                let same = &numbers[&at(branch, file, condition)];
                let inner = same.iter().take_while(|&&number| number < branch.number).count();
                let condition = conditions.around(file, condition).nth(inner).unwrap_or(condition);
                let key = (file, condition.start, condition.end);
                groups.entry(key).or_insert((condition, Vec::new())).1.push(branch);
            }
            Err(reason) => left_out.extend(branch.is_chosen.then_some((branch, reason))),
        }
    }
    for ((file, _, _), (condition, group)) in groups {
        let chosen: Vec<&MeasuredBranch> = group.iter().copied().filter(|branch| branch.is_chosen).collect();
        if chosen.is_empty() {
            continue;
        }
        let made = edit(file, condition, &group, conditions, files);
        match made {
            Ok(made) => edits.push(Edit { file, members: chosen, ..made }),
            Err(reason) => left_out.extend(chosen.into_iter().map(|branch| (branch, reason))),
        }
    }
    (edits, left_out)
}

/// A key for the branches in one copy of a function that have the position of `condition`.
fn at<'a>(
    branch: &'a MeasuredBranch,
    file: FileId,
    condition: &Condition,
) -> (FileId, usize, usize, usize, &'a str, String) {
    let calls = branch.position.iter().flat_map(|position| &position.inlined_at);
    let calls = calls.map(|call| format!("{call} ")).collect();
    (file, condition.start, condition.end, branch.module, &branch.symbol, calls)
}

/// The condition that a branch tests.
fn place<'c>(
    branch: &MeasuredBranch,
    conditions: &'c Conditions,
    files: &mut Files,
) -> Result<(FileId, &'c Condition), Reason> {
    let position = branch.position.as_ref().ok_or("the branch has no debug information")?;
    let file = files.of(position);
    let text = files.text(file)?;
    let offset =
        text.offset(position.frame.line, position.frame.column).ok_or("the source file has changed")?;
    let condition = conditions.before(file, offset, text).or_else(|| conditions.at(file, offset));
    condition.map(|condition| (file, condition)).ok_or(NO_CONDITION)
}

/// The edit that adds a hint for the most frequent value of `condition`. `group` contains the branches of `condition`.
fn edit<'a>(
    file: FileId,
    condition: &Condition,
    group: &[&MeasuredBranch],
    conditions: &Conditions,
    files: &Files,
) -> Result<Edit<'a>, Reason> {
    let text = files.text(file)?;
    if condition.is_ambiguous || conditions.shares_macro(file, condition) {
        return Err(IN_MACRO);
    }
    if condition.spelled.is_some() && !is_separate_operand(text, condition) {
        return Err(PART_IN_MACRO);
    }
    if text.is_beside_directive(condition.start, condition.end) {
        return Err("a preprocessor directive is inside or beside the condition");
    }
    let (edge, share) = likely(group);
    if share < LEAST_SHARE {
        return Err("the branches of this condition have different likely successors");
    }
    let value = condition.first_edge == (edge == 0);
    let probability = probability_of_hint(share).filter(|_| condition.expectation.is_none());
    let is_hinted = group.iter().any(|branch| branch.is_hinted());
    let changes = match &condition.expectation {
        Some(expectation) if is_hinted => {
            edit::contradict(condition, expectation, value, probability_of_hint(share).is_none())?
        }
        None if is_hinted => return Err("the existing hint is not __builtin_expect(..., 0 or 1)"),
        Some(_) => return Err("there is a hint already"),
        None => edit::expect(condition, value, probability),
    };
    let is_if = condition.statement.is_some_and(|offset| text.has("if", offset));
    let (start, end) = (condition.start, condition.end);
    let (members, region) = (Vec::new(), start..end);
    let span = region.clone();
    Ok(Edit { file, changes, members, region, span, value, probability, is_whole_if: is_if })
}

/// Returns true if the tokens before and after `condition` show that `condition` is a whole operand, for example `b` in
/// `a && b`. The check is necessary only if a part of the condition is in a macro.
fn is_separate_operand(text: &Text, condition: &Condition) -> bool {
    let next = text.next_token(condition.end);
    let is_before = text.byte_before(condition.start).is_some_and(|byte| b"(&|!;".contains(&byte));
    let is_behind = [")", "&&", "||", ";", "?"].iter().any(|token| text.has(token, next));
    is_before && is_behind
}

/// All branches in `group` test the same condition. Returns the more frequent edge of this condition, and the edge's
/// share of the executions.
fn likely(group: &[&MeasuredBranch]) -> (usize, f64) {
    let mut taken = [0.0; 2];
    for branch in group.iter().filter(|branch| !branch.is_copy) {
        taken.iter_mut().zip(&branch.successors).for_each(|(taken, successor)| *taken += successor.taken);
    }
    let edge = usize::from(taken[1] > taken[0]);
    (edge, taken[edge] / (taken[0] + taken[1]))
}
