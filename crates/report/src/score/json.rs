//! Writes the JSON of options `score;json`: one line for each branch. docs/src/reference/json.md describes the fields.

use bpa_schema::{BranchPlace, Digits, Format, ScoredBranch, ScoredEdge};
use cranelift_entity::EntityRef;

use crate::compared::{Branch, BranchKind};
use crate::explain::Reasons;
use crate::json::write_line;
use crate::Names;
use bpa_profile::bpi::{EdgeFacts, Explainer, Explanation};
use bpa_profile::cfg::Block;
use bpa_profile::facts::{IrText, LoopConditions};
use bpa_profile::profile::Profile;
use bpa_profile::source::{FunctionSource, Position};

/// A function with its static predictions and its profile.
pub struct ScoredFunction<'a> {
    /// The names of the function and its blocks.
    pub names: &'a Names<'a>,
    /// Whether the function is local to its module. Other modules can have different functions with the name of a local
    /// function.
    pub is_local: bool,
    /// The results that use the function's measured profile.
    pub measured: &'a Profile,
    /// The results that do not use the function's measured profile.
    pub predicted: &'a Profile,
    /// The source positions of the function and its blocks.
    pub source: &'a FunctionSource,
}

/// Appends a line for each of `branches` to `out`. The branches must belong to `function`. `explainer` explains the
/// predictions, and `ir_text` provides the names.
pub fn write_score_json(
    function: &ScoredFunction,
    branches: &[Branch],
    explainer: &mut Explainer<impl LoopConditions>,
    ir_text: &impl IrText,
    out: &mut Vec<u8>,
) {
    let mut reasons = Reasons::new(function.predicted, explainer, ir_text);
    for branch in branches {
        write_line(&function.row(branch, &mut reasons), out);
    }
}

impl ScoredFunction<'_> {
    fn row(
        &self,
        branch: &Branch,
        reasons: &mut Reasons<impl IrText, impl LoopConditions>,
    ) -> ScoredBranch<'_> {
        let Branch { block, kind, rule, executions, .. } = *branch;
        ScoredBranch {
            format: Format,
            llvm: self.predicted.dialect().version,
            predictor: self.predicted.rules().name().into(),
            place: self.place(block, kind, self.source.branch(block)),
            source: self.source.branch(block).cloned(),
            executions: Digits(executions),
            rule,
            condition: self.measured.facts().blocks()[block].condition.name().map(Into::into),
            edges: self.edge_rows(branch, reasons),
        }
    }

    /// The position of the branch at the end of `block`.
    pub(crate) fn place<'b>(
        &'b self,
        block: Block,
        kind: BranchKind,
        position: Option<&'b Position>,
    ) -> BranchPlace<'b> {
        let frame = position.map(|position| &position.frame);
        BranchPlace {
            module: String::from_utf8_lossy(self.names.module),
            function: String::from_utf8_lossy(self.names.function),
            local: self.is_local,
            block: (&*self.names.blocks[block]).into(),
            number: block.index(),
            file: frame.map(|frame| (&*frame.file).into()),
            line: frame.map(|frame| frame.line),
            kind,
        }
    }

    fn edge_rows(
        &self,
        branch: &Branch,
        reasons: &mut Reasons<impl IrText, impl LoopConditions>,
    ) -> Vec<ScoredEdge<'_>> {
        let block = branch.block;
        let why = reasons.of(block);
        let explainer = reasons.explainer();
        let edges = match explainer.explain(block) {
            Explanation::Decided(decision) => decision.edges,
            Explanation::SingleSuccessor | Explanation::NotReached => Vec::new(),
        };
        // The count of the block is not used here, because it can be rounded to 0. The count can also be wrong if a
        // block on a path to this block has no weights.
        let went_somewhere = |weights: &&[u32]| weights.iter().any(|&weight| weight > 0);
        let truth = self.measured.facts().weights(block).filter(went_somewhere);
        let graph = self.predicted.graph();
        let places = graph.edges(block).zip(graph.successors(block)).zip(edges.iter().zip(why)).enumerate();
        let result = self.predicted.branch_probabilities();
        let row =
            |(place, ((edge, &to), (facts, why))): (usize, ((usize, &Block), (&EdgeFacts, _)))| ScoredEdge {
                to: to.index(),
                numerator: result.probabilities()[edge].numerator(),
                weight: result.weights()[edge],
                true_weight: truth.map(|weights| weights[place]),
                reason: explainer.derivation(block, to).map(|derivation| derivation.reason),
                leaves_cycle: facts.estimate.leaves_cycle,
                unlikely: facts.estimate.unlikely,
                why: Some(Box::new(why)),
                first: self.source.first(to).cloned(),
            };
        places.map(row).collect()
    }
}
