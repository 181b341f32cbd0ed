//! Merges the copies of a source branch in a program: inlined copies, template instances, and inline functions of
//! several files.

use std::collections::{HashMap, HashSet};

use bpa_schema::{Frame, Position, ScoredBranch};

use crate::counts::BranchCounts;
use crate::study::branch::Branch;
use crate::study::source::Sources;

/// In the ranking of branches, each function has at most this many estimated calls. For recursive functions, the
/// estimate is unbounded.
pub const MOST_CALLS: f64 = 100.0;

/// In the ranking of branches, each branch has at most this many executions per call of its function. If a loop ends
/// only with a call of `exit`, such as the main loop of a server, LLVM expects half a million iterations of the loop. A
/// block in three nested loops has a frequency of about 30,000.
pub const MOST_PER_CALL: f64 = 30_000.0;

/// A branch of the source.
pub struct SourceBranch<'a> {
    /// The copies of the branch in descending order of weight. If several modules contain the same function, the list
    /// contains the branch from only one module.
    pub copies: Vec<&'a Branch<'a>>,
    /// The sum of the weights of the copies.
    pub weight: f64,
    /// The position of this branch in its expression, counted from 1, and the total number of branches in the
    /// expression. A macro can expand to several branches.
    pub number: (usize, usize),
}

impl<'a> SourceBranch<'a> {
    /// The copy with the highest weight.
    pub fn first(&self) -> &'a Branch<'a> {
        self.copies[0]
    }

    /// The smallest and the largest probability of the first successor among all copies. `probability` returns the
    /// first successor's probability in one copy. The result is `None` if the branch is a switch, because the
    /// successors of a switch are printed in descending order of probability.
    pub fn range(&self, probability: impl Fn(&Branch) -> Option<f64>) -> Option<(f64, f64)> {
        let of = |copy: &&Branch| probability(copy).filter(|_| copy.successors().len() == 2);
        let all: Vec<f64> = self.copies.iter().map(of).collect::<Option<_>>()?;
        Some(all.iter().fold((1.0, 0.0), |(least, most), &one| (one.min(least), one.max(most))))
    }
}

/// The weight by which branches are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The number of executions of the branch, from a profile.
    Measured,
    /// The frequency per call (at most [`MOST_PER_CALL`]) times the estimated calls of the function (at most
    /// [`MOST_CALLS`]).
    Estimated,
}

impl Order {
    /// Describes the ranking of branches, for messages.
    pub fn in_words(self) -> String {
        match self {
            Order::Measured => "measured executions".to_string(),
            Order::Estimated => format!(
                "a static estimate: executions per call (at most {MOST_PER_CALL}) times the estimated number of calls \
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

/// Identifies a branch of the source. Copies of one branch have equal keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Source {
        file: String,
        line: u32,
        /// The column where the condition begins. The column in debug information is a position inside the condition,
        /// and can differ between copies.
        column: u32,
        successors: usize,
        /// Distinguishes branches of a macro that have the same position in a function.
        number: usize,
    },
    /// A branch whose source line is unknown.
    Unknown { module: usize, symbol: String, block: usize },
}

/// Computes the keys of branches. The caller must pass the branches of a function in the same order as in the function.
pub struct Keys<'s> {
    sources: &'s Sources,
    /// For each module, symbol and position, the number of branches that already have a key. The position includes all
    /// inlined calls.
    numbers: HashMap<(usize, String, String), usize>,
}

/// The properties that identify a branch. Branches of several modules with equal keys are counted as one branch.
pub struct BranchIdentity<'p> {
    pub module: usize,
    pub symbol: &'p str,
    /// True if the function is local to its module. Another module can have a different function with the same name.
    pub is_local: bool,
    pub block: usize,
    pub position: Option<&'p Position>,
    pub successors: usize,
}

impl<'p> BranchIdentity<'p> {
    pub fn of(branch: &'p Branch) -> Self {
        BranchIdentity {
            module: branch.unit,
            symbol: &branch.function.function,
            is_local: branch.is_local(),
            block: branch.block,
            position: branch.position(),
            successors: branch.successors().len(),
        }
    }

    pub fn of_scored(module: usize, branch: &'p ScoredBranch) -> Self {
        BranchIdentity {
            module,
            symbol: &branch.place.function,
            is_local: branch.place.local,
            block: branch.place.number,
            position: branch.source.as_ref(),
            successors: branch.edges.len(),
        }
    }
}

impl<'s> Keys<'s> {
    pub fn new(sources: &'s Sources) -> Self {
        Keys { sources, numbers: HashMap::new() }
    }

    pub fn key(&mut self, branch: &BranchIdentity) -> Key {
        let symbol = branch.symbol.to_string();
        let Some(position) = branch.position.filter(|position| position.frame.line > 0) else {
            let module = if branch.is_local { branch.module + 1 } else { 0 };
            return Key::Unknown { module, symbol, block: branch.block };
        };
        let frame = &position.frame;
        let column = self.start_of_condition(frame);
        let mut calls = format!("{}:{}:{column}", frame.file, frame.line);
        for call in &position.inlined_at {
            calls += &format!(" {}:{}:{}", call.file, call.line, call.column);
        }
        let number = self.numbers.entry((branch.module, symbol, calls)).or_default();
        *number += 1;
        let (file, successors, number) = (frame.file.to_string(), branch.successors, *number);
        Key::Source { file, line: frame.line, column, successors, number }
    }

    /// The column at which the condition of `frame` begins, or the column of `frame` if the source file is missing.
    fn start_of_condition(&self, frame: &Frame) -> u32 {
        let text = self.sources.text(frame.directory.as_deref(), &frame.file);
        let Some(line) = text.as_ref().and_then(|text| text.line(frame.line)) else { return frame.column };
        // In `a || b`, the branch of `a` has a column inside `a`. A branch with the column of `||` tests the whole
        // condition. The branch of `a` and the branch of `a || b` must have different keys.
        let is_operator =
            |offset: usize| ["&&", "||"].iter().any(|operator| line[offset..].starts_with(operator));
        let offset = (frame.column as usize).checked_sub(1).filter(|&offset| line.is_char_boundary(offset));
        if offset.is_none_or(is_operator) {
            return frame.column;
        }
        let condition = text.as_ref().and_then(|text| text.condition(frame.line, frame.column, false));
        let condition = condition.filter(|condition| condition.first_line == frame.line);
        let column = condition.and_then(|condition| u32::try_from(condition.span.start + 1).ok());
        column.unwrap_or(frame.column)
    }
}

/// Merges the branches with equal keys. The result is in descending order of weight.
pub fn merge<'a>(branches: &[&'a Branch<'a>], order: Order, sources: &Sources) -> Vec<SourceBranch<'a>> {
    merge_by(branches, sources, |branch| order.weight(branch))
}

/// Like [`merge`], with the weights that the function `weight` returns.
pub fn merge_by<'a>(
    branches: &[&'a Branch<'a>],
    sources: &Sources,
    weight: impl Fn(&Branch) -> f64,
) -> Vec<SourceBranch<'a>> {
    let mut indices: HashMap<Key, usize> = HashMap::new();
    let mut merged: Vec<SourceBranch> = Vec::new();
    let mut keys = Keys::new(sources);
    let mut seen = HashSet::new();
    for &branch in branches {
        let key = keys.key(&BranchIdentity::of(branch));
        let index = *indices.entry(key).or_insert_with(|| {
            merged.push(SourceBranch { copies: Vec::new(), weight: 0.0, number: (1, 1) });
            merged.len() - 1
        });
        // If several modules contain the same function, the linker keeps only one copy. Functions with different counts
        // are not the same function.
        let symbol = &*branch.function.function;
        let module = if branch.is_local() { branch.unit + 1 } else { 0 };
        let counts = branch.counts.map(BranchCounts::edges);
        if seen.insert((index, module, symbol, branch.block, counts)) {
            merged[index].copies.push(branch);
            merged[index].weight += weight(branch);
        }
    }
    count_neighbours(&mut merged, &indices);
    for one in &mut merged {
        one.copies.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
    }
    merged.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    merged
}

/// Gives the branches of each expression the numbers 1, 2, 3 and so on. `indices` maps keys to indices of `merged`.
fn count_neighbours(merged: &mut [SourceBranch], indices: &HashMap<Key, usize>) {
    let mut expressions: HashMap<(&str, u32, u32), Vec<usize>> = HashMap::new();
    for (key, &index) in indices {
        if let Key::Source { file, line, column, .. } = key {
            expressions.entry((file, *line, *column)).or_default().push(index);
        }
    }
    for mut neighbours in expressions.into_values() {
        // `merged` contains the branches in the order of their first occurrences.
        neighbours.sort_unstable();
        let count = neighbours.len();
        for (number, index) in neighbours.into_iter().enumerate() {
            merged[index].number = (number + 1, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(keys: &mut Keys, symbol: &str, file: &str, column: u32) -> Key {
        let text = serde_json::json!({"file": file, "line": 1, "column": column}).to_string();
        let position: Position = serde_json::from_str(&text).expect("a position");
        let identity = BranchIdentity {
            module: 0,
            symbol,
            is_local: false,
            block: column as usize,
            position: Some(&position),
            successors: 2,
        };
        keys.key(&identity)
    }

    #[test]
    fn columns_inside_one_condition_have_one_key() {
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
        // Branches of a macro that have the same position in a function stay separate.
        assert_ne!(key(&mut keys, "h", &file, 5), key(&mut keys, "h", &file, 5));
        // Without the source file, the column where the condition begins is unknown.
        assert_ne!(key(&mut keys, "f", "/no/such.c", 5), key(&mut keys, "g", "/no/such.c", 6));
    }
}
