//! Branches of the source: what a program has of one branch, in inlined copies, in instances of a template, and in inline
//! functions of several files, taken together.

use std::collections::{HashMap, HashSet};

use crate::branch::Branch;

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
}

impl<'a> SourceBranch<'a> {
    /// The copy that weighs most.
    pub fn first(&self) -> &'a Branch<'a> {
        self.copies[0]
    }

    /// The least and the largest share, over 2^31, that copies have of the successor which the first copy has at `place`.
    pub fn range(&self, place: usize) -> Option<(u32, u32)> {
        let count = self.first().sides().len();
        let shares: Option<Vec<u32>> = self
            .copies
            .iter()
            .map(|copy| {
                Some(copy.sides()).filter(|sides| sides.len() == count).map(|sides| sides[place].numerator)
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

/// By what the copies of a branch are known.
#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Source {
        file: &'a str,
        line: u32,
        column: u32,
        successors: usize,
        /// A macro may write several branches at one place of a function: they are counted.
        number: usize,
    },
    Unknown {
        unit: usize,
        symbol: &'a str,
        block: usize,
    },
}

/// `branches`, those of one place together, those that weigh most first.
pub fn merge<'a>(branches: &[&'a Branch<'a>], order: Order) -> Vec<SourceBranch<'a>> {
    merge_by(branches, |branch| order.weight(branch))
}

/// [`merge`] by any weight.
pub fn merge_by<'a>(branches: &[&'a Branch<'a>], weight: impl Fn(&Branch) -> f64) -> Vec<SourceBranch<'a>> {
    let mut places: HashMap<Key, usize> = HashMap::new();
    let mut merged: Vec<SourceBranch> = Vec::new();
    let mut numbers: HashMap<_, usize> = HashMap::new();
    let mut seen = HashSet::new();
    for &branch in branches {
        let key = key(branch, &mut numbers);
        let place = *places.entry(key).or_insert_with(|| {
            merged.push(SourceBranch { copies: Vec::new(), weight: 0.0 });
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
    for one in &mut merged {
        one.copies.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
    }
    merged.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    merged
}

fn key<'a>(branch: &'a Branch<'a>, numbers: &mut HashMap<(usize, &'a str, String), usize>) -> Key<'a> {
    let symbol = &*branch.function.function;
    let Some(position) = branch.position().filter(|position| position.frame.line > 0) else {
        return Key::Unknown { unit: branch.unit, symbol, block: branch.block };
    };
    let frames = position.frames().map(|frame| format!("{}:{}:{} ", frame.file, frame.line, frame.column));
    let number = numbers.entry((branch.unit, symbol, frames.collect())).or_default();
    *number += 1;
    let frame = &position.frame;
    let (file, line, column) = (&*frame.file, frame.line, frame.column);
    Key::Source { file, line, column, successors: branch.sides().len(), number: *number }
}
