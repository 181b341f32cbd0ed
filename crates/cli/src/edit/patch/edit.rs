//! Edits of conditions. Each edit replaces or inserts bytes in a source file.

use std::ops::Range;

use super::files::FileId;
use crate::edit::hints::branches::MeasuredBranch;
use crate::study::finder::conditions::{Condition, Expectation};

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

/// The conversion of a condition to a value that is 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// The condition is always 0 or 1.
    None,
    /// For C: `!!`.
    Negations,
    /// For C++: an `if` converts objects in the same way. Unlike `!!`, a cast does not change the hash of the function
    /// in the profile.
    Cast,
}

/// A hint that expects the condition to have the value `value`. The probability of the hint is `probability`, or the
/// default of `__builtin_expect` if `probability` is `None`.
pub fn expect(
    condition: &Condition,
    conversion: Conversion,
    value: bool,
    probability: Option<f64>,
) -> Vec<Change> {
    let conversion = match conversion {
        Conversion::None => None,
        Conversion::Negations => Some("!!"),
        Conversion::Cast => Some("static_cast<bool>"),
    };
    let (open, close) = match conversion.filter(|_| !condition.is_in_parentheses) {
        Some(_) => ("(", ")"),
        None => ("", ""),
    };
    let (conversion, value) = (conversion.unwrap_or_default(), u8::from(value));
    let (name, rest) = match probability {
        None => ("__builtin_expect", format!(", {value})")),
        Some(probability) => ("__builtin_expect_with_probability", format!(", {value}, {probability:.2})")),
    };
    let Range { start, end } = condition.range;
    vec![
        Change::before(start, end - start, format!("{name}({conversion}{open}")),
        Change::behind(end, end - start, format!("{close}{rest}")),
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
    // A number that is not 0 can be another number than 1.
    if expectation.is_true == value || (value && !expectation.is_truth) {
        return Err("the existing hint expects a value other than 0 or 1");
    }
    if is_sure {
        let Range { start, end } = expectation.value;
        return Ok(vec![Change::replace(start, end, if value { "1" } else { "0" })]);
    }
    let (whole, argument) = (&condition.range, &expectation.argument);
    Ok(vec![Change::replace(whole.start, argument.start, "("), Change::replace(argument.end, whole.end, ")")])
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

    fn condition(text: &str, part: &str) -> Condition {
        let start = text.find(part).expect("it is there");
        Condition {
            range: start..start + part.len(),
            first_edge: true,
            is_truth: true,
            is_in_template: false,
            is_in_parentheses: part.starts_with('('),
            statement: None,
            is_whole: false,
            expectation: None,
            callees: Vec::new(),
        }
    }

    fn edited(text: &str, edits: &[Vec<Change>]) -> String {
        String::from_utf8(apply(text.as_bytes(), edits.iter().flatten())).expect("text")
    }

    #[test]
    fn values_other_than_0_and_1_are_converted() {
        let text = "if (a == b && p) {}\r\n";
        let first = expect(&condition(text, "a == b"), Conversion::None, true, None);
        let second = expect(&condition(text, "p"), Conversion::Negations, false, Some(0.75));
        let wanted = "if (__builtin_expect(a == b, 1) && \
                      __builtin_expect_with_probability(!!(p), 0, 0.75)) {}\r\n";
        assert_eq!(edited(text, &[second, first]), wanted);
        let of_class = expect(&condition("if (c)", "c"), Conversion::Cast, true, None);
        assert_eq!(edited("if (c)", &[of_class]), "if (__builtin_expect(static_cast<bool>(c), 1))");
        let text = "while ((c = f()))";
        let in_parentheses = expect(&condition(text, "(c = f())"), Conversion::Negations, true, None);
        assert_eq!(edited(text, &[in_parentheses]), "while (__builtin_expect(!!(c = f()), 1))");
    }

    #[test]
    fn edits_at_one_offset_are_nested() {
        let text = "while (a && b)";
        let of = |part, value| expect(&condition(text, part), Conversion::None, value, None);
        let (whole, left, right) = (of("a && b", false), of("a", true), of("b", true));
        let wanted = "while (__builtin_expect(__builtin_expect(a, 1) && __builtin_expect(b, 1), 0))";
        assert_eq!(edited(text, &[left.clone(), whole.clone(), right.clone()]), wanted);
        assert_eq!(edited(text, &[right, whole, left]), wanted);
    }

    #[test]
    fn contradicted_hints_are_inverted_or_removed() {
        let text = "if (__builtin_expect(x, 1))";
        let condition = condition(text, "__builtin_expect(x, 1)");
        let hint = |is_true, is_truth| Expectation { argument: 21..22, value: 24..25, is_true, is_truth };
        let contradicted =
            |hint, value, is_sure| Some(edited(text, &[contradict(&condition, &hint, value, is_sure).ok()?]));
        let wanted = |text: &str| Some(text.to_string());
        assert_eq!(contradicted(hint(true, false), false, true), wanted("if (__builtin_expect(x, 0))"));
        assert_eq!(contradicted(hint(true, false), false, false), wanted("if ((x))"));
        assert_eq!(contradicted(hint(false, true), true, true), wanted("if (__builtin_expect(x, 1))"));
        assert_eq!(contradicted(hint(false, false), true, true), None);
        assert_eq!(contradicted(hint(true, true), true, true), None);
    }
}
