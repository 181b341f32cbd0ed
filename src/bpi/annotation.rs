//! Which branch weights to write so that reading them gives the same probabilities again.
//!
//! The weights are the small integers behind each probability. Reading them back is not quite the inverse
//! of the rules, and for some branches no weights are:
//!
//! - where an edge leads to `unreachable`, LLVM scales the other edges up by what rounding has left, which can
//!   move the largest of them by a unit;
//! - where all edges do, LLVM disregards weights, but not the rules that look at the condition;
//! - where no rule has an answer and some edges are parallel, their even shares are added before rounding, but
//!   weights after it.
//!
//! So the reading is tried out, and a branch whose probabilities would come back as others is left without
//! weights: then the rules go on to speak for it, and what they say is the same.

use cranelift_entity::PrimaryMap;

use super::{BranchProbabilities, Probability, Rule};
use crate::cfg::{table, Block, Graph};
use crate::snapshot::{Marks, Snapshot, Terminator};

/// What to do with the weights of one branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Annotation {
    /// Write these, one for each successor.
    Weights(Vec<u32>),
    /// No weights express the probabilities: leave none.
    Inexpressible,
}

/// What may be annotated.
#[derive(Clone, Copy, Debug)]
pub struct AnnotationRules {
    /// Leave alone what no rule has an answer for.
    pub skip_even: bool,
    /// The verifier allows weights on `callbr`.
    pub callbr: bool,
}

/// Plans the annotation of every branch of `snapshot` that carries no valid weights.
///
/// `predicted` are the probabilities of `snapshot`; `predict` computes those of a snapshot of the same function
/// with other weights.
pub fn plan_annotations(
    snapshot: &Snapshot,
    predicted: &BranchProbabilities,
    rules: AnnotationRules,
    predict: impl FnOnce(&Snapshot) -> BranchProbabilities,
) -> Vec<(Block, Annotation)> {
    let graph = &snapshot.graph;
    let chosen: Vec<Block> =
        graph.blocks().filter(|&block| may_annotate(snapshot, predicted, rules, block)).collect();
    let mut annotated = snapshot.clone();
    for &block in &chosen {
        annotated.set_weights(block, &predicted.weights()[graph.edges(block)]);
    }
    let read_back = predict(&annotated);
    let mut views = Views::new(graph);
    let plan = |block: Block| {
        let annotation = if views.of(predicted, block) == views.of(&read_back, block) {
            Annotation::Weights(predicted.weights()[graph.edges(block)].to_vec())
        } else {
            Annotation::Inexpressible
        };
        (block, annotation)
    };
    chosen.into_iter().map(plan).collect()
}

/// All that can be asked of the probabilities of a block.
struct Views<'a> {
    graph: &'a Graph,
    totals: PrimaryMap<Block, u32>,
}

impl<'a> Views<'a> {
    fn new(graph: &'a Graph) -> Self {
        Views { graph, totals: table(graph.block_count(), 0) }
    }

    /// The probability of each edge, and of going to each edge's target by any edge.
    fn of(&mut self, result: &BranchProbabilities, block: Block) -> Vec<(Probability, Probability)> {
        let mut edges = result.probabilities()[self.graph.edges(block)].iter();
        let mut views = Vec::new();
        result.for_each_target(self.graph, block, &mut self.totals, |_, total| {
            views.extend(edges.next().map(|&edge| (edge, total)));
        });
        views
    }
}

fn may_annotate(
    snapshot: &Snapshot,
    predicted: &BranchProbabilities,
    rules: AnnotationRules,
    block: Block,
) -> bool {
    let facts = &snapshot.blocks[block];
    let carries_weights = match facts.terminator {
        Terminator::Branch | Terminator::Switch | Terminator::IndirectBranch | Terminator::Invoke => true,
        Terminator::CallBranch => rules.callbr,
        _ => false,
    };
    carries_weights
        && snapshot.graph.successors(block).len() > 1
        && facts.weights.is_none()
        && !facts.marks.has(Marks::OTHER_PROFILE)
        && !(rules.skip_even && predicted.rule(block) == Rule::Even)
}
