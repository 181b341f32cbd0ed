//! Writes the output of option `hints`. The output lists branches whose profile contradicts the prediction. For each
//! branch, the output contains the number of avoidable mispredictions and the hint to write in the source.
//! docs/src/guide/hints.md describes the output.

mod advice;
mod text;

use bpa_schema::{Destination, Digits, Format, Hint, LEAST_HINT_SHARE};
use cranelift_entity::EntityRef;

use crate::compared::{Branch, BranchKind, ComparedSuccessor};
use crate::json::write_line;
use crate::score::Measure;
use crate::Names;
use advice::advice;
use bpa_profile::cfg::{Block, Graph};
use bpa_profile::source::{FunctionSource, Position};

/// bpa reports a hint as wrong only if the successor that the hint expects gets less than this fraction of the
/// executions. A hint with a larger fraction causes few mispredictions, and can be right in the next run of the
/// program.
const TOLERATED_SHARE: f64 = 0.4;

/// A function with branches for which hints are suggested.
pub struct HintedFunction<'a> {
    /// The names of the function and its blocks.
    pub names: &'a Names<'a>,
    /// The source positions of the function and its blocks.
    pub source: &'a FunctionSource,
    /// The graph of the function.
    pub graph: &'a Graph,
    /// Returns the weights that a hint in the source gives to the edges of a block, or `None` if there is no hint.
    pub expected: &'a dyn Fn(Block) -> Option<Vec<u32>>,
}

/// Hints for branches. The hints that avoid the most mispredictions are first.
#[derive(Default)]
pub struct HintReport {
    hints: Vec<RankedHint>,
    never_ran: u64,
    unmeasured: u64,
}

/// A hint, and the number by which hints are sorted.
struct RankedHint {
    /// The number of mispredictions that the best fixed prediction would avoid. `row` contains this number, rounded.
    cost: f64,
    row: Hint<'static>,
}

impl HintReport {
    /// Adds hints for `branches`, which must belong to `function`.
    pub fn add(&mut self, function: &HintedFunction, branches: &[Branch]) {
        for branch in branches {
            if branch.executions == 0 {
                self.never_ran += 1;
            } else if branch.kind != BranchKind::Other {
                self.hints.extend(function.hint(branch));
            }
        }
    }

    /// Adds 1 to the number of functions without a profile.
    pub fn add_unmeasured(&mut self) {
        self.unmeasured += 1;
    }

    /// Appends a line of JSON about each hint to `out`.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        self.hints.iter().for_each(|hint| write_line(&hint.row, out));
    }

    /// Sorts the hints in descending order of avoided mispredictions, and keeps only the first `most` hints.
    pub fn keep(&mut self, most: usize) {
        self.hints.sort_by(|one, other| other.cost.total_cmp(&one.cost));
        self.hints.truncate(most);
    }
}

impl HintedFunction<'_> {
    /// The hint for an executed branch, or `None` if no hint would avoid mispredictions.
    fn hint(&self, branch: &Branch) -> Option<RankedHint> {
        let total: f64 = branch.successors.iter().map(|successor| successor.truth as f64).sum();
        let share = |successor: &ComparedSuccessor| successor.truth as f64 / total;
        // If several successors have the highest count, the first of them is used.
        let likely = branch.successors.iter().rev().max_by_key(|successor| successor.truth)?;
        let expected = self.expected_successor(branch);
        let cost_share = match expected {
            Some(expected) if expected.target == likely.target || share(expected) >= TOLERATED_SHARE => {
                return None;
            }
            Some(expected) => share(likely) - share(expected),
            None if share(likely) < LEAST_HINT_SHARE => return None,
            None => {
                let measure = Measure::of(branch);
                measure.perfect - measure.hits
            }
        };
        let cost = branch.executions as f64 * cost_share;
        let is_predicted_by_rule = expected.is_none();
        let source = self.source.branch(branch.block);
        let destination = |successor: &ComparedSuccessor| Destination {
            block: self.names.blocks[successor.target].clone().into(),
            first: self.source.first(successor.target).cloned(),
            share: share(successor),
        };
        let row = || Hint {
            format: Format,
            module: String::from_utf8_lossy(self.names.module).into_owned().into(),
            function: self.function_name().into(),
            symbol: self.symbol().into(),
            block: self.names.blocks[branch.block].clone().into(),
            number: branch.block.index(),
            source: source.cloned(),
            cost: Digits(cost.round() as u64),
            executions: Digits(branch.executions),
            rule: is_predicted_by_rule.then_some(branch.rule),
            predicted: is_predicted_by_rule.then(|| likely.predicted.to_f64()),
            expected: expected.map(destination),
            likely: destination(likely),
            write: advice(branch, source, likely, share(likely), expected.is_some(), |block| {
                self.own_statement(block)
            }),
        };
        (cost >= 1.0).then(|| RankedHint { cost, row: row() })
    }

    fn function_name(&self) -> String {
        self.source.name.as_ref().map_or_else(|| self.symbol(), |name| name.to_string())
    }

    fn symbol(&self) -> String {
        String::from_utf8_lossy(self.names.function).into_owned()
    }

    /// The successor that a hint in the source expects.
    fn expected_successor<'b>(&self, branch: &'b Branch) -> Option<&'b ComparedSuccessor> {
        let weights = (self.expected)(branch.block)?;
        let edges = self.graph.successors(branch.block).iter().zip(&weights).rev();
        let (target, _) = edges.max_by_key(|&(_, &weight)| weight)?;
        branch.successors.iter().find(|successor| successor.target == *target)
    }

    /// The position of the first statement of `block`, if the block has a single incoming edge.
    fn own_statement(&self, block: Block) -> Option<Position> {
        let source = self.source.first(block)?;
        (self.graph.predecessors(block).len() == 1).then(|| source.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bpa_profile::bpi::{Probability, Rule};
    use bpa_profile::cfg::parse_graph;

    /// The text about a branch with the predicted weights 3 : 5 and the profiled counts `truth`. If the source
    /// has a hint for the branch, `expected` contains the weights of this hint.
    fn text(truth: [u64; 2], expected: Option<[u32; 2]>) -> String {
        let block = Block::from_u32;
        let names = Names {
            module: b"m",
            function: b"f",
            blocks: ["%e", "%a", "%b"].map(String::from).into_iter().collect(),
        };
        let successor = |place: usize| ComparedSuccessor {
            target: block(place as u32 + 1),
            predicted: Probability::ratio([3, 5][place], 8),
            truth: truth[place],
        };
        let branch = Branch {
            block: block(0),
            kind: BranchKind::TwoWay,
            rule: Rule::Pointer,
            executions: 1000,
            successors: vec![successor(0), successor(1)],
        };
        let function = HintedFunction {
            names: &names,
            source: &FunctionSource::default(),
            graph: &parse_graph("e -> a b; a; b").expect("a graph").0,
            expected: &|_| expected.map(Vec::from),
        };
        let mut report = HintReport::default();
        report.add(&function, &[branch]);
        report.keep(1);
        let mut out = Vec::new();
        report.write_text("m", &mut out);
        String::from_utf8(out).expect("plain names")
    }

    #[test]
    fn right_predictions_and_cheap_mispredictions_get_no_hint() {
        for truth in [[0, 9], [4, 6], [1, 1], [59, 41]] {
            assert!(!text(truth, None).contains("misses"), "{truth:?}");
        }
        let wrong = text([60, 40], None);
        assert!(wrong.contains("200 avoidable misses of 1000"), "{wrong}");
        assert!(
            wrong.contains("__builtin_expect_with_probability of 0.60 for the value that leads to %a"),
            "{wrong}"
        );
        let unsure = text([90, 10], None);
        assert!(unsure.contains("__builtin_expect_with_probability of 0.90 for the value"), "{unsure}");
        let sure = text([91, 9], None);
        assert!(sure.contains("write: __builtin_expect for the value that leads to %a"), "{sure}");
    }

    #[test]
    fn hints_that_are_almost_right_stay() {
        let expects_first = Some([2000, 1]);
        for truth in [[9, 1], [6, 4], [4, 6]] {
            assert!(!text(truth, expects_first).contains("misses"), "{truth:?}");
        }
        let wrong = text([39, 61], expects_first);
        assert!(wrong.contains("220 avoidable misses of 1000"), "{wrong}");
        assert!(wrong.contains("went to %b 61.00%; the hint in the source expects %a, 39.00%"), "{wrong}");
        assert!(wrong.contains("write: no hint, or __builtin_expect_with_probability of 0.61"), "{wrong}");
    }
}
