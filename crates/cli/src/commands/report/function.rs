//! The data of one function on the page.

use serde::Serialize;

use super::branches::{BranchRow, RowBuilder};
use super::entry::Entry;
use super::texts::Texts;
use super::texts::{part, rounded};
use super::texts::{Paths, Strings};
use crate::counts;
use crate::study::branch::Branch;
use crate::study::module::Module;
use bpa_schema::{Block, Function, Loop};

/// All data about a function except its name.
#[derive(Serialize)]
pub struct FunctionRow {
    blocks: Vec<BlockRow>,
    /// For each edge: the source block, the destination block and the probability.
    edges: Vec<(usize, usize, f64)>,
    pub branches: Vec<BranchRow>,
    loops: Vec<LoopRow>,
    /// The index of the function's source text.
    text: Option<usize>,
    /// The names of rules, and the descriptions of reasons and destinations. Branches refer to these strings by index.
    pub strings: Vec<String>,
}

/// A block: its name, frequency, innermost loop, the lines of its instructions, and the line of its first instruction.
/// The frequency is `None` if the profiled number of executions is unknown.
#[derive(Serialize)]
struct BlockRow(String, Option<f64>, Option<usize>, Vec<u32>, u32);

#[derive(Serialize)]
struct LoopRow {
    headers: Vec<usize>,
    parent: Option<usize>,
    /// The number of iterations per entry, if it is known.
    trips: Option<f64>,
    /// The number of entries per call, if it is known.
    entries: Option<f64>,
    irreducible: bool,
}

impl FunctionRow {
    /// Creates the entry of `function` in the page's index, and the row of `function`. `other` contains the same
    /// function with the predictions of another predictor or LLVM version.
    pub fn new(
        module: &Module,
        function: &Function,
        other: Option<&Function>,
        paths: &mut Paths,
        texts: &mut Texts,
    ) -> (Entry, Self) {
        let branches = Branch::of(module, function);
        let others = other.map(|other| Branch::of(module, other));
        let mut strings = Strings::default();
        let mut builder = RowBuilder { strings: &mut strings, paths, texts };
        let rows: Vec<BranchRow> = branches
            .iter()
            .enumerate()
            .map(|(place, branch)| builder.branch(branch, others.as_ref().map(|others| &others[place])))
            .collect();
        let entry = Entry::new(module, function, &rows, paths);
        let row = FunctionRow {
            blocks: function.blocks.iter().map(|block| block_row(function, block)).collect(),
            edges: function.edges.iter().map(|edge| (edge.from, edge.to, part(edge.numerator))).collect(),
            branches: rows,
            loops: loop_rows(function),
            text: text_number(function, texts),
            strings: strings.into_list(),
        };
        (entry, row)
    }

    pub fn is_measured(&self) -> bool {
        self.branches.iter().any(|branch| branch.executions.is_some())
    }
}

fn block_row(function: &Function, block: &Block) -> BlockRow {
    let first = block.first.as_ref().map_or(0, |first| first.outermost().line);
    let lines = block.lines.to_vec();
    BlockRow(block.name.to_string(), times_per_call(function, block), block.innermost, lines, first)
}

/// The number of executions of `block` per call. LLVM's block frequencies are never 0. If the profile has no execution
/// of the block, its frequency is a very small number.
fn times_per_call(function: &Function, block: &Block) -> Option<f64> {
    let is_called = counts::entries(function).is_some_and(|entries| entries > 0);
    let never_ran = is_called && block.count.as_ref().is_some_and(|count| count.0 == 0);
    if never_ran {
        Some(0.0)
    } else {
        block.frequency.map(|frequency| rounded(frequency.value))
    }
}

fn loop_rows(function: &Function) -> Vec<LoopRow> {
    let row = |nested: &Loop| LoopRow {
        headers: nested.headers.clone(),
        parent: nested.parent,
        trips: nested.scale.map(|scale| rounded(scale.value)),
        entries: nested.entries.map(|entries| rounded(entries.value)),
        irreducible: nested.irreducible,
    };
    function.loops.iter().map(row).collect()
}

/// The index of the source text of `function`. The text has all lines from the first to the last known line. The lines
/// of instructions are also known lines, because a compiler-generated function has no line of its own.
fn text_number(function: &Function, texts: &mut Texts) -> Option<usize> {
    let source = function.source.as_ref()?;
    let of_blocks = function.blocks.iter().flat_map(|block| block.lines.iter().copied());
    let lines = || of_blocks.clone().chain(source.line).filter(|&line| line > 0);
    let (first, last) = (lines().min()?, lines().max()?);
    Some(texts.number(source.directory.as_deref(), &source.file, first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_without_profiled_executions_runs_0_times() {
        let block = |count: &str| {
            serde_json::json!({
                "name": "%a", "loop": null, "count": count,
                "frequency": {"digits": "1", "exponent": -28, "value": 3.7e-9},
            })
        };
        let times = |entries: u64, is_synthetic: bool| {
            let function = serde_json::json!({
                "format": bpa_schema::FORMAT, "analysis": "rust-bfi", "llvm": 16, "module": "m", "function": "f",
                "entry_count": {"count": entries.to_string(), "synthetic": is_synthetic},
                "blocks": [block("0"), block("3")], "edges": [], "loops": [],
            })
            .to_string();
            let function: Function = serde_json::from_str(&function).expect("a function");
            [0, 1].map(|place| times_per_call(&function, &function.blocks[place]) > Some(0.0))
        };
        assert_eq!(times(7, false), [false, true]);
        assert_eq!(times(7, true), [true, true]);
        assert_eq!(times(0, false), [true, true]);
    }
}
