//! Branch probabilities: for every block with several successors, how likely each edge is.
//!
//! Rules are tried in a fixed order (see [`Rule`]), and the first that has an answer decides. The result keeps,
//! beside the probabilities, which rule that was and the integer weights it weighed with.

mod annotation;
mod chains;
mod cycles;
mod edge_weights;
mod estimate;
mod exits;
mod explanation;
mod heuristics;
mod lookout;
mod metadata;
#[cfg(test)]
mod naive;
mod probability;
mod provenance;
mod rule;
#[cfg(test)]
pub(crate) mod test_support;

use cranelift_entity::PrimaryMap;

pub use annotation::{plan_annotations, Annotation, AnnotationRules};
pub use edge_weights::EdgeEstimate;
pub use estimate::Rarity;
pub use explanation::{Answer, Chain, Decision, EdgeFacts, Explainer, Explanation, Place, Step, Via};
pub use probability::Probability;
pub use rule::Rule;

use crate::cfg::{table, Block, Graph, Workspace};
use crate::facts::{FunctionFacts, LoopAround, LoopConditions, Marks, Terminator};
use cycles::{Cycle, Cycles};
use estimate::EstimatedWeights;

/// Branch probabilities of one function.
#[derive(Clone, Debug, Default)]
pub struct BranchProbabilities {
    probabilities: Vec<Probability>,
    weights: Vec<u32>,
    rules: PrimaryMap<Block, Rule>,
}

impl BranchProbabilities {
    /// Computes the probabilities of all blocks of `snapshot`.
    ///
    /// `workspace` is computed for the snapshot's graph, but for the post-dominators, which are computed here
    /// if they are needed.
    ///
    /// # Panics
    ///
    /// If the snapshot does not pass its [check](FunctionFacts::check) or `workspace` is that of another graph, where
    /// that is noticed: or else the probabilities are meaningless.
    pub fn compute(
        snapshot: &FunctionFacts,
        workspace: &mut Workspace,
        conditions: &mut impl LoopConditions,
    ) -> Self {
        Self::compute_from(Rule::Metadata, snapshot, workspace, conditions)
    }

    /// The same as if the rules before `first` were not there.
    fn compute_from(
        first: Rule,
        snapshot: &FunctionFacts,
        workspace: &mut Workspace,
        conditions: &mut impl LoopConditions,
    ) -> Self {
        let graph = &snapshot.graph;
        let Workspace { tree, dominators, post_dominators, loops, sccs } = workspace;
        let cycles = Cycles { graph, loops, sccs };
        let estimated =
            estimate::estimate(cycles, &snapshot.blocks, tree, dominators, post_dominators, &mut ());
        let mut result = BranchProbabilities {
            probabilities: vec![Probability::ONE; graph.edge_count()],
            weights: vec![1; graph.edge_count()],
            rules: table(graph.block_count(), Rule::Even),
        };
        let mut rules = Rules::new(snapshot, cycles, estimated, conditions);
        for block in graph.blocks().filter(|&block| graph.successors(block).len() > 1) {
            let edges = graph.edges(block);
            let weights = &mut result.weights[edges.clone()];
            let probabilities = &mut result.probabilities[edges];
            // LLVM looks only at blocks that run.
            if tree.reaches(block) {
                result.rules[block] = rules.decide(block, first, weights, probabilities);
            } else {
                spread_evenly(weights, probabilities);
            }
        }
        result
    }

    /// The probability of each edge, in the order of the graph's edges; 1 where a block has a single one.
    pub fn probabilities(&self) -> &[Probability] {
        &self.probabilities
    }

    /// The integer weight behind the probability of each edge, in the order of the graph's edges.
    ///
    /// Probabilities are these weights over their sum, except where metadata is overruled: on blocks that
    /// [`Rule::Metadata`] decided.
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// The rule that decided the probabilities of `block`.
    pub fn rule(&self, block: Block) -> Rule {
        self.rules[block]
    }

    /// Calls `visit` with every edge from `block`, in order, and the probability of going from `block` to the
    /// edge's target by any edge.
    ///
    /// Even shares add up to one rounded ratio; the answers of a rule are rounded first and then added.
    /// `totals` is memory for the sums, all zero between calls, one element a block.
    pub fn for_each_target(
        &self,
        graph: &Graph,
        block: Block,
        totals: &mut PrimaryMap<Block, u32>,
        mut visit: impl FnMut(Block, Probability),
    ) {
        let targets = graph.successors(block);
        let edges = &self.probabilities[graph.edges(block)];
        let evenly = self.rules[block] == Rule::Even;
        for (&target, edge) in targets.iter().zip(edges) {
            let share = if evenly { 1 } else { edge.numerator() };
            totals[target] = totals[target].saturating_add(share);
        }
        for &target in targets {
            let total = totals[target];
            let probability = if evenly {
                Probability::ratio(total, targets.len() as u32)
            } else {
                Probability::from_numerator(total.min(Probability::DENOMINATOR))
            };
            visit(target, probability);
        }
        targets.iter().for_each(|&target| totals[target] = 0);
    }
}

/// What the rules need for any block.
struct Rules<'a, C> {
    snapshot: &'a FunctionFacts,
    cycles: Cycles<'a>,
    estimated: EstimatedWeights,
    conditions: &'a mut C,
    /// Memory for [`metadata::probabilities`].
    is_unreachable: Vec<bool>,
}

impl<'a, C: LoopConditions> Rules<'a, C> {
    fn new(
        snapshot: &'a FunctionFacts,
        cycles: Cycles<'a>,
        estimated: EstimatedWeights,
        conditions: &'a mut C,
    ) -> Self {
        Rules { snapshot, cycles, estimated, conditions, is_unreachable: Vec::new() }
    }

    /// Fills in the edges of `block` and says which rule decided: the first with an answer, of `first` and those after.
    fn decide(
        &mut self,
        block: Block,
        first: Rule,
        weights: &mut [u32],
        probabilities: &mut [Probability],
    ) -> Rule {
        if first <= Rule::Metadata && self.believe_metadata(block, weights, probabilities) {
            return Rule::Metadata;
        }
        if first <= Rule::EstimatedWeights && self.compare_estimates(block, weights, probabilities) {
            return Rule::EstimatedWeights;
        }
        if first < Rule::Even {
            if let Some(rule) = self.judge_condition(block, weights, probabilities) {
                return rule;
            }
        }
        spread_evenly(weights, probabilities);
        Rule::Even
    }

    /// Goes by the metadata of `block`; false if there is none.
    fn believe_metadata(
        &mut self,
        block: Block,
        weights: &mut [u32],
        probabilities: &mut [Probability],
    ) -> bool {
        let Some(given) = self.snapshot.weights(block) else { return false };
        weights.copy_from_slice(given);
        let source = self.cycles.of(block);
        let targets = self.snapshot.graph.successors(block);
        self.is_unreachable.clear();
        self.is_unreachable.extend(targets.iter().map(|&target| {
            self.estimated.of_edge(&self.cycles, source, target) == Some(estimate::weight::ZERO)
        }));
        metadata::probabilities(weights, &self.is_unreachable, probabilities);
        true
    }

    /// Goes by the estimated weights of what `block` leads to; false if they tell nothing.
    fn compare_estimates(
        &mut self,
        block: Block,
        weights: &mut [u32],
        probabilities: &mut [Probability],
    ) -> bool {
        let self_defeating = self.self_defeating(block);
        let known = edge_weights::weigh_edges(block, &self.cycles, &self.estimated, self_defeating, weights);
        if known {
            share_by_weight(weights, probabilities);
        }
        known
    }

    /// Goes by what the branch at the end of `block` tests, and says which rule knows it.
    fn judge_condition(
        &self,
        block: Block,
        weights: &mut [u32],
        probabilities: &mut [Probability],
    ) -> Option<Rule> {
        let facts = &self.snapshot.blocks[block];
        if facts.terminator != Terminator::Branch {
            return None;
        }
        let (rule, judgement) = heuristics::judge(facts.condition)?;
        weights.copy_from_slice(&judgement);
        share_by_weight(weights, probabilities);
        Some(rule)
    }

    /// Which successors of `block` make its condition false; only asked inside natural loops.
    fn self_defeating(&mut self, block: Block) -> [bool; 2] {
        self.ask_condition(block, |conditions, around| conditions.self_defeating(block, around))
    }

    /// Asks about the condition of `block` in the natural loop around it, if it can defeat itself at all.
    fn ask_condition<R: Default>(
        &mut self,
        block: Block,
        question: impl FnOnce(&mut C, &LoopAround) -> R,
    ) -> R {
        let facts = &self.snapshot.blocks[block];
        match self.cycles.of(block) {
            Cycle::Natural(natural) if facts.marks.has(Marks::COMPARES_WITH_CONSTANT) => {
                let loops = self.cycles.loops;
                let contains = &|other| loops.contains_block(natural, other);
                question(self.conditions, &LoopAround { header: loops.header(natural), contains })
            }
            _ => R::default(),
        }
    }
}

/// Each edge's probability is its weight over the low 32 bits of the sum of weights, which are not all 0.
///
/// See [`edge_weights::total`] for how a sum may have more bits.
fn share_by_weight(weights: &[u32], probabilities: &mut [Probability]) {
    let total = edge_weights::total(weights);
    for (probability, &weight) in probabilities.iter_mut().zip(weights) {
        *probability = Probability::truncated_ratio(weight, total);
    }
}

fn spread_evenly(weights: &mut [u32], probabilities: &mut [Probability]) {
    weights.fill(1);
    probabilities.fill(Probability::ratio(1, weights.len() as u32));
}

#[cfg(test)]
mod tests;
