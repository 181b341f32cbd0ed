//! What to write, in the language of the source, where the exact edit is not certain.

use super::branches::{MeasuredBranch, Side};
use super::cost::least_sure_share;
use super::dialect::Dialect;
use super::finding::near;
use super::ranking::Hint;

/// Whether the language has a hint for it. `branch` is the one that ran most often.
pub fn is_expressible(hint: &Hint, branch: &MeasuredBranch) -> bool {
    match hint.dialect {
        // No constant leads to `default`.
        Dialect::BuiltinExpect if branch.is_switch => hint.place.likely > 0,
        // Attributes and `cold_path` know no shares.
        Dialect::Attributes if branch.is_switch => hint.place.share >= least_sure_share(),
        Dialect::Rust => hint.place.share >= least_sure_share(),
        _ => true,
    }
}

/// What to write for `hint`, beside or without an edit.
pub fn advice(hint: &Hint, branch: &MeasuredBranch) -> String {
    match hint.dialect {
        Dialect::BuiltinExpect | Dialect::Unknown => builtin_expect(hint, branch),
        Dialect::Attributes => match attributes(hint, branch) {
            Some(text) if branch.is_hinted() => format!("take the hint away, or {text} instead"),
            Some(text) => text,
            None => builtin_expect(hint, branch),
        },
        Dialect::Rust => rust(hint, branch),
    }
}

fn likely<'b>(hint: &Hint, branch: &'b MeasuredBranch) -> &'b Side {
    &branch.sides[hint.place.likely]
}

fn builtin_expect(hint: &Hint, branch: &MeasuredBranch) -> String {
    let to = near(branch, likely(hint, branch));
    let share = (hint.place.share * 100.0).floor() / 100.0;
    let (name, rest) = match share {
        share if share >= least_sure_share() => ("__builtin_expect", String::new()),
        share => ("__builtin_expect_with_probability", format!(", {share:.2}")),
    };
    if branch.is_switch {
        return format!(
            "write `switch ({name}(value, CASE{rest}))`, where CASE is the constant of the case that leads to {to}"
        );
    }
    let written =
        format!("`{name}(condition, VALUE{rest})`, where VALUE, 0 or 1, is the one that leads to {to}");
    match branch.is_hinted() {
        true => format!("take the hint away, or write {written}"),
        false => format!("write {written}"),
    }
}

/// `[[likely]]` or `[[unlikely]]`, if a statement is known to which this branch alone leads.
pub fn attributes(hint: &Hint, branch: &MeasuredBranch) -> Option<String> {
    if hint.place.share < least_sure_share() {
        return None;
    }
    let statement = |side: &Side| {
        let is_known = side.is_only_entry && side.first.is_some();
        is_known.then(|| near(branch, side))
    };
    let likely = likely(hint, branch);
    if branch.is_switch {
        return Some(format!(
            "write `[[likely]]` before the label of the case that leads to {}",
            near(branch, likely)
        ));
    }
    let other = branch.sides.iter().find(|side| side.to != likely.to);
    match (statement(likely), other.and_then(statement)) {
        (Some(there), _) => Some(format!("write `[[likely]]` before the statement at {there}")),
        (None, Some(there)) => Some(format!("write `[[unlikely]]` before the statement at {there}")),
        (None, None) => None,
    }
}

/// A block that hardly ever runs begins with a call of `cold_path`.
fn rust(hint: &Hint, branch: &MeasuredBranch) -> String {
    format!("write `core::hint::cold_path();` at the start of the block at {}", unlikely_places(hint, branch))
}

/// What to write in Rust before 1.95, for a package that promises to build with that.
pub fn cold_function(hint: &Hint, branch: &MeasuredBranch) -> String {
    format!(
        "move the block at {} into a function with `#[cold]`: the package promises to build with a Rust before 1.95, which has \
         no `core::hint::cold_path()`",
        unlikely_places(hint, branch)
    )
}

fn unlikely_places(hint: &Hint, branch: &MeasuredBranch) -> String {
    let likely = likely(hint, branch);
    let places = branch.sides.iter().filter(|side| side.to != likely.to).map(|side| near(branch, side));
    places.collect::<Vec<_>>().join(" and ")
}
