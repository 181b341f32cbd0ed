//! Computes branch probabilities: for each block with several successors, asks rule after rule.

use super::branch_probabilities::BranchProbabilities;
use super::cycles::{Cycle, Cycles};
use super::edge_weights;
use super::estimate::estimate;
use super::estimated_weights::{weight, EstimatedWeights};
use super::heuristics;
use super::metadata;
use super::predictions::Predictions;
use super::probability::Probability;
use crate::cfg::{table, Block, Graph};
use crate::facts::{FunctionFacts, LoopAround, LoopConditions, Marks, Terminator};
use crate::rules::Rule;
use crate::rules::RuleSet;

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
        Self::compute_with(RuleSet::llvm(), None, function, conditions)
    }

    /// The same by other rules and numbers, with what `predictions` there are for [`Rule::Learned`].
    ///
    /// # Panics
    ///
    /// As [`compute`](Self::compute) does.
    pub fn compute_with(
        rules: &RuleSet,
        predictions: Option<&Predictions>,
        function: &FunctionFacts,
        conditions: &mut impl LoopConditions,
    ) -> Self {
        Self::compute_by(rules.rules(), rules, predictions, function, conditions)
    }

    /// Replaces what LLVM's rules say of branches without metadata by `predictions`, where there are some.
    pub(crate) fn predict(&mut self, predictions: &Predictions, graph: &Graph) {
        for (block, weights) in predictions.iter() {
            if self.rules[block] == Rule::Metadata {
                continue;
            }
            let edges = graph.edges(block);
            copy_weights(weights, &mut self.weights[edges.clone()], &mut self.probabilities[edges]);
            self.rules[block] = Rule::Learned;
        }
    }

    /// The same as if there were no more rules than `rules`.
    pub(super) fn compute_by(
        rules: &[Rule],
        numbers: &RuleSet,
        predictions: Option<&Predictions>,
        function: &FunctionFacts,
        conditions: &mut impl LoopConditions,
    ) -> Self {
        let graph = &function.graph;
        let mut result = BranchProbabilities {
            probabilities: vec![Probability::ONE; graph.edge_count()],
            weights: vec![1; graph.edge_count()],
            rules: table(graph.block_count(), Rule::Even),
        };
        if graph.blocks().all(|block| graph.edges(block).len() < 2) {
            return result;
        }
        let cycles = Cycles::new(graph);
        let estimated = estimate(cycles, &function.blocks, numbers.estimates(), &mut ());
        let mut asked = Rules::new(function, numbers, predictions, cycles, estimated, conditions);
        for block in graph.blocks() {
            let edges = graph.edges(block);
            if edges.len() < 2 {
                continue;
            }
            let weights = &mut result.weights[edges.clone()];
            let probabilities = &mut result.probabilities[edges];
            // LLVM looks only at blocks that run.
            if graph.tree().reaches(block) {
                result.rules[block] = asked.decide(block, rules, weights, probabilities);
            } else {
                spread_evenly(weights, probabilities);
            }
        }
        result
    }
}

/// Gives the edges of one block these weights.
fn copy_weights(given: &[u32], weights: &mut [u32], probabilities: &mut [Probability]) {
    weights.copy_from_slice(given);
    share_by_weight(weights, probabilities);
}

/// The weight that LLVM's rules estimate for where each edge leads, in the order of the graph's edges; none where they know
/// nothing of it.
///
/// LLVM: `BranchProbabilityInfo::getEstimatedEdgeWeight`.
pub fn edge_estimates(function: &FunctionFacts) -> Vec<Option<u32>> {
    let graph = &function.graph;
    let cycles = Cycles::new(graph);
    let estimated = estimate(cycles, &function.blocks, RuleSet::llvm().estimates(), &mut ());
    let edges = graph.blocks().flat_map(|block| graph.successors(block).iter().map(move |&to| (block, to)));
    edges.map(|(block, target)| estimated.of_edge(&cycles, cycles.of(block), target)).collect()
}

/// What the rules need for any block.
pub(super) struct Rules<'a, C> {
    pub function: &'a FunctionFacts,
    pub numbers: &'a RuleSet,
    pub predictions: Option<&'a Predictions>,
    pub cycles: Cycles<'a>,
    pub estimated: EstimatedWeights,
    conditions: &'a mut C,
    /// Memory for [`metadata::probabilities`].
    is_unreachable: Vec<bool>,
}

impl<'a, C: LoopConditions> Rules<'a, C> {
    pub fn new(
        function: &'a FunctionFacts,
        numbers: &'a RuleSet,
        predictions: Option<&'a Predictions>,
        cycles: Cycles<'a>,
        estimated: EstimatedWeights,
        conditions: &'a mut C,
    ) -> Self {
        Rules { function, numbers, predictions, cycles, estimated, conditions, is_unreachable: Vec::new() }
    }

    /// Fills in the edges of `block` and says which rule decided: the first of `rules` with an answer.
    ///
    /// LLVM: `BranchProbabilityInfo::calculate`.
    fn decide(
        &mut self,
        block: Block,
        rules: &[Rule],
        weights: &mut [u32],
        probabilities: &mut [Probability],
    ) -> Rule {
        for &rule in rules {
            let has_answer = match rule {
                Rule::Metadata => self.believe_metadata(block, weights, probabilities),
                Rule::Learned => self.copy_prediction(block, weights, probabilities),
                Rule::EstimatedWeights => self.compare_estimates(block, weights, probabilities),
                _ => self.judge_condition(rule, block, weights, probabilities),
            };
            if has_answer {
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

    /// Goes by the prediction for `block`; false if there is none.
    fn copy_prediction(&self, block: Block, weights: &mut [u32], probabilities: &mut [Probability]) -> bool {
        let prediction = self.predictions.and_then(|predictions| predictions.weights(block));
        prediction.map(|given| copy_weights(given, weights, probabilities)).is_some()
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
        let numbers = self.numbers.estimates();
        let known =
            edge_weights::weigh_edges(block, &self.cycles, &self.estimated, unlikely, numbers, weights);
        if known {
            share_by_weight(weights, probabilities);
        }
        known
    }

    /// Goes by what the branch at the end of `block` tests, if `rule` knows it.
    fn judge_condition(
        &self,
        rule: Rule,
        block: Block,
        weights: &mut [u32],
        probabilities: &mut [Probability],
    ) -> bool {
        let facts = &self.function.blocks[block];
        if facts.terminator != Terminator::Branch {
            return false;
        }
        let Some(judgement) = heuristics::judge(rule, facts.condition, self.numbers) else { return false };
        copy_weights(&judgement, weights, probabilities);
        true
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
