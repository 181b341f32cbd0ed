//! Computes branch probabilities: for each block with several successors, asks rule after rule.

use super::branch_probabilities::BranchProbabilities;
use super::cycles::{Cycle, Cycles};
use super::edge_weights;
use super::estimate::estimate;
use super::estimated_weights::{weight, EstimatedWeights};
use super::heuristics;
use super::metadata;
use super::probability::Probability;
use super::rule::Rule;
use crate::cfg::{table, Block};
use crate::facts::{FunctionFacts, LoopAround, LoopConditions, Marks, Terminator};

impl BranchProbabilities {
    /// Computes the probabilities of all blocks of `function`.
    ///
    /// LLVM: `BranchProbabilityInfo::calculate`.
    ///
    /// # Panics
    ///
    /// If the facts do not pass their [check](FunctionFacts::check), where that is noticed: or else the probabilities
    /// are meaningless.
    pub fn compute(function: &FunctionFacts, conditions: &mut impl LoopConditions) -> Self {
        Self::compute_from(Rule::Metadata, function, conditions)
    }

    /// The same as if the rules before `first` were not there.
    pub(super) fn compute_from(
        first: Rule,
        function: &FunctionFacts,
        conditions: &mut impl LoopConditions,
    ) -> Self {
        let graph = &function.graph;
        let cycles = Cycles::new(graph);
        let estimated = estimate(cycles, &function.blocks, &mut ());
        let mut result = BranchProbabilities {
            probabilities: vec![Probability::ONE; graph.edge_count()],
            weights: vec![1; graph.edge_count()],
            rules: table(graph.block_count(), Rule::Even),
        };
        let mut rules = Rules::new(function, cycles, estimated, conditions);
        for block in graph.blocks().filter(|&block| graph.successors(block).len() > 1) {
            let edges = graph.edges(block);
            let weights = &mut result.weights[edges.clone()];
            let probabilities = &mut result.probabilities[edges];
            // LLVM looks only at blocks that run.
            if graph.tree().reaches(block) {
                result.rules[block] = rules.decide(block, first, weights, probabilities);
            } else {
                spread_evenly(weights, probabilities);
            }
        }
        result
    }
}

/// What the rules need for any block.
pub(super) struct Rules<'a, C> {
    pub function: &'a FunctionFacts,
    pub cycles: Cycles<'a>,
    pub estimated: EstimatedWeights,
    conditions: &'a mut C,
    /// Memory for [`metadata::probabilities`].
    is_unreachable: Vec<bool>,
}

impl<'a, C: LoopConditions> Rules<'a, C> {
    pub fn new(
        function: &'a FunctionFacts,
        cycles: Cycles<'a>,
        estimated: EstimatedWeights,
        conditions: &'a mut C,
    ) -> Self {
        Rules { function, cycles, estimated, conditions, is_unreachable: Vec::new() }
    }

    /// Fills in the edges of `block` and says which rule decided: the first with an answer, of `first` and those after.
    ///
    /// LLVM: `BranchProbabilityInfo::calculate`.
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
    ///
    /// LLVM: `BranchProbabilityInfo::calcMetadataWeights`.
    fn believe_metadata(
        &mut self,
        block: Block,
        weights: &mut [u32],
        probabilities: &mut [Probability],
    ) -> bool {
        let Some(given) = self.function.weights(block) else { return false };
        weights.copy_from_slice(given);
        let source = self.cycles.of(block);
        let targets = self.function.graph.successors(block);
        self.is_unreachable.clear();
        self.is_unreachable.extend(
            targets
                .iter()
                .map(|&target| self.estimated.of_edge(&self.cycles, source, target) == Some(weight::ZERO)),
        );
        metadata::probabilities(weights, &self.is_unreachable, probabilities);
        true
    }

    /// Goes by the estimated weights of what `block` leads to; false if they tell nothing.
    ///
    /// LLVM: `BranchProbabilityInfo::calcEstimatedHeuristics`.
    fn compare_estimates(
        &mut self,
        block: Block,
        weights: &mut [u32],
        probabilities: &mut [Probability],
    ) -> bool {
        let unlikely = self.unlikely_successors(block);
        let known = edge_weights::weigh_edges(block, &self.cycles, &self.estimated, unlikely, weights);
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
        let facts = &self.function.blocks[block];
        if facts.terminator != Terminator::Branch {
            return None;
        }
        let (rule, judgement) = heuristics::judge(facts.condition)?;
        weights.copy_from_slice(&judgement);
        share_by_weight(weights, probabilities);
        Some(rule)
    }

    /// Which successors of `block` are unlikely, since they make its condition false; only asked inside natural loops.
    fn unlikely_successors(&mut self, block: Block) -> [bool; 2] {
        self.ask_condition(block, |conditions, around| conditions.unlikely_successors(block, around))
    }

    /// Asks about the condition of `block` in the natural loop around it, if it is of the kind that may have an
    /// unlikely successor.
    ///
    /// LLVM: `computeUnlikelySuccessors`.
    pub fn ask_condition<R: Default>(
        &mut self,
        block: Block,
        question: impl FnOnce(&mut C, &LoopAround) -> R,
    ) -> R {
        let facts = &self.function.blocks[block];
        match self.cycles.of(block) {
            Cycle::Nested(natural) if facts.marks.has(Marks::COMPARES_WITH_CONSTANT) => {
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
