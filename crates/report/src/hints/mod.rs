//! What `hints` prints: which branches go another way than is said, what that costs, and what to write in the source.
//! docs/src/guide/hints.md describes it.

mod advice;
mod json;
mod text;

use cranelift_entity::EntityRef;

use crate::compared::{Branch, ComparedSuccessor, Kind};
use crate::score::Measure;
use crate::Names;
use advice::{advice, Advice};
use bpa_profile::bpi::Rule;
use bpa_profile::cfg::Block;
use bpa_profile::source::{FunctionSource, SourcePosition};

/// A branch has to go one way so often, as a share, for a hint to be worth writing.
const LEAST_SHARE: f64 = 0.6;

/// A hint in the source is left alone if the branch goes the way it names so often, as a share: what it costs is little, and
/// the next run of the program may go otherwise.
const TOLERATED_SHARE: f64 = 0.4;

/// A function whose branches may want hints.
pub struct HintedFunction<'a> {
    /// What it and its blocks are called.
    pub names: &'a Names<'a>,
    /// Where it and its blocks stand.
    pub source: &'a FunctionSource,
    /// How many edges lead to each of its blocks.
    pub edges_to: &'a dyn Fn(Block) -> usize,
    /// For each edge of a block the weight by which a hint in the source expects it, if there is a hint.
    pub expected: &'a dyn Fn(Block) -> Option<Vec<u32>>,
    /// The successors of a block, edge by edge.
    pub successors: &'a dyn Fn(Block) -> Vec<Block>,
}

/// Hints for branches, the costliest first.
#[derive(Default)]
pub struct HintReport {
    hints: Vec<Hint>,
    never_ran: u64,
    unmeasured: u64,
}

struct Hint {
    module: String,
    function: String,
    /// What the IR calls the function.
    symbol: String,
    block: String,
    number: usize,
    source: Option<SourcePosition>,
    /// The executions that went another way than was said, and need not have.
    cost: f64,
    executions: u64,
    said: Said,
    /// Where it mostly went.
    likely: Way,
    /// How often, of all executions.
    share: f64,
    advice: Vec<Advice>,
}

/// Where a branch may go.
struct Way {
    block: String,
    source: Option<SourcePosition>,
}

/// What was said of the branch.
enum Said {
    /// How likely a rule calls the way that the branch mostly went.
    ByRule { rule: Rule, predicted: f64 },
    /// Which way a hint in the source expects, and how often the branch went there.
    ByHint { expected: Way, share: f64 },
}

impl HintReport {
    /// Takes `branches` into account, which are those of `function`.
    pub fn add(&mut self, function: &HintedFunction, branches: &[Branch]) {
        for branch in branches {
            if branch.executions == 0 {
                self.never_ran += 1;
            } else if branch.kind != Kind::Other {
                self.hints.extend(function.hint(branch));
            }
        }
    }

    /// Takes a function into account that no profile says anything of.
    pub fn add_unmeasured(&mut self) {
        self.unmeasured += 1;
    }

    /// Keeps the costliest hints, at most `most`.
    pub fn keep(&mut self, most: usize) {
        self.hints.sort_by(|one, other| other.cost.total_cmp(&one.cost));
        self.hints.truncate(most);
    }
}

impl HintedFunction<'_> {
    /// The hint that a branch which has run wants, if it wants one.
    fn hint(&self, branch: &Branch) -> Option<Hint> {
        let total: f64 = branch.sides.iter().map(|side| side.truth as f64).sum();
        let share = |side: &ComparedSuccessor| side.truth as f64 / total;
        // Of equals the first.
        let likely = branch.sides.iter().rev().max_by_key(|side| side.truth)?;
        let (said, cost_share) = match self.expected_side(branch) {
            Some(expected) if expected.target == likely.target || share(expected) >= TOLERATED_SHARE => {
                return None;
            }
            Some(expected) => {
                let said = Said::ByHint { expected: self.way(expected.target), share: share(expected) };
                (said, share(likely) - share(expected))
            }
            None if share(likely) < LEAST_SHARE => return None,
            None => {
                let measure = Measure::of(branch);
                let said = Said::ByRule { rule: branch.rule, predicted: likely.answer.to_f64() };
                (said, measure.perfect - measure.hits)
            }
        };
        let cost = branch.executions as f64 * cost_share;
        let is_hinted = matches!(said, Said::ByHint { .. });
        let source = self.source.branch(branch.block);
        (cost >= 1.0).then(|| Hint {
            module: String::from_utf8_lossy(self.names.module).into_owned(),
            function: self.function_name(),
            symbol: self.symbol(),
            block: self.names.blocks[branch.block].clone(),
            number: branch.block.index(),
            source: source.cloned(),
            cost,
            executions: branch.executions,
            said,
            likely: self.way(likely.target),
            share: share(likely),
            advice: advice(branch, source, likely, share(likely), is_hinted, |block| {
                self.own_statement(block)
            }),
        })
    }

    fn function_name(&self) -> String {
        let definition = self.source.definition.as_ref().map(|definition| definition.name.to_string());
        let name = definition.filter(|name| !name.is_empty());
        name.unwrap_or_else(|| self.symbol())
    }

    fn symbol(&self) -> String {
        String::from_utf8_lossy(self.names.function).into_owned()
    }

    /// The side that a hint in the source expects.
    fn expected_side<'b>(&self, branch: &'b Branch) -> Option<&'b ComparedSuccessor> {
        let weights = (self.expected)(branch.block)?;
        let successors = (self.successors)(branch.block);
        let edges = successors.iter().zip(&weights).rev();
        let (target, _) = edges.max_by_key(|(_, &weight)| weight)?;
        branch.sides.iter().find(|side| side.target == *target)
    }

    /// Where the statement stands that only one edge leads to.
    fn own_statement(&self, block: Block) -> Option<SourcePosition> {
        let source = self.source.first(block)?;
        ((self.edges_to)(block) == 1).then(|| source.clone())
    }

    fn way(&self, block: Block) -> Way {
        Way { block: self.names.blocks[block].clone(), source: self.source.first(block).cloned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bpa_profile::bpi::Probability;

    /// The text about a branch that said 3 : 5, and went by `truth`, where the source may expect a side.
    fn text(truth: [u64; 2], expected: Option<[u32; 2]>) -> String {
        let block = Block::from_u32;
        let names = Names {
            module: b"m",
            function: b"f",
            blocks: ["%e", "%a", "%b"].map(String::from).into_iter().collect(),
        };
        let side = |place: usize| ComparedSuccessor {
            target: block(place as u32 + 1),
            answer: Probability::ratio([3, 5][place], 8),
            truth: truth[place],
        };
        let branch = Branch {
            block: block(0),
            kind: Kind::TwoWay,
            rule: Rule::Pointer,
            executions: 1000,
            sides: vec![side(0), side(1)],
        };
        let function = HintedFunction {
            names: &names,
            source: &FunctionSource::default(),
            edges_to: &|_| 1,
            expected: &|_| expected.map(Vec::from),
            successors: &|_| vec![block(1), block(2)],
        };
        let mut report = HintReport::default();
        report.add(&function, &[branch]);
        report.keep(1);
        let mut out = Vec::new();
        report.write_text("m", &mut out);
        String::from_utf8(out).expect("plain names")
    }

    #[test]
    fn right_answers_and_what_hardly_matters_are_left_alone() {
        for truth in [[0, 9], [4, 6], [1, 1], [59, 41]] {
            assert!(!text(truth, None).contains("misses"), "{truth:?}");
        }
        let wrong = text([60, 40], None);
        assert!(wrong.contains("200 avoidable misses of 1000"), "{wrong}");
        assert!(wrong.contains("__builtin_expect_with_probability of 0.600 for what leads to %a"), "{wrong}");
        let sure = text([90, 10], None);
        assert!(sure.contains("write: __builtin_expect for what leads to %a"), "{sure}");
    }

    #[test]
    fn hints_that_are_right_or_nearly_so_stay() {
        let expects_first = Some([2000, 1]);
        for truth in [[9, 1], [6, 4], [4, 6]] {
            assert!(!text(truth, expects_first).contains("misses"), "{truth:?}");
        }
        let wrong = text([39, 61], expects_first);
        assert!(wrong.contains("220 avoidable misses of 1000"), "{wrong}");
        assert!(wrong.contains("went to %b 61.00%; the hint in the source expects %a, 39.00%"), "{wrong}");
        assert!(wrong.contains("write: no hint, or __builtin_expect_with_probability of 0.610"), "{wrong}");
    }
}
