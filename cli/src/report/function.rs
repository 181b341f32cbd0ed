//! What the page shows of one function.

use std::collections::HashMap;

use serde::Serialize;

use super::numbers::{part, rounded};
use super::texts::Texts;
use crate::branch::{Branch, Side};
use crate::demangle;
use crate::place;
use crate::profile::BranchCounts;
use crate::program::Module;
use crate::words::SourceWords;
use bpa_schema::{Calls, Frame, Function, Position, Rule};

/// A function in the index.
#[derive(Serialize)]
pub struct Entry {
    name: String,
    /// What the linker calls it, if that is something else.
    symbol: Option<String>,
    /// Its part of the time of all functions.
    share: f64,
    /// How often it is called where the program is run once.
    calls: f64,
    /// How often it was called, by a measured profile.
    count: Option<f64>,
    file: Option<usize>,
    line: u32,
    branches: usize,
    #[serde(skip)]
    pub time: f64,
}

/// All about a function but its name.
#[derive(Serialize)]
pub struct FunctionRow {
    blocks: Vec<BlockRow>,
    /// From, to, and the probability.
    edges: Vec<(usize, usize, f64)>,
    branches: Vec<BranchRow>,
    loops: Vec<LoopRow>,
    /// Of the text that it stands in.
    text: Option<usize>,
    /// What `why` of sides refers to.
    strings: Vec<String>,
    #[serde(skip)]
    executions_are_known: bool,
}

/// Name, frequency, innermost loop, lines of the function, and the line that it begins with.
#[derive(Serialize)]
struct BlockRow(String, f64, Option<usize>, Vec<u32>, u32);

#[derive(Serialize)]
struct LoopRow {
    headers: Vec<usize>,
    parent: Option<usize>,
    trips: f64,
    entries: f64,
    irreducible: bool,
}

#[derive(Serialize)]
struct BranchRow {
    block: usize,
    rule: Rule,
    /// The file, line and column, if they are known.
    at: Option<(usize, u32, u32)>,
    /// The line of the function itself that it belongs to: its own, or that of the call by which it was inlined.
    line: u32,
    code: Option<String>,
    /// The functions that it was inlined from, and where.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inlined: Vec<(String, usize, u32, u32)>,
    sides: Vec<SideRow>,
    /// How often it ran, by a measured profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    executions: Option<f64>,
    /// How many of its executions went otherwise than the answer says, and need not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    #[serde(skip)]
    difference: f64,
}

#[derive(Serialize)]
struct SideRow {
    to: usize,
    place: String,
    /// The probability that the analysis has: with a profile, what was measured.
    share: f64,
    why: Vec<usize>,
    /// By the answer that it is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<f64>,
    /// By the static rules, where there is a measured profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    predicted: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<f64>,
}

/// Texts by numbers, each once.
#[derive(Default)]
pub struct Strings {
    numbers: HashMap<String, usize>,
    list: Vec<String>,
}

impl Strings {
    fn number(&mut self, text: &str) -> usize {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        self.numbers.insert(text.into(), self.list.len());
        self.list.push(text.into());
        self.list.len() - 1
    }

    pub fn into_list(self) -> Vec<String> {
        self.list
    }
}

/// The paths of files.
pub type Paths = Strings;

impl Entry {
    pub fn make_share(&mut self, total: f64) {
        self.share = if total > 0.0 { rounded(self.time / total) } else { 0.0 };
    }

    fn new(module: &Module, function: &Function, branches: usize, paths: &mut Paths) -> Self {
        let name = demangle::name_of(function);
        let calls = module.calls.get(&*function.function);
        let count = function.entry_count.as_ref().filter(|count| !count.synthetic);
        let count = count.map(|count| count.count.to_f64());
        Entry {
            symbol: Some(&function.function).filter(|symbol| **symbol != name).map(ToString::to_string),
            name,
            share: 0.0,
            calls: rounded(calls.map_or(1.0, |calls| calls.calls.value)),
            count,
            file: function.source.as_ref().map(|source| paths.number(&source.file)),
            line: function.source.as_ref().and_then(|source| source.line).unwrap_or(0),
            branches,
            time: calls.map_or(0.0, |calls| time(calls, count)),
        }
    }
}

/// How many instructions it executes: with a measured count of calls by that, else by the estimated one.
fn time(calls: &Calls, count: Option<f64>) -> f64 {
    match count {
        Some(count) if calls.calls.value > 0.0 => calls.instructions.value / calls.calls.value * count,
        _ => calls.instructions.value,
    }
}

impl FunctionRow {
    /// What is shown of `function`, a function of `module`; `other` is the same by another answer.
    pub fn new(
        module: &Module,
        function: &Function,
        other: Option<&Function>,
        mut strings: Strings,
        paths: &mut Paths,
        texts: &mut Texts,
    ) -> (Entry, Self) {
        let branches = Branch::of(module, function);
        let others = other.map(|other| Branch::of(module, other));
        let mut maker = Maker { strings: &mut strings, paths, texts };
        let rows: Vec<BranchRow> = branches
            .iter()
            .enumerate()
            .map(|(place, branch)| maker.branch(branch, others.as_ref().map(|others| &others[place])))
            .collect();
        let executions_are_known = rows.iter().any(|row| row.executions.is_some());
        let entry = Entry::new(module, function, rows.len(), paths);
        let row = FunctionRow {
            blocks: function.blocks.iter().map(block_row).collect(),
            edges: function.edges.iter().map(|edge| (edge.from, edge.to, part(edge.numerator))).collect(),
            branches: rows,
            loops: loop_rows(function),
            text: text_number(function, texts),
            strings: strings.into_list(),
            executions_are_known,
        };
        (entry, row)
    }

    pub fn is_measured(&self) -> bool {
        self.executions_are_known
    }

    /// What the branches cost by being predicted wrongly.
    pub fn costs(&self) -> Vec<(usize, f64)> {
        let cost = |(place, branch): (usize, &BranchRow)| branch.cost.map(|cost| (place, cost));
        self.branches.iter().enumerate().filter_map(cost).collect()
    }

    /// How far the branches differ from the other answer.
    pub fn differences(&self) -> Vec<(usize, f64)> {
        self.branches.iter().map(|branch| branch.difference).enumerate().collect()
    }
}

/// Makes the rows of branches.
struct Maker<'a> {
    strings: &'a mut Strings,
    paths: &'a mut Paths,
    texts: &'a Texts,
}

impl Maker<'_> {
    fn branch(&mut self, branch: &Branch, other: Option<&Branch>) -> BranchRow {
        let others = other.map(Branch::sides).unwrap_or_default();
        let sides: Vec<SideRow> =
            branch.sides().iter().map(|side| self.side(branch, side, &others, branch.counts)).collect();
        let apart = |side: &SideRow| side.against.map_or(0.0, |against| (against - side.share).abs());
        let difference = branch.runs() * sides.iter().map(apart).fold(0.0, f64::max);
        let position = branch.position();
        BranchRow {
            block: branch.block,
            rule: branch.scored.map_or(branch.edges[0].rule, |scored| scored.rule),
            at: position.map(|position| self.place(&position.frame)),
            line: position.map_or(0, |position| position.outermost().line),
            code: position.and_then(|position| self.texts.snippet(position)),
            inlined: position.map(|position| self.inlined(position)).unwrap_or_default(),
            sides,
            executions: branch.counts.map(|counts| counts.executions() as f64),
            cost: branch.counts.map(|counts| rounded(counts.avoidable_misses())),
            difference: rounded(difference),
        }
    }

    fn side(
        &mut self,
        branch: &Branch,
        side: &Side,
        others: &[Side],
        counts: Option<&BranchCounts>,
    ) -> SideRow {
        // Beside what was measured stands what was predicted: it is the prediction that has reasons.
        let reason = branch.predicted_reason(side.to);
        let words = SourceWords::new(branch, self.texts.sources());
        let why = reason.map(|reason| words.all(reason, side.to)).unwrap_or_default();
        let why = why.iter().map(|line| self.strings.number(line)).collect();
        let other = others.iter().find(|other| other.to == side.to);
        let scored = counts.and_then(|counts| counts.shares(side.to));
        SideRow {
            to: side.to,
            place: place::target(branch, side.to),
            share: part(side.numerator),
            why,
            against: other.map(|other| part(other.numerator)),
            predicted: scored.map(|[predicted, _]| rounded(predicted)),
            measured: scored.map(|[_, measured]| rounded(measured)),
        }
    }

    fn place(&mut self, frame: &Frame) -> (usize, u32, u32) {
        (self.paths.number(&frame.file), frame.line, frame.column)
    }

    fn inlined(&mut self, position: &Position) -> Vec<(String, usize, u32, u32)> {
        let pairs = position.frames().zip(&position.inlined_at);
        let row = |(inside, call): (&Frame, &Frame)| {
            let (file, line, column) = self.place(call);
            (inside.function.as_deref().unwrap_or_default().to_string(), file, line, column)
        };
        pairs.map(row).collect()
    }
}

fn block_row(block: &bpa_schema::Block) -> BlockRow {
    let first = block.first.as_ref().map_or(0, |first| first.outermost().line);
    BlockRow(
        block.name.to_string(),
        rounded(block.times_per_call()),
        block.innermost,
        block.lines.to_vec(),
        first,
    )
}

fn loop_rows(function: &Function) -> Vec<LoopRow> {
    let row = |nested: &bpa_schema::Loop| LoopRow {
        headers: nested.headers.clone(),
        parent: nested.parent,
        trips: rounded(nested.trip_count()),
        entries: rounded(nested.entries_per_call()),
        irreducible: nested.irreducible,
    };
    function.loops.iter().map(row).collect()
}

/// Of the text that `function` stands in, from its first line to the last one that an instruction belongs to.
fn text_number(function: &Function, texts: &mut Texts) -> Option<usize> {
    let source = function.source.as_ref()?;
    let lines = || function.blocks.iter().flat_map(|block| block.lines.iter().copied());
    // What the compiler has made stands in no line.
    let first = lines().chain(source.line).min()?.max(1);
    let last = lines().chain(source.line).max()?;
    Some(texts.number(source.directory.as_deref(), &source.file, first, last))
}
