//! Computes branch probabilities. The first rule that applies to a block determines the probabilities of its edges.

use super::branch_probabilities::BranchProbabilities;
use super::cycles::{Cycle, Cycles};
use super::estimate::estimate;
use super::estimated_weights::{weight, EstimatedWeights};
use super::predictions::Predictions;
use super::probability::Probability;
use super::{edge_weights, heuristics, metadata};
use crate::cfg::{table, Block, Graph};
use crate::facts::{BlockProperties, FunctionFacts, LoopAround, LoopConditions, Terminator};
use crate::rules::{Rule, RuleSet};

impl BranchProbabilities {
    /// Computes the probabilities of all edges of `function` with LLVM's rules.
    ///
    /// LLVM: `BranchProbabilityInfo::calculate`.
    ///
    /// # Panics
    ///
    /// May panic if the facts violate an invariant of [`FunctionFacts`]. If the method does not panic on such facts,
    /// the probabilities are meaningless.
    pub fn compute(function: &FunctionFacts, conditions: &mut impl LoopConditions) -> Self {
        Self::compute_with(RuleSet::llvm(), None, function, conditions, None)
    }

    /// Computes the probabilities with the rules and weights of `rules`. The rule [`Rule::Learned`] uses `predictions`.
    /// If the caller passes `estimates`, the list becomes the result of [`edge_estimates`] with the weights of `rules`.
    /// However, if no block has several edges, all items are `None`.
    ///
    /// # Panics
    ///
    /// Panics in the same cases as [`compute`](Self::compute).
    pub(crate) fn compute_with(
        rules: &RuleSet,
        predictions: Option<&Predictions>,
        function: &FunctionFacts,
        conditions: &mut impl LoopConditions,
        estimates: Option<&mut EdgeEstimates>,
    ) -> Self {
        Self::compute_by(rules.rules(), rules, predictions, function, conditions, estimates)
    }

    /// If a branch has a prediction and no metadata, replaces its probabilities by the prediction. Each prediction must
    /// have one weight for each edge of its block in `graph`.
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

    /// Computes the probabilities and uses only the rules in `rules`. `numbers` contains the weights of these rules.
    pub(super) fn compute_by(
        rules: &[Rule],
        numbers: &RuleSet,
        predictions: Option<&Predictions>,
        function: &FunctionFacts,
        conditions: &mut impl LoopConditions,
        mut estimates: Option<&mut EdgeEstimates>,
    ) -> Self {
        let graph = &function.graph;
        if let Some(estimates) = &mut estimates {
            **estimates = vec![None; graph.edge_count()];
        }
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
        if let Some(estimates) = estimates {
            estimated.list_edges(&cycles, estimates);
        }
        let mut rule_data = Rules::new(function, numbers, predictions, cycles, estimated, conditions);
        let tree = graph.tree();
        // LLVM skips unreachable blocks.
        for block in graph.blocks().filter(|&block| !tree.reaches(block)) {
            let edges = graph.edges(block);
            if edges.len() > 1 {
                spread_evenly(&mut result.weights[edges.clone()], &mut result.probabilities[edges]);
            }
        }
        // The order of blocks is LLVM's. Before LLVM 19, a rule can create constant expressions in the host's memory,
        // and bitcode shows their order in the use lists of globals.
        for &block in tree.postorder() {
            let edges = graph.edges(block);
            if edges.len() > 1 {
                let weights = &mut result.weights[edges.clone()];
                let probabilities = &mut result.probabilities[edges];
                result.rules[block] = rule_data.decide(block, rules, weights, probabilities);
            }
        }
        result
    }
}

/// Copies the weights of one block's edges from `given` to `weights`, and computes the edges' probabilities.
fn copy_weights(given: &[u32], weights: &mut [u32], probabilities: &mut [Probability]) {
    weights.copy_from_slice(given);
    share_by_weight(weights, probabilities);
}

/// The estimated weight of the destination of each edge, in the order of the graph's edges. If LLVM's rules estimate no
/// weight for the destination, the list contains `None` for the edge.
pub type EdgeEstimates = Vec<Option<u32>>;

/// Computes the estimated weights of the destinations of all edges with LLVM's rules.
///
/// LLVM: `BranchProbabilityInfo::getEstimatedEdgeWeight`.
pub fn edge_estimates(function: &FunctionFacts) -> EdgeEstimates {
    let cycles = Cycles::new(&function.graph);
    let mut estimates = vec![None; function.graph.edge_count()];
    estimate(cycles, &function.blocks, RuleSet::llvm().estimates(), &mut ())
        .list_edges(&cycles, &mut estimates);
    estimates
}

/// The inputs of the rules for all blocks.
pub(super) struct Rules<'a, C> {
    pub function: &'a FunctionFacts,
    pub numbers: &'a RuleSet,
    pub predictions: Option<&'a Predictions>,
    pub cycles: Cycles<'a>,
    pub estimated: EstimatedWeights,
    conditions: &'a mut C,
    /// A scratch buffer for [`metadata::probabilities`].
    is_unreachable: Vec<bool>,
}

impl<'a, C: LoopConditions> Rules<'a, C> {
    pub(crate) fn new(
        function: &'a FunctionFacts,
        numbers: &'a RuleSet,
        predictions: Option<&'a Predictions>,
        cycles: Cycles<'a>,
        estimated: EstimatedWeights,
        conditions: &'a mut C,
    ) -> Self {
        Rules { function, numbers, predictions, cycles, estimated, conditions, is_unreachable: Vec::new() }
    }

    /// Finds the first of `rules` that applies to `block`. With this rule, sets the weights and probabilities of the
    /// edges of `block`. Returns the rule.
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
            let applies = match rule {
                Rule::Metadata => self.apply_metadata(block, weights, probabilities),
                Rule::Learned => self.copy_prediction(block, weights, probabilities),
                Rule::EstimatedWeights => self.compare_estimates(block, weights, probabilities),
                Rule::Pointer | Rule::Constant | Rule::FloatingPoint => {
                    self.apply_condition(rule, block, weights, probabilities)
                }
                Rule::Single | Rule::Even | Rule::Update => false,
            };
            if applies {
                return rule;
            }
        }
        spread_evenly(weights, probabilities);
        Rule::Even
    }

    /// Applies the metadata of `block`. Returns false if the block has no metadata.
    ///
    /// LLVM: `BranchProbabilityInfo::calcMetadataWeights`.
    fn apply_metadata(
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

    /// Applies the prediction for `block`. Returns false if there is no prediction.
    fn copy_prediction(&self, block: Block, weights: &mut [u32], probabilities: &mut [Probability]) -> bool {
        let prediction = self.predictions.and_then(|predictions| predictions.weights(block));
        prediction.map(|given| copy_weights(given, weights, probabilities)).is_some()
    }

    /// Applies the estimated weights of the successors of `block`. Returns false if no successor has a weight.
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

    /// Applies `rule` to the condition of `block`. Returns false if the rule does not apply.
    fn apply_condition(
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
        let Some(given) = heuristics::condition_weights(rule, facts.condition, self.numbers) else {
            return false;
        };
        copy_weights(&given, weights, probabilities);
        true
    }

    /// For each of the two successors of `block`, whether the successor is unlikely (see [`LoopConditions`]). Only
    /// blocks in natural loops have unlikely successors.
    fn unlikely_successors(&mut self, block: Block) -> [bool; 2] {
        self.query_condition(block, |conditions, around| conditions.unlikely_successors(block, around))
    }

    /// Calls `query` with the innermost natural loop around `block`. If the block is in no natural loop, or if the
    /// block cannot have an unlikely successor, returns the default value of `R`.
    ///
    /// LLVM: `computeUnlikelySuccessors`.
    pub(crate) fn query_condition<R: Default>(
        &mut self,
        block: Block,
        query: impl FnOnce(&mut C, &LoopAround) -> R,
    ) -> R {
        let facts = &self.function.blocks[block];
        match self.cycles.of(block) {
            Cycle::Nested(natural) if facts.properties.has(BlockProperties::COMPARES_WITH_CONSTANT) => {
                let loops = self.cycles.loops;
                let contains = &|other| loops.contains_block(natural, other);
                query(self.conditions, &LoopAround { header: loops.header(natural), contains })
            }
            _ => R::default(),
        }
    }
}

/// Sets each probability to the edge's weight divided by the low 32 bits of the sum of weights. The low 32 bits must
/// not be 0.
///
/// For some large switches, the sum has more than 32 bits (see [`edge_weights::total`]).
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
