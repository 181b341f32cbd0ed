//! The conditions of a source: what each conditional branch of unoptimised code tests.

use std::collections::BTreeMap;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::files::FileId;
use super::text::Text;

/// What a conditional branch tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    pub start: usize,
    pub end: usize,
    /// Its value where the branch takes its first edge.
    pub first_edge: bool,
    pub form: Form,
    /// Whether it begins and ends with a pair of parentheses.
    pub is_in_parentheses: bool,
    /// Where the statement begins of which it is the whole condition.
    pub statement: Option<usize>,
    /// The `__builtin_expect` that it is.
    pub expectation: Option<Expectation>,
    /// Where a macro has part of it: where first and last token are spelled.
    pub spelled: Option<(Option<usize>, Option<usize>)>,
    /// Whether what is there is not the same for all who include it.
    pub is_ambiguous: bool,
}

/// How it becomes a truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Form {
    /// It is 0 or 1.
    Truth,
    /// It is a number or a pointer.
    Scalar,
    /// A class may decide.
    Class,
}

/// `__builtin_expect(argument, value)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expectation {
    pub argument: (usize, usize),
    /// Where the value stands, if it is `0` or `1`, and which.
    pub value: (usize, usize, bool),
    /// Whether the argument is 0 or 1.
    pub is_truth: bool,
}

/// The conditions in the files that may be changed.
#[derive(Default)]
pub struct Conditions {
    by_file: HashMap<FileId, BTreeMap<(usize, usize), Condition>>,
}

impl Conditions {
    /// The condition at a place: the innermost that is there, or that of the statement which begins there.
    pub fn at(&self, file: FileId, offset: usize) -> Option<&Condition> {
        let all = || self.of(file);
        let around = all().filter(|condition| condition.start <= offset && offset < condition.end);
        let of_statement = || {
            let mut whole = all().filter(|condition| condition.statement == Some(offset));
            whole.next().filter(|_| whole.next().is_none())
        };
        around.min_by_key(|condition| condition.end - condition.start).or_else(of_statement)
    }

    /// The operand that ends before the `&&` or `||` at `offset`: clang gives the branch of an operand that place where the
    /// operator's value is computed.
    pub fn before(&self, file: FileId, offset: usize, text: &Text) -> Option<&Condition> {
        if !["&&", "||"].iter().any(|operator| text.has(operator, offset)) {
            return None;
        }
        let of_file = self.by_file.get(&file)?;
        let before = of_file.values().filter(|condition| condition.end <= offset);
        // Of those that end together the smallest.
        let last = before.max_by_key(|condition| (condition.end, condition.start))?;
        let mut place = text.next_token(last.end);
        while place < offset && text.has(")", place) {
            place = text.next_token(place + 1);
        }
        (place == offset).then_some(last)
    }

    /// Whether other conditions are made of the same macro.
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
    /// One that is written out, and is a truth value.
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

    /// Takes in what another instance of a template, or another file that includes it, makes of the same text.
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
    fn an_operator_stands_for_the_operand_before_it() {
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
