//! The entries of a text that describes a predictor: numbers, pairs of them and tables, each with its line.

use std::ops::{Range, RangeInclusive};

use toml::de::{DeTable, DeValue};
use toml::Spanned;

use super::comparisons::BranchWeights;
use super::error::RuleSetError;

/// A value, and where in the text it stands.
pub(super) type Entry<'a> = Spanned<DeValue<'a>>;

/// The most that a number may be: sums of two fit into 32 bits, and so does their sum with what rounding adds.
pub(super) const MOST: u32 = (1 << 31) - 1;

/// Reads entries, and takes note of what is wrong.
pub(super) struct Entries<'a> {
    text: &'a str,
    problems: Vec<RuleSetError>,
}

impl<'a> Entries<'a> {
    pub fn new(text: &'a str) -> Self {
        Entries { text, problems: Vec::new() }
    }

    /// The first problem in the text, if there is any.
    pub fn first_problem(self) -> Option<RuleSetError> {
        self.problems.into_iter().min_by_key(|problem| problem.line)
    }

    /// Takes note that something else was expected at `place`, of which `expected` says what.
    pub fn expect(&mut self, place: Range<usize>, expected: impl Into<String>) {
        let before = self.text.as_bytes().iter().take(place.start);
        let line = 1 + before.filter(|&&byte| byte == b'\n').count();
        self.problems.push(RuleSetError { line, expected: format!("expected {}", expected.into()) });
    }

    /// The keys of `table`, called `name` in the text, that are not among `known` are problems.
    pub fn know(&mut self, table: &DeTable<'_>, name: &str, known: &[&str]) {
        for key in table.keys() {
            if !known.contains(&key.get_ref().as_ref()) {
                let typed = key.get_ref().escape_debug();
                self.expect(key.span(), format!("{} in {name}, not {typed}", one_of(known)));
            }
        }
    }

    /// The table that `entry` is.
    pub fn table<'t>(&mut self, entry: &'t Entry<'a>, name: &str) -> Option<&'t DeTable<'a>> {
        let table = match entry.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => None,
        };
        if table.is_none() {
            self.expect(entry.span(), format!("a table {name}"));
        }
        table
    }

    /// The number at `key` of `table`, called `name`, which stands at `place`: it has to be there.
    pub fn number(
        &mut self,
        (table, name, place): (&DeTable<'_>, &str, Range<usize>),
        key: &str,
        range: RangeInclusive<u32>,
    ) -> Option<u32> {
        let meaning = || format!("{key} = a whole number from {} to {}", range.start(), range.end());
        let Some(entry) = table.get(key) else {
            self.expect(place, format!("{} in {name}", meaning()));
            return None;
        };
        let number = whole(entry).filter(|number| range.contains(number));
        if number.is_none() {
            self.expect(entry.span(), meaning());
        }
        number
    }

    /// How something divides, at `key` of `table`: it has to be there, and its second part may not be above the first.
    pub fn ratio(
        &mut self,
        (table, name, place): (&DeTable<'_>, &str, Range<usize>),
        key: &str,
    ) -> Option<[u32; 2]> {
        let meaning =
            || format!("{key} = two whole numbers from 1 to {MOST}, the second not above the first");
        let Some(entry) = table.get(key) else {
            self.expect(place, format!("{} in {name}", meaning()));
            return None;
        };
        let pair =
            pair(entry).filter(|&[more, less]| (1..=MOST).contains(&more) && (1..=more).contains(&less));
        if pair.is_none() {
            self.expect(entry.span(), meaning());
        }
        pair
    }

    /// The weights at `key` of `table`, if they are there.
    pub fn weights(&mut self, table: &DeTable<'_>, key: &str) -> Option<BranchWeights> {
        let entry = table.get(key)?;
        let weights =
            pair(entry).filter(|weights| weights.iter().all(|weight| *weight <= MOST) && *weights != [0, 0]);
        if weights.is_none() {
            self.expect(entry.span(), format!("{key} = two whole numbers from 0 to {MOST}, not both 0"));
        }
        weights
    }
}

/// `keys`, of which one was expected, in words.
pub(super) fn one_of(keys: &[&str]) -> String {
    match keys {
        [only] => only.to_string(),
        _ => format!("one of {}", keys.join(", ")),
    }
}

/// The number that `entry` is, if it is one of 32 bits.
fn whole(entry: &Entry<'_>) -> Option<u32> {
    match entry.get_ref() {
        DeValue::Integer(integer) => u32::from_str_radix(integer.as_str(), integer.radix()).ok(),
        _ => None,
    }
}

fn pair(entry: &Entry<'_>) -> Option<[u32; 2]> {
    let DeValue::Array(elements) = entry.get_ref() else { return None };
    let numbers: Vec<u32> = elements.iter().map(whole).collect::<Option<_>>()?;
    numbers.try_into().ok()
}
