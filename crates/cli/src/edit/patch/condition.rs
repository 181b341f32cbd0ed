//! The conditions of a source file. Each conditional branch of unoptimised code tests one condition.

use std::collections::BTreeMap;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::files::FileId;
use super::text::Text;

/// The condition of a conditional branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    pub start: usize,
    pub end: usize,
    /// The value of the condition on the first edge of the branch.
    pub first_edge: bool,
    pub form: Form,
    /// True if the condition begins with a parenthesis, and ends with the matching parenthesis.
    pub is_in_parentheses: bool,
    /// The offset of the statement that tests only this condition, or `None` if there is no such statement.
    pub statement: Option<usize>,
    /// The existing `__builtin_expect` around the condition.
    pub expectation: Option<Expectation>,
    /// If a part of the condition is in a macro: the offset of the first token, and the offset of the last token. Each
    /// offset refers to the macro definition that contains the token.
    pub spelled: Option<(Option<usize>, Option<usize>)>,
    /// True if the text has different meanings in different modules or template instances.
    pub is_ambiguous: bool,
}

/// The kind of expression that is used as a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Form {
    /// The value of the condition is always 0 or 1.
    Truth,
    /// The condition is a number or a pointer.
    Scalar,
    /// The condition can be an object of a class that defines a conversion to `bool`.
    Class,
}

/// `__builtin_expect(argument, value)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expectation {
    pub argument: (usize, usize),
    /// The range of the second argument, and the value of this argument: true for `1`, false for `0`.
    pub value: (usize, usize, bool),
    /// True if the first argument is always 0 or 1.
    pub is_truth: bool,
}

/// The conditions in editable files.
#[derive(Default)]
pub struct Conditions {
    by_file: HashMap<FileId, BTreeMap<(usize, usize), Condition>>,
}

impl Conditions {
    /// The innermost condition that contains `offset`. If no condition contains `offset`, but a statement begins at
    /// `offset` and tests only one condition, the result is this condition.
    pub fn at(&self, file: FileId, offset: usize) -> Option<&Condition> {
        let all = || self.of(file);
        let around = all().filter(|condition| condition.start <= offset && offset < condition.end);
        let of_statement = || {
            let mut whole = all().filter(|condition| condition.statement == Some(offset));
            whole.next().filter(|_| whole.next().is_none())
        };
        around.min_by_key(|condition| condition.end - condition.start).or_else(of_statement)
    }

    /// The left operand of the `&&` or `||` at `offset`. In `x = a && b`, clang uses the position of `&&` for the
    /// branch of `a`.
    pub fn before(&self, file: FileId, offset: usize, text: &Text) -> Option<&Condition> {
        if !["&&", "||"].iter().any(|operator| text.has(operator, offset)) {
            return None;
        }
        let of_file = self.by_file.get(&file)?;
        let before = of_file.values().filter(|condition| condition.end <= offset);
        // If several conditions end at the same offset, this expression selects the shortest condition.
        let last = before.max_by_key(|condition| (condition.end, condition.start))?;
        let mut place = text.next_token(last.end);
        while place < offset && text.has(")", place) {
            place = text.next_token(place + 1);
        }
        (place == offset).then_some(last)
    }

    /// `condition`, and the conditions around `condition` that begin at the same offset, beginning with the shortest.
    pub fn around(&self, file: FileId, condition: &Condition) -> impl Iterator<Item = &Condition> {
        let Condition { start, end, .. } = *condition;
        self.by_file
            .get(&file)
            .into_iter()
            .flat_map(move |all| all.range((start, end)..(start + 1, 0)).map(|(_, one)| one))
    }

    /// Returns true if `condition` is in a macro expansion that also contains another condition.
    pub fn shares_macro(&self, file: FileId, condition: &Condition) -> bool {
        let meets = |other: &Condition| other.start < condition.end && condition.start < other.end;
        let is_other = |other: &Condition| (other.start, other.end) != (condition.start, condition.end);
        condition.spelled.is_some()
            && self.of(file).any(|other| other.spelled.is_some() && is_other(other) && meets(other))
    }

    pub fn of(&self, file: FileId) -> impl Iterator<Item = &Condition> {
        self.by_file.get(&file).into_iter().flat_map(|conditions| conditions.values())
    }

    pub fn add(&mut self, file: FileId, new: Condition) {
        let place = self.by_file.entry(file).or_default().entry((new.start, new.end));
        place.and_modify(|old| old.merge(&new)).or_insert(new);
    }
}

impl Condition {
    /// A condition that contains no macros and always has the value 0 or 1.
    #[cfg(test)]
    pub fn written(start: usize, end: usize) -> Self {
        Condition {
            start,
            end,
            first_edge: true,
            form: Form::Truth,
            is_in_parentheses: false,
            statement: None,
            expectation: None,
            spelled: None,
            is_ambiguous: false,
        }
    }

    /// Merges `other` into this condition. Both conditions come from the same source text, but from two template
    /// instances or from two modules.
    fn merge(&mut self, other: &Condition) {
        self.form = self.form.max(other.form);
        self.is_ambiguous |= other.is_ambiguous
            || (self.first_edge, self.spelled, self.expectation.is_some())
                != (other.first_edge, other.spelled, other.expectation.is_some());
        self.statement = self.statement.or(other.statement);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operator_denotes_the_operand_before_it() {
        let source = "return (a || b /* ) */) && c;";
        let text = Text::new(source.into());
        let root = std::env::current_dir().expect("a folder");
        let file = super::super::files::Files::below(root.clone()).id(&root, "a.c");
        let mut conditions = Conditions::default();
        let at = |part: &str| source.find(part).expect("it is there");
        for operand in ["a ", "b "] {
            conditions.add(file, Condition::written(at(operand), at(operand) + 1));
        }
        let before = |part: &str| Some(conditions.before(file, at(part), &text)?.start);
        assert_eq!((before("||"), before("&&")), (Some(at("a ")), Some(at("b "))));
        assert_eq!((before("c;"), before("(a")), (None, None));
    }
}
