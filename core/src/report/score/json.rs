//! What `score;json` prints: one JSON object a branch, on a line of its own. docs/score.md describes it.

use std::borrow::Cow;

use cranelift_entity::EntityRef;
use serde::Serialize;

use crate::bpi::{ColdReason, EdgeFacts, Explainer, Explanation};
use crate::cfg::Block;
use crate::facts::LoopConditions;
use crate::profile::Profile;
use crate::report::json::Digits;
use crate::report::places::PositionRow;
use crate::report::Names;
use crate::score::Branch;
use crate::source::{FunctionSource, SourcePosition};

/// The version of the format. It changes when something is removed or gets another meaning; what is added does not
/// change it.
const FORMAT: u32 = 1;

/// A function whose branches are held against a profile.
pub struct ScoredFunction<'a> {
    /// What it and its blocks are called.
    pub names: &'a Names<'a>,
    /// Whether its name means it in its module alone, so that another module may have another of that name.
    pub is_local: bool,
    /// The profile with what was measured.
    pub measured: &'a Profile,
    /// What the rules say without it.
    pub answered: &'a Profile,
    /// Where it and its blocks stand in the source.
    pub source: &'a FunctionSource,
}

/// Appends a line about each of `branches`, those of `function`, to `out`. `explainer` explains the answers.
pub fn write_score_json(
    function: &ScoredFunction,
    branches: &[Branch],
    explainer: &mut Explainer<impl LoopConditions>,
    out: &mut Vec<u8>,
) {
    for branch in branches {
        let document = function.document(branch, explainer);
        serde_json::to_writer(&mut *out, &document).expect("writing to memory does not fail");
        out.push(b'\n');
    }
}

impl ScoredFunction<'_> {
    fn document(
        &self,
        branch: &Branch,
        explainer: &mut Explainer<impl LoopConditions>,
    ) -> impl Serialize + '_ {
        let Branch { block, kind, rule, executions, .. } = *branch;
        Document {
            format: FORMAT,
            llvm: self.answered.dialect().version,
            predictor: self.answered.predictor().name(),
            place: self.place(block, kind.name(), self.source.branch(block)),
            source: self.source.branch(block).map(PositionRow::new),
            executions: Digits(executions),
            rule: rule.name(),
            condition: self.measured.facts().blocks()[block].condition.name(),
            edges: self.edge_rows(branch, explainer),
        }
    }

    /// Which branch it is that ends `block`, or in which block something else stands.
    pub(in crate::report) fn place<'b>(
        &'b self,
        block: Block,
        kind: &'static str,
        position: Option<&'b SourcePosition>,
    ) -> PlaceColumns<'b> {
        PlaceColumns {
            module: String::from_utf8_lossy(self.names.module),
            function: String::from_utf8_lossy(self.names.function),
            local: self.is_local,
            block: &self.names.blocks[block],
            number: block.index(),
            line: position
                .map(SourcePosition::innermost)
                .map(|frame| LineColumns { file: &frame.file.name, line: frame.line }),
            kind,
        }
    }

    fn edge_rows(&self, branch: &Branch, explainer: &mut Explainer<impl LoopConditions>) -> Vec<EdgeRow<'_>> {
        let block = branch.block;
        let edges = match explainer.explain(block) {
            Explanation::Decided(decision) => decision.edges,
            Explanation::OneWay | Explanation::NotReached => Vec::new(),
        };
        let truth = self.measured.facts().weights(block).filter(|_| branch.executions > 0);
        let graph = self.answered.graph();
        let places = graph.edges(block).zip(graph.successors(block)).zip(edges).enumerate();
        let result = self.answered.branch_probabilities();
        let row = |(place, ((edge, &to), facts)): (usize, ((usize, &Block), EdgeFacts))| EdgeRow {
            to: to.index(),
            numerator: result.probabilities()[edge].numerator(),
            weight: result.weights()[edge],
            true_weight: truth.map(|weights| weights[place]),
            reason: explainer.derivation(block, to).map(|derivation| reason_name(derivation.reason)),
            leaves_cycle: facts.estimate.leaves_cycle,
            unlikely: facts.estimate.unlikely,
            first: self.source.first(to).map(PositionRow::new),
        };
        places.map(row).collect()
    }
}

/// Why what an edge leads to rarely runs, in a word for data.
fn reason_name(reason: ColdReason) -> &'static str {
    match reason {
        ColdReason::NeverCompletes => "unreachable",
        ColdReason::NeverReturns => "noreturn",
        ColdReason::ExceptionPath => "unwind",
        ColdReason::ColdCall => "cold",
    }
}

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    llvm: u32,
    predictor: &'a str,
    #[serde(flatten)]
    place: PlaceColumns<'a>,
    executions: Digits,
    rule: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<PositionRow<'a>>,
    edges: Vec<EdgeRow<'a>>,
}

/// Which branch it is.
#[derive(Serialize)]
pub(in crate::report) struct PlaceColumns<'a> {
    module: Cow<'a, str>,
    function: Cow<'a, str>,
    local: bool,
    block: &'a str,
    number: usize,
    #[serde(flatten)]
    line: Option<LineColumns<'a>>,
    kind: &'static str,
}

#[derive(Serialize)]
struct LineColumns<'a> {
    file: &'a str,
    line: u32,
}

#[derive(Serialize)]
struct EdgeRow<'a> {
    to: usize,
    numerator: u32,
    weight: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    true_weight: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "is_false")]
    leaves_cycle: bool,
    #[serde(skip_serializing_if = "is_false")]
    unlikely: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<PositionRow<'a>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(value: &bool) -> bool {
    !value
}
