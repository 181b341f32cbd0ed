//! The data of one branch on the page.

use serde::Serialize;

use super::texts::Texts;
use super::texts::{part, rounded};
use super::texts::{Paths, Strings};
use crate::print::words::SourceWords;
use crate::study::branch::{Branch, Successor};
use crate::study::place;
use bpa_schema::{Frame, Position, Rule, ScoredBranch, WHOLE};

#[derive(Serialize)]
pub struct BranchRow {
    pub block: usize,
    /// The rule that predicts the branch without a profile. The number is the index of the rule's name in the
    /// function's strings.
    pub rule: usize,
    /// The index of the file in the list of files, the line, and the column. `None` if there is no debug information.
    pub at: Option<(usize, u32, u32)>,
    /// The line of the branch, or the line of the outermost inlined call if the branch is inlined.
    line: u32,
    code: Option<String>,
    /// The inlined functions that contain the branch, each with the position of its call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inlined: Vec<(String, usize, u32, u32)>,
    successors: Vec<SuccessorRow>,
    /// See [`Branch::is_exceptional`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub exceptional: bool,
    /// The profiled number of executions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executions: Option<f64>,
    /// True if the counts are approximate.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    approximate: bool,
    /// The avoidable misses: the hits of the best static prediction minus the hits of this prediction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    #[serde(skip)]
    pub difference: f64,
    #[serde(skip)]
    pub rests_on_a_rule: bool,
}

#[derive(Serialize)]
struct SuccessorRow {
    to: usize,
    /// A description of the destination, as an index into the function's strings.
    place: usize,
    /// The statically predicted probability.
    share: f64,
    /// The reasons of the static prediction, as indices into the function's strings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    why: Vec<usize>,
    /// The probability in the second prediction, if the page compares two predictions.
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<f64>,
}

/// Builds the rows of the branches of one function.
pub struct RowBuilder<'a> {
    pub strings: &'a mut Strings,
    pub paths: &'a mut Paths,
    pub texts: &'a Texts,
}

impl RowBuilder<'_> {
    pub fn branch(&mut self, branch: &Branch, other: Option<&Branch>) -> BranchRow {
        let others = other.map(Branch::successors).unwrap_or_default();
        let successors = branch.successors();
        let successors: Vec<SuccessorRow> =
            successors.iter().map(|successor| self.successor(branch, successor, &others)).collect();
        let apart = |successor: &SuccessorRow| {
            successor.against.map_or(0.0, |against| (against - successor.share).abs())
        };
        let difference = branch.runs() * successors.iter().map(apart).fold(0.0, f64::max);
        let position = branch.position();
        let rule = branch.scored.map_or(branch.edges[0].rule, |scored| scored.rule);
        BranchRow {
            block: branch.block,
            rule: self.strings.number(&rule.to_string()),
            at: position.map(|position| self.place(&position.frame)),
            line: position.map_or(0, |position| position.outermost().line),
            code: position.and_then(|position| self.texts.snippet(position)),
            inlined: position.map(|position| self.inlined(position)).unwrap_or_default(),
            successors,
            exceptional: branch.is_exceptional(),
            executions: branch.executions(),
            approximate: branch.counts.is_some_and(|counts| counts.is_approximate),
            cost: branch.counts.map(|counts| counts.avoidable_misses()),
            difference: rounded(difference),
            rests_on_a_rule: !matches!(rule, Rule::Even | Rule::Metadata | Rule::Update),
        }
    }

    fn successor(&mut self, branch: &Branch, successor: &Successor, others: &[Successor]) -> SuccessorRow {
        let words = SourceWords::new(branch, self.texts.sources());
        let reason = branch.predicted_reason(successor.to);
        let why = reason.map(|reason| words.all(reason, successor.to)).unwrap_or_default();
        let other = others.iter().find(|other| other.to == successor.to);
        let predicted = branch.scored.map_or(successor.numerator, |scored| predicted(scored, successor.to));
        let measured = branch.counts.and_then(|counts| counts.shares(successor.to));
        SuccessorRow {
            to: successor.to,
            place: self.strings.number(&place::target(branch, successor.to)),
            share: part(predicted),
            why: why.iter().map(|line| self.strings.number(line)).collect(),
            against: other.map(|other| part(other.numerator)),
            measured: measured.map(|[_, measured]| rounded(measured)),
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

/// The statically predicted probability of the edges to block `to`, as a multiple of 2^-31.
fn predicted(scored: &ScoredBranch, to: usize) -> u32 {
    let edges = scored.edges.iter().filter(|edge| edge.to == to);
    edges.fold(0, |sum: u32, edge| sum.saturating_add(edge.numerator)).min(WHOLE)
}
