//! Selects the conditions to edit, and computes the edits. A condition is edited only if the edit cannot change
//! the meaning of the program.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use super::edit::{self, Conversion, Edit, LeftOut, Reason};
use super::files::{FileId, Files};
use super::macros::{Macros, IN_MACRO};
use crate::base::input::Language;
use crate::edit::hints::branches::MeasuredBranch;
use crate::edit::hints::places::LEAST_SHARE;
use crate::program::Program;
use crate::study::finder::conditions::Condition;
use crate::study::source::SourceText;
use bpa_schema::probability_of_hint;

/// The reason why a branch gets no edit if no editable condition begins at the position of the branch.
pub const NO_CONDITION: Reason =
    "no condition of an if, a loop, ?:, && or || begins at the position of the branch";
const BESIDE_DIRECTIVE: Reason = "a preprocessor directive is inside or beside the condition";

/// The branches of one condition of a file.
struct Group<'a> {
    condition: Condition,
    branches: Vec<&'a MeasuredBranch>,
    /// True if a C file contains the condition.
    is_of_c: bool,
}

/// Returns two lists: the edits for the chosen `branches` of C and C++, and the chosen branches that have no edit.
pub fn edits<'a>(
    program: &Program,
    branches: &'a [MeasuredBranch],
    macros: &Macros,
    files: &mut Files,
) -> (Vec<Edit<'a>>, LeftOut<'a>) {
    let (mut edits, mut left_out) = (Vec::new(), Vec::new());
    let mut groups: BTreeMap<(FileId, usize, usize), Group> = BTreeMap::new();
    let mut numbers: HashMap<_, BTreeSet<usize>> = HashMap::new();
    let mut placed = Vec::new();
    for branch in branches.iter().filter(|branch| !branch.is_switch) {
        let language = program.units[branch.module].input.language;
        if !language.takes_clang() {
            continue;
        }
        let place = conditions(branch, files);
        if let Ok((file, conditions)) = &place {
            let at = at(branch, *file, &conditions[0].range);
            numbers.entry(at).or_default().insert(branch.number);
        }
        placed.push((branch, language, place));
    }
    for (branch, language, place) in placed {
        match place {
            Ok((file, conditions)) => {
                // In `if (a && b)`, if `b` has temporaries, clang tests `a` and then the value of the whole condition.
                // Both branches can have the position where `a` begins.
                let same = &numbers[&at(branch, file, &conditions[0].range)];
                let inner = same.iter().take_while(|&&number| number < branch.number).count();
                let condition = conditions.get(inner).unwrap_or(&conditions[0]).clone();
                let Range { start, end } = condition.range;
                let new = || Group { condition, branches: Vec::new(), is_of_c: false };
                let group = groups.entry((file, start, end)).or_insert_with(new);
                group.branches.push(branch);
                group.is_of_c |= language == Language::C;
            }
            Err(reason) => left_out.extend(branch.is_chosen.then_some((branch, reason))),
        }
    }
    for ((file, ..), group) in groups {
        let chosen: Vec<&MeasuredBranch> =
            group.branches.iter().copied().filter(|branch| branch.is_chosen).collect();
        if chosen.is_empty() {
            continue;
        }
        match edit(file, &group, macros, files) {
            Ok(made) => edits.push(Edit { members: chosen, ..made }),
            Err(reason) => left_out.extend(chosen.into_iter().map(|branch| (branch, reason))),
        }
    }
    (edits, left_out)
}

/// A key for the branches in one copy of a function that have the position of the condition at `range`.
fn at<'a>(
    branch: &'a MeasuredBranch,
    file: FileId,
    range: &Range<usize>,
) -> (FileId, Range<usize>, usize, &'a str, String) {
    let calls = branch.position.iter().flat_map(|position| &position.inlined_at);
    let calls = calls.map(|call| format!("{call} ")).collect();
    (file, range.clone(), branch.module, &branch.symbol, calls)
}

/// The condition that a branch tests, and the conditions around it that begin at the same offset.
fn conditions(branch: &MeasuredBranch, files: &mut Files) -> Result<(FileId, Vec<Condition>), Reason> {
    let position = branch.position.as_ref().ok_or("the branch has no debug information")?;
    let file = files.of(position);
    let text = files.text(file)?;
    let offset =
        text.offset(position.frame.line, position.frame.column).ok_or("the source file has changed")?;
    let conditions: Vec<Condition> = text.conditions_at(offset).cloned().collect();
    match conditions.is_empty() {
        false => Ok((file, conditions)),
        true => {
            let line = position.frame.line;
            let is_beside = text.lines(line, line).is_some_and(|line| is_beside_directive(text, &line));
            Err(if is_beside { BESIDE_DIRECTIVE } else { NO_CONDITION })
        }
    }
}

/// The edit that adds a hint for the most frequent value of a condition.
fn edit<'a>(file: FileId, group: &Group, macros: &Macros, files: &Files) -> Result<Edit<'a>, Reason> {
    let Group { condition, branches, is_of_c } = group;
    let text = files.text(file)?;
    let span = condition.range.clone();
    let written = String::from_utf8_lossy(&text.bytes[span.clone()]);
    let is_hinted = branches.iter().any(|branch| branch.is_hinted());
    if is_hinted && condition.expectation.is_none() {
        return Err("the existing hint is not __builtin_expect(..., 0 or 1)");
    }
    let mut callees =
        condition.callees.iter().map(|callee| String::from_utf8_lossy(&text.bytes[callee.clone()]));
    if callees.any(|callee| macros.has(&callee)) || macros.can_branch(&written) {
        return Err(IN_MACRO);
    }
    if is_beside_directive(text, &span) {
        return Err(BESIDE_DIRECTIVE);
    }
    let (edge, share) = likely(branches);
    if share < LEAST_SHARE {
        return Err("the branches of this condition have different likely successors");
    }
    let value = condition.first_edge == (edge == 0);
    let probability = probability_of_hint(share).filter(|_| condition.expectation.is_none());
    let conversion = match condition.is_truth && !condition.is_in_template {
        true => Conversion::None,
        false if *is_of_c => Conversion::Negations,
        false => Conversion::Cast,
    };
    let changes = match &condition.expectation {
        Some(expectation) if is_hinted => {
            edit::contradict(condition, expectation, value, probability_of_hint(share).is_none())?
        }
        Some(_) => return Err("there is a hint already"),
        None => edit::expect(condition, conversion, value, probability),
    };
    let is_whole_if = condition.statement.is_some_and(|offset| text.bytes[offset..].starts_with(b"if"));
    Ok(Edit { file, changes, members: Vec::new(), span, value, probability, is_whole_if })
}

/// Whether a preprocessor directive is inside `range`, or directly before or after it.
fn is_beside_directive(text: &SourceText, range: &Range<usize>) -> bool {
    let [(first, _), (last, _)] = [range.start, range.end].map(|offset| text.line_and_column(offset));
    let Some(lines) = text.lines(first, last) else { return false };
    let is_blank = |part: Range<usize>| text.bytes[part].trim_ascii().is_empty();
    let first = if is_blank(lines.start..range.start) { first.saturating_sub(1) } else { first + 1 };
    let last = if is_blank(range.end..lines.end) { last + 1 } else { last };
    (first..=last).any(|line| text.is_directive(line))
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
