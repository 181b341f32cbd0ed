//! Branches of the source: what a program has of one branch, in inlined copies, in instances of a template, and in inline
//! functions of several files, taken together.

use std::collections::{HashMap, HashSet};

use bpa_schema::{Frame, Position};

use crate::branch::Branch;
use crate::snippet;
use crate::source::Sources;

/// Estimated calls above this count as so many when branches are ranked: in recursions the estimate knows no bound.
pub const MOST_CALLS: f64 = 100.0;

/// Executions per call above this count as so many: of endless loops, as servers have them, LLVM expects half a million
/// iterations, and three nested loops have some 30,000.
pub const MOST_PER_CALL: f64 = 30_000.0;

/// A branch of the source.
pub struct SourceBranch<'a> {
    /// What became of it, what weighs most first. What several modules have of one function is there once.
    pub copies: Vec<&'a Branch<'a>>,
    /// How much it matters: the sum of its copies' weights.
    pub weight: f64,
    /// Which of several branches of one expression it is, from 1, and how many these are: a macro may write several.
    pub number: (usize, usize),
}

impl<'a> SourceBranch<'a> {
    /// The copy that weighs most.
    pub fn first(&self) -> &'a Branch<'a> {
        self.copies[0]
    }

    /// The least and the largest share, over 2^31, that copies have of the successor which the first copy has at `place`.
    pub fn range(&self, place: usize) -> Option<(u32, u32)> {
        let count = self.first().successors().len();
        let shares: Option<Vec<u32>> = self
            .copies
            .iter()
            .map(|copy| {
                Some(copy.successors())
                    .filter(|successors| successors.len() == count)
                    .map(|successors| successors[place].numerator)
            })
            .collect();
        let shares = shares?;
        Some((*shares.iter().min()?, *shares.iter().max()?))
    }
}

/// By what the ranking goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Executions that a profile has measured.
    Measured,
    /// The frequency in the function, of which at most [`MOST_PER_CALL`] counts, times the estimated calls of the function, of
    /// which at most [`MOST_CALLS`] count.
    Estimated,
}

impl Order {
    /// In words.
    pub fn in_words(self) -> String {
        match self {
            Order::Measured => "measured executions".to_string(),
            Order::Estimated => format!(
                "a static estimate: executions per call of their function (at most {MOST_PER_CALL}) times its estimated calls \
                 (at most {MOST_CALLS})"
            ),
        }
    }

    pub fn weight(self, branch: &Branch) -> f64 {
        match self {
            Order::Measured => branch.executions().unwrap_or(0.0),
            Order::Estimated => branch.frequency.min(MOST_PER_CALL) * branch.calls.min(MOST_CALLS),
        }
    }
}

/// What identifies a branch of the source. Equal keys belong to copies of one branch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Source {
        file: String,
        line: u32,
        /// Where the condition begins: debug information has the column of an operator or of a name in it, in copies that
        /// were optimised differently not always the same.
        column: u32,
        successors: usize,
        /// A macro may write several branches at one place of a function: they are counted.
        number: usize,
    },
    /// A branch without a line.
    Unknown { module: usize, symbol: String, block: usize },
}

/// Makes the keys of branches, which it has to get in the order of their functions.
pub struct Keys<'s> {
    sources: &'s Sources,
    /// How many branches of a function come from one place, with the calls that it was inlined by.
    numbers: HashMap<(usize, String, String), usize>,
}

/// A branch as [`Keys`] look at it.
pub struct Place<'p> {
    pub module: usize,
    pub symbol: &'p str,
    /// Whether another module may have another function of that name.
    pub is_local: bool,
    pub block: usize,
    pub position: Option<&'p Position<'p>>,
    pub successors: usize,
}

impl<'s> Keys<'s> {
    pub fn new(sources: &'s Sources) -> Self {
        Keys { sources, numbers: HashMap::new() }
    }

    pub fn key(&mut self, place: &Place) -> Key {
        let symbol = place.symbol.to_string();
        let Some(position) = place.position.filter(|position| position.frame.line > 0) else {
            let module = if place.is_local { place.module + 1 } else { 0 };
            return Key::Unknown { module, symbol, block: place.block };
        };
        let frame = &position.frame;
        let column = self.start_of_condition(frame);
        let mut calls = format!("{}:{}:{column}", frame.file, frame.line);
        for call in &position.inlined_at {
            calls += &format!(" {}:{}:{}", call.file, call.line, call.column);
        }
        let number = self.numbers.entry((place.module, symbol, calls)).or_default();
        *number += 1;
        let (file, successors, number) = (frame.file.to_string(), place.successors, *number);
        Key::Source { file, line: frame.line, column, successors, number }
    }

    /// The column at which the condition of `frame` begins; its own if the source is not there.
    fn start_of_condition(&self, frame: &Frame) -> u32 {
        let text = self.sources.text(frame.directory.as_deref(), &frame.file);
        let Some(line) = text.as_ref().and_then(|text| text.line(frame.line)) else { return frame.column };
        // The branch of a whole `a || b` has the operator's column, and is not that of `a`.
        let is_operator =
            |offset: usize| ["&&", "||"].iter().any(|operator| line[offset..].starts_with(operator));
        let offset = (frame.column as usize).checked_sub(1).filter(|&offset| line.is_char_boundary(offset));
        if offset.is_none_or(is_operator) {
            return frame.column;
        }
        u32::try_from(snippet::condition(line, frame.column).start + 1).unwrap_or(frame.column)
    }
}

/// `branches`, those of one place together, those that weigh most first.
pub fn merge<'a>(branches: &[&'a Branch<'a>], order: Order, sources: &Sources) -> Vec<SourceBranch<'a>> {
    merge_by(branches, sources, |branch| order.weight(branch))
}

/// [`merge`] by any weight.
pub fn merge_by<'a>(
    branches: &[&'a Branch<'a>],
    sources: &Sources,
    weight: impl Fn(&Branch) -> f64,
) -> Vec<SourceBranch<'a>> {
    let mut places: HashMap<Key, usize> = HashMap::new();
    let mut merged: Vec<SourceBranch> = Vec::new();
    let mut keys = Keys::new(sources);
    let mut seen = HashSet::new();
    for &branch in branches {
        let key = keys.key(&Place {
            module: branch.unit,
            symbol: &branch.function.function,
            is_local: branch.is_local(),
            block: branch.block,
            position: branch.position(),
            successors: branch.successors().len(),
        });
        let place = *places.entry(key).or_insert_with(|| {
            merged.push(SourceBranch { copies: Vec::new(), weight: 0.0, number: (1, 1) });
            merged.len() - 1
        });
        // The same function of several modules, from the same source: the linker keeps one.
        let symbol = &*branch.function.function;
        let module = if branch.is_local() { branch.unit + 1 } else { 0 };
        if seen.insert((place, module, symbol, branch.block)) {
            merged[place].copies.push(branch);
            merged[place].weight += weight(branch);
        }
    }
    count_neighbours(&mut merged, &places);
    for one in &mut merged {
        one.copies.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
    }
    merged.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    merged
}

/// Numbers the branches that one expression has several of. `places` says which of `merged` has which key.
fn count_neighbours(merged: &mut [SourceBranch], places: &HashMap<Key, usize>) {
    let mut expressions: HashMap<(&str, u32, u32), Vec<usize>> = HashMap::new();
    for (key, &place) in places {
        if let Key::Source { file, line, column, .. } = key {
            expressions.entry((file, *line, *column)).or_default().push(place);
        }
    }
    for mut neighbours in expressions.into_values() {
        // In the order in which they came.
        neighbours.sort_unstable();
        let count = neighbours.len();
        for (number, place) in neighbours.into_iter().enumerate() {
            merged[place].number = (number + 1, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(keys: &mut Keys, symbol: &str, file: &str, column: u32) -> Key {
        let text = serde_json::json!({"file": file, "line": 1, "column": column}).to_string();
        let position: Position = serde_json::from_str(&text).expect("a position");
        let place = Place {
            module: 0,
            symbol,
            is_local: false,
            block: column as usize,
            position: Some(&position),
            successors: 2,
        };
        keys.key(&place)
    }

    #[test]
    fn columns_of_one_condition_are_one_branch() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.c").display().to_string();
        std::fs::write(&file, "if (!done && list->next == end)\n").expect("a file");
        let sources = Sources::default();
        let mut keys = Keys::new(&sources);
        let [not, operand] =
            [("f", 5), ("g", 6)].map(|(symbol, column)| key(&mut keys, symbol, &file, column));
        assert_eq!(not, operand);
        let [name, equal] =
            [("f", 20), ("g", 25)].map(|(symbol, column)| key(&mut keys, symbol, &file, column));
        assert_eq!(name, equal);
        assert_ne!(not, name);
        // What a macro writes at one place of a function stays apart.
        assert_ne!(key(&mut keys, "h", &file, 5), key(&mut keys, "h", &file, 5));
        // Without the source, columns are all that is known.
        assert_ne!(key(&mut keys, "f", "/no/such.c", 5), key(&mut keys, "g", "/no/such.c", 6));
    }
}
