//! Edits of conditions. Each edit replaces or inserts bytes in a source file.

use std::ops::Range;

use super::condition::{Condition, Expectation, Form};
use super::files::FileId;
use crate::edit::hints::branches::MeasuredBranch;

/// The reason why a hint has no edit.
pub type Reason = &'static str;

/// The branches that get no hint, and the reason for each branch.
pub type LeftOut<'a> = Vec<(&'a MeasuredBranch, Reason)>;

/// An edit that adds, inverts or removes a hint for a condition.
pub struct Edit<'a> {
    pub file: FileId,
    pub changes: Vec<Change>,
    /// The branches for which the hint is written.
    pub members: Vec<&'a MeasuredBranch>,
    /// A change of a branch is attributed to the edit if the source position of the branch is in this range.
    pub region: Range<usize>,
    /// The range of the condition.
    pub span: Range<usize>,
    /// The most frequent value of the condition.
    pub value: bool,
    /// The probability in the written hint.
    pub probability: Option<f64>,
    /// True if the condition is the only condition of an `if`.
    pub is_whole_if: bool,
}

impl Edit<'_> {
    /// Returns true if the edit only removes a hint.
    pub fn is_removal(&self) -> bool {
        self.changes.iter().all(|change| ["(", ")"].contains(&change.text.as_str()))
    }
}

/// Replaces a range of bytes by `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub start: usize,
    pub end: usize,
    pub text: String,
    /// If several insertions have the same offset, this key determines their order. Insertions at the end of a range
    /// come before insertions at the beginning of a range. If several ranges end at this offset, the shorter range
    /// comes first. If several ranges begin at this offset, the longer range comes first.
    order: (bool, usize),
}

impl Change {
    /// An insertion at `place`.
    pub fn insert(place: usize, text: String) -> Self {
        Change::before(place, 0, text)
    }

    /// An insertion of `text` at the offset `place`. A range of `length` bytes begins at this offset.
    fn before(place: usize, length: usize, text: String) -> Self {
        Change { start: place, end: place, text, order: (true, usize::MAX - length) }
    }

    /// An insertion of `text` at the offset `place`. A range of `length` bytes ends at this offset.
    fn behind(place: usize, length: usize, text: String) -> Self {
        Change { start: place, end: place, text, order: (false, length) }
    }

    fn replace(start: usize, end: usize, text: &str) -> Self {
        Change { start, end, text: text.into(), order: (true, usize::MAX) }
    }
}

/// A hint that expects the condition to have the value `value`. The probability of the hint is `probability`, or the
/// default of `__builtin_expect` if `probability` is `None`.
pub fn expect(condition: &Condition, value: bool, probability: Option<f64>) -> Vec<Change> {
    let (open, close) = match condition.form {
        Form::Truth => ("", ""),
        Form::Scalar if condition.is_in_parentheses => ("!!", ""),
        Form::Scalar => ("!!(", ")"),
        Form::Class => ("static_cast<bool>(", ")"),
    };
    let value = u8::from(value);
    let (name, rest) = match probability {
        None => ("__builtin_expect", format!(", {value})")),
        Some(probability) => ("__builtin_expect_with_probability", format!(", {value}, {probability:.2})")),
    };
    let length = condition.end - condition.start;
    vec![
        Change::before(condition.start, length, format!("{name}({open}")),
        Change::behind(condition.end, length, format!("{close}{rest}")),
    ]
}

/// Edits an existing hint, because this hint contradicts `value`. If `is_sure` is true, the edit inverts the hint.
/// Otherwise, the edit removes the hint.
pub fn contradict(
    condition: &Condition,
    expectation: &Expectation,
    value: bool,
    is_sure: bool,
) -> Result<Vec<Change>, Reason> {
    let (start, end, given) = expectation.value;
    if given == value || !expectation.is_truth {
        return Err("the existing hint expects a value other than 0 or 1");
    }
    if is_sure {
        return Ok(vec![Change::replace(start, end, if value { "1" } else { "0" })]);
    }
    let (start, end) = expectation.argument;
    Ok(vec![Change::replace(condition.start, start, "("), Change::replace(end, condition.end, ")")])
}

/// `bytes` with all `changes` applied.
pub fn apply<'c>(bytes: &[u8], changes: impl Iterator<Item = &'c Change>) -> Vec<u8> {
    let mut changes: Vec<&Change> = changes.collect();
    changes.sort_by_key(|change| (change.start, change.order));
    let (mut edited, mut done) = (Vec::with_capacity(bytes.len()), 0);
    for change in changes {
        edited.extend_from_slice(&bytes[done..change.start.max(done)]);
        edited.extend_from_slice(change.text.as_bytes());
        done = change.end.max(done);
    }
    edited.extend_from_slice(&bytes[done..]);
    edited
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(text: &str, part: &str, form: Form) -> Condition {
        let start = text.find(part).expect("it is there");
        Condition { form, ..Condition::written(start, start + part.len()) }
    }

    fn edited(text: &str, edits: &[Vec<Change>]) -> String {
        String::from_utf8(apply(text.as_bytes(), edits.iter().flatten())).expect("text")
    }

    #[test]
    fn only_other_types_than_bool_are_converted() {
        let text = "if (a == b && p) {}\r\n";
        let first = expect(&condition(text, "a == b", Form::Truth), true, None);
        let second = expect(&condition(text, "p", Form::Scalar), false, Some(0.75));
        let wanted = "if (__builtin_expect(a == b, 1) && \
                      __builtin_expect_with_probability(!!(p), 0, 0.75)) {}\r\n";
        assert_eq!(edited(text, &[second, first]), wanted);
        let of_class = expect(&condition("if (c)", "c", Form::Class), true, None);
        assert_eq!(edited("if (c)", &[of_class]), "if (__builtin_expect(static_cast<bool>(c), 1))");
        let in_parentheses = Condition {
            is_in_parentheses: true,
            ..condition("while ((c = f()))", "(c = f())", Form::Scalar)
        };
        let wanted = "while (__builtin_expect(!!(c = f()), 1))";
        assert_eq!(edited("while ((c = f()))", &[expect(&in_parentheses, true, None)]), wanted);
    }

    #[test]
    fn edits_at_one_offset_are_nested() {
        let text = "while (a && b)";
        let whole = expect(&condition(text, "a && b", Form::Truth), false, None);
        let left = expect(&condition(text, "a", Form::Truth), true, None);
        let right = expect(&condition(text, "b", Form::Truth), true, None);
        let wanted = "while (__builtin_expect(__builtin_expect(a, 1) && __builtin_expect(b, 1), 0))";
        assert_eq!(edited(text, &[left.clone(), whole.clone(), right.clone()]), wanted);
        assert_eq!(edited(text, &[right, whole, left]), wanted);
    }

    #[test]
    fn contradicted_hints_are_inverted_or_removed() {
        let text = "if (__builtin_expect(!!(x), 1))";
        let place =
            |part: &str| (text.find(part).expect("there"), text.find(part).expect("there") + part.len());
        let (start, end) = place("1");
        let mut hint = Expectation { argument: place("!!(x)"), value: (start, end, true), is_truth: true };
        let condition = condition(text, "__builtin_expect(!!(x), 1)", Form::Scalar);
        let contradicted = |hint: &Expectation, is_sure| contradict(&condition, hint, false, is_sure);
        assert_eq!(
            edited(text, &[contradicted(&hint, true).expect("sure")]),
            "if (__builtin_expect(!!(x), 0))"
        );
        assert_eq!(edited(text, &[contradicted(&hint, false).expect("sure")]), "if ((!!(x)))");
        hint.is_truth = false;
        assert!(contradicted(&hint, true).is_err());
    }
}
