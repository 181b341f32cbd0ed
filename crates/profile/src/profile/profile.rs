//! The profile of one function. All parts except branch probabilities are computed on first use.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use super::update::{ChangedEdges, ChangedRows};
use crate::bfi::bias::BlockBiases;
use crate::bfi::nest::LoopNest;
use crate::bfi::{
    BlockFrequencies, FrequenciesAndDepths, FrequencyAnalysis, FrequencyInput, FrequencyMethod,
};
use crate::bpi::{
    BranchProbabilities, EdgeEstimates, Explainer, PredictionError, Predictions, Probability, Rule,
};
use crate::cfg::{
    table, Adjacency, Block, ControlFlow, Dominators, Graph, Lazy, LoopForest, PostDominators, Sccs,
};
use crate::dialect::Dialect;
use crate::facts::{FunctionFacts, LoopConditions, NoConditions};
use crate::rules::RuleSet;

/// The profile of one function: its branch probabilities and block frequencies, and its dominators and loops.
///
/// The branch probabilities are computed when the profile is created. Frequencies and other results are computed when
/// they are first used. Blocks are numbered in layout order, and the entry is block 0. A method panics if the function
/// does not have the given block, unless the documentation of the method states another behaviour.
///
/// After an [update](super#updates), all results describe the changed function. However, frequencies stay the same
/// until they are [set](Self::set_frequency) or [recomputed](Self::recompute).
///
/// A profile is `Send`, `Sync` and `Clone`. If threads share a profile, each part is computed only once. A clone keeps
/// all computed parts except dominators, loops and other structures of the graph.
///
/// LLVM: `BlockFrequencyInfo`.
#[derive(Clone)]
pub struct Profile {
    facts: FunctionFacts,
    dialect: &'static Dialect,
    method: FrequencyMethod,
    /// The rules, or `None` for LLVM's rules.
    rules: Option<Arc<RuleSet>>,
    predictions: Option<Arc<Predictions>>,
    probabilities: BranchProbabilities,
    pub(super) frequencies: Lazy<BlockFrequencies>,
    // These parts are boxed because they are rarely used.
    biases: OnceLock<Box<BlockBiases>>,
    nest: OnceLock<Box<LoopNest>>,
    /// `None` before the first update.
    pub(super) updated: Option<Box<Updated>>,
}

/// The changes of an updated function, and the structures that depend on these changes.
#[derive(Clone)]
pub(super) struct Updated {
    /// The outgoing edges of each changed or added block.
    pub rows: ChangedRows,
    now: OnceLock<(ControlFlow, BranchProbabilities)>,
}

thread_local! {
    /// Each thread has its own scratch memory, and reuses it for every function.
    static ANALYSIS: RefCell<FrequencyAnalysis> = RefCell::default();
}

/// The inputs and options of a [`Profile`]; see [`Profile::builder`].
#[derive(Clone, Debug)]
#[must_use = "call build() to get the profile"]
pub struct ProfileBuilder {
    facts: FunctionFacts,
    dialect: &'static Dialect,
    method: FrequencyMethod,
    rules: Option<Arc<RuleSet>>,
    predictions: Option<Arc<Predictions>>,
}

impl ProfileBuilder {
    /// Uses `rules` instead of LLVM's rules.
    pub fn rules(self, rules: Arc<RuleSet>) -> Self {
        ProfileBuilder { rules: Some(rules), ..self }
    }

    /// Sets the predictions of the rule [`Rule::Learned`](crate::bpi::Rule::Learned). The predictions have an effect
    /// only if the [`rules`](Self::rules) contain `Rule::Learned`.
    ///
    /// # Errors
    ///
    /// Returns an error in two cases: a predicted block does not exist in the function, or a prediction does not have
    /// exactly one weight for each edge of the block.
    pub fn predictions(self, predictions: Arc<Predictions>) -> Result<Self, PredictionError> {
        predictions.check(&self.facts.graph)?;
        Ok(ProfileBuilder { predictions: Some(predictions), ..self })
    }

    /// Sets the algorithm for block frequencies. The default is LLVM's algorithm.
    pub fn method(self, method: FrequencyMethod) -> Self {
        ProfileBuilder { method, ..self }
    }

    /// The facts of the function.
    pub fn facts(&self) -> &FunctionFacts {
        &self.facts
    }

    /// The results of the profile equal the results of this LLVM version.
    pub fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    /// Builds the profile without information about the values that conditions compare. Therefore the rule for unlikely
    /// successors never applies (see [`LoopConditions`]).
    pub fn build(self) -> Profile {
        self.build_with(&mut NoConditions)
    }

    /// Builds the profile. The rule for unlikely successors uses the loop conditions that `conditions` finds.
    pub fn build_with(self, conditions: &mut impl LoopConditions) -> Profile {
        self.build_and_list(conditions, None)
    }

    /// Builds the profile like [`build_with`](Self::build_with), and also returns the estimated weights of edges (see
    /// [`edge_estimates`](crate::bpi::edge_estimates)) with the weights of the [`rules`](Self::rules).
    pub fn build_with_estimates(self, conditions: &mut impl LoopConditions) -> (Profile, EdgeEstimates) {
        let mut estimates = EdgeEstimates::new();
        let profile = self.build_and_list(conditions, Some(&mut estimates));
        (profile, estimates)
    }

    /// Builds the profile with these probabilities instead of a prediction, one for each edge of the graph. The rules
    /// are not evaluated.
    ///
    /// # Panics
    ///
    /// Panics if the number of probabilities is not the number of edges.
    pub fn build_from(mut self, probabilities: Vec<Probability>) -> Profile {
        assert_eq!(probabilities.len(), self.facts.graph.edge_count(), "one probability for each edge");
        self.facts.graph.set_nesting(self.dialect.nesting);
        let weights = probabilities.iter().map(|probability| probability.numerator()).collect();
        let rules = table(self.facts.graph.block_count(), Rule::Update);
        self.finish(BranchProbabilities::from_parts(probabilities, weights, rules))
    }

    fn build_and_list(
        self,
        conditions: &mut impl LoopConditions,
        estimates: Option<&mut EdgeEstimates>,
    ) -> Profile {
        let ProfileBuilder { mut facts, dialect, method, rules, predictions } = self;
        facts.graph.set_nesting(dialect.nesting);
        // A function with at most one edge needs no loops, because a single edge always has the probability 1.
        if facts.graph.edge_count() > 1 {
            facts.graph.compute_loops();
        }
        let used = rules.as_deref().unwrap_or(RuleSet::llvm());
        let probabilities =
            BranchProbabilities::compute_with(used, predictions.as_deref(), &facts, conditions, estimates);
        ProfileBuilder { facts, dialect, method, rules, predictions }.finish(probabilities)
    }

    fn finish(self, probabilities: BranchProbabilities) -> Profile {
        let ProfileBuilder { facts, dialect, method, rules, predictions } = self;
        Profile {
            facts,
            dialect,
            method,
            rules,
            predictions,
            probabilities,
            frequencies: Lazy::new(),
            biases: OnceLock::new(),
            nest: OnceLock::new(),
            updated: None,
        }
    }
}

impl Profile {
    /// Creates the profile of a function from plain data. The results are the same as in the LLVM version `dialect`.
    ///
    /// The values in conditions are unknown, so no successor counts as unlikely (see [`LoopConditions`]).
    /// [`builder`](Self::builder) has more options.
    pub fn new(facts: FunctionFacts, dialect: &'static Dialect) -> Self {
        Self::builder(facts, dialect).build()
    }

    /// Creates a builder for the profile of `facts`. By default, the results are the same as in the LLVM version
    /// `dialect`.
    pub fn builder(facts: FunctionFacts, dialect: &'static Dialect) -> ProfileBuilder {
        ProfileBuilder { facts, dialect, method: FrequencyMethod::Llvm, rules: None, predictions: None }
    }

    /// Adds `predictions` for branches without metadata. The profile must use LLVM's rules.
    ///
    /// `rules` must be the result of [`RuleSet::with_predictions`]. A builder with these rules and predictions creates
    /// the same profile. However, this method does not evaluate LLVM's rules again.
    ///
    /// # Errors
    ///
    /// Returns an error if the profile does not use LLVM's rules, or if the profile has been updated. Also returns an
    /// error if `rules` is not the result of [`RuleSet::with_predictions`], or if a predicted block or edge does not
    /// exist in the function.
    pub fn with_predictions(
        mut self,
        rules: Arc<RuleSet>,
        predictions: Arc<Predictions>,
    ) -> Result<Self, PredictionError> {
        if self.rules.as_ref().is_some_and(|rules| !rules.is_like_llvm())
            || !rules.are_llvms_with_predictions()
        {
            return Err(PredictionError::Rules);
        }
        if self.updated.is_some() {
            return Err(PredictionError::Updated);
        }
        predictions.check(&self.facts.graph)?;
        self.probabilities.predict(&predictions, &self.facts.graph);
        self.forget_frequencies();
        Ok(Profile { rules: Some(rules), predictions: Some(predictions), ..self })
    }

    /// The algorithm for block frequencies.
    pub fn method(&self) -> FrequencyMethod {
        self.method
    }

    /// The rules for branch probabilities, with their weights.
    pub fn rules(&self) -> &RuleSet {
        self.rules.as_deref().unwrap_or(RuleSet::llvm())
    }

    /// The predictions of the rule [`Rule::Learned`](crate::bpi::Rule::Learned), if the profile has predictions.
    pub fn predictions(&self) -> Option<&Predictions> {
        self.predictions.as_deref()
    }

    /// Creates an explainer of the initial branch probabilities. Updates of the profile do not change the explanations.
    /// `conditions` must equal the conditions with which the initial probabilities were computed.
    pub fn explainer<'a, C: LoopConditions>(&'a self, conditions: &'a mut C) -> Explainer<'a, C> {
        Explainer::new(&self.facts, self.rules(), self.predictions(), conditions)
    }

    /// The function's graph and the properties of its blocks when the profile was created. Updates of the profile do
    /// not change this result.
    pub fn facts(&self) -> &FunctionFacts {
        &self.facts
    }

    /// The results of the profile equal the results of this LLVM version.
    pub fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    /// The current graph, and the structures that depend only on the graph.
    pub fn graph(&self) -> &ControlFlow {
        self.updated.as_ref().map_or(&self.facts.graph, |updated| &self.now(updated).0)
    }

    /// Drops everything except the current graph.
    pub fn into_graph(self) -> Graph {
        match self.updated {
            Some(_) => Graph::clone(self.graph()),
            None => self.facts.graph.into_graph(),
        }
    }

    /// The dominator tree of the current graph.
    pub fn dominators(&self) -> &Dominators {
        self.graph().dominators()
    }

    /// The post-dominator tree of the current graph.
    pub fn post_dominators(&self) -> &PostDominators {
        self.graph().post_dominators()
    }

    /// The natural loops of the current graph.
    pub fn loops(&self) -> &LoopForest {
        self.graph().loops()
    }

    /// The strongly connected components that have at least two reachable blocks.
    pub fn sccs(&self) -> &Sccs {
        self.graph().sccs()
    }

    /// The probability of every edge of [`graph`](Self::graph), and the rule and weights that determined the
    /// probabilities.
    pub fn branch_probabilities(&self) -> &BranchProbabilities {
        match &self.updated {
            Some(updated) => &self.now(updated).1,
            None => &self.probabilities,
        }
    }

    /// The frequency of each block, as a number with a binary exponent and as LLVM's integer.
    pub fn block_frequencies(&self) -> &BlockFrequencies {
        self.frequencies.get_or_init(|| self.solve_frequencies())
    }

    /// Computes the block frequencies if they have not been computed. Exclusive access avoids the cost of
    /// synchronization; see [`Lazy`].
    pub fn compute_frequencies(&mut self) {
        if !self.has_frequencies() {
            self.frequencies.insert(self.solve_frequencies());
        }
    }

    fn solve_frequencies(&self) -> BlockFrequencies {
        match self.method {
            FrequencyMethod::Llvm => self.solve(FrequencyAnalysis::compute),
            FrequencyMethod::Exact => self.solve(FrequencyAnalysis::compute_exact),
        }
    }

    /// Whether block frequencies have been computed.
    pub fn has_frequencies(&self) -> bool {
        self.frequencies.get().is_some()
    }

    /// The bias of each block.
    pub fn biases(&self) -> &BlockBiases {
        let frequencies = self.block_frequencies();
        self.biases
            .get_or_init(|| self.solve(|analysis, input| analysis.compute_biases(input, frequencies)).into())
    }

    /// All natural and irreducible loops, with their nesting, entries and iterations.
    pub fn nest(&self) -> &LoopNest {
        self.nest.get_or_init(|| {
            let nest = self.solve(FrequencyAnalysis::compute_nest);
            let nest = match self.method {
                FrequencyMethod::Llvm => nest,
                FrequencyMethod::Exact => {
                    let probabilities = self.branch_probabilities().probabilities();
                    nest.with_frequencies(self.graph(), probabilities, self.block_frequencies())
                }
            };
            nest.into()
        })
    }

    /// Computes the frequency and the loop depth of each block. The profile does not store the result, and does not use
    /// frequencies that an update has set.
    pub fn compute_frequencies_and_depths(&self) -> FrequenciesAndDepths {
        let found = self.solve(FrequencyAnalysis::compute_with_depths);
        match self.method {
            FrequencyMethod::Llvm => found,
            FrequencyMethod::Exact => {
                let exact = self.solve(FrequencyAnalysis::compute_exact);
                let frequencies = self.graph().blocks().map(|block| exact.scaled(block)).collect();
                FrequenciesAndDepths { frequencies, ..found }
            }
        }
    }

    /// Computes `irr_loop` weights that bring LLVM's block frequencies nearer to the exact solution of the flow
    /// equations. The headers of irreducible loops get weights. If the LLVM version reads `irr_loop` weights from
    /// every block, the other blocks of irreducible loops also get weights. The result is empty if no weights reduce
    /// the error.
    ///
    /// If `overwrite` is false, the existing weights of loops do not change.
    pub fn plan_header_weights(&self, overwrite: bool) -> Vec<(Block, u64)> {
        self.solve(|analysis, input| analysis.plan_header_weights(input, overwrite))
    }

    /// Drops block frequencies, biases and the loop nest. These parts are computed again on next use.
    pub fn forget_frequencies(&mut self) {
        self.frequencies.take();
        self.biases.take();
        self.nest.take();
    }

    /// Drops dominators, loops and other structures of the graph. These structures are computed again on next use, and
    /// the next function on this thread reuses the memory of the dropped structures. Probabilities and frequencies do
    /// not change.
    pub fn forget_structure(&mut self) {
        self.facts.graph.forget_structure();
        if let Some(updated) = &mut self.updated {
            updated.now.take();
        }
    }

    /// The graph of the changed function, and the probabilities of its edges.
    fn now<'a>(&self, updated: &'a Updated) -> &'a (ControlFlow, BranchProbabilities) {
        updated.now.get_or_init(|| {
            let mut edges = Adjacency::with_capacity(updated.rows.len(), self.facts.graph.edge_count());
            let (mut probabilities, mut weights) = (Vec::new(), Vec::new());
            for block in self.blocks() {
                self.successors(block).iter().for_each(|&target| edges.push(target));
                edges.end_row();
                probabilities.extend_from_slice(self.probabilities(block));
                weights.extend_from_slice(self.weights(block));
            }
            let rules = self.blocks().map(|block| self.deciding_rule(block)).collect();
            let mut control_flow = ControlFlow::new(Graph::from_successors(edges));
            control_flow.set_nesting(self.dialect.nesting);
            (control_flow, BranchProbabilities::from_parts(probabilities, weights, rules))
        })
    }

    /// The edges of `block`, if an update has changed them.
    pub(super) fn changed(&self, block: Block) -> Option<&ChangedEdges> {
        self.updated.as_ref()?.rows[block].as_deref()
    }

    /// The probabilities before the first update.
    pub(super) fn original_probabilities(&self) -> &BranchProbabilities {
        &self.probabilities
    }

    /// Changes the edges with `change`. Drops the results that depend on the edges, but keeps the block frequencies.
    pub(super) fn change<R>(&mut self, change: impl FnOnce(&mut ChangedRows) -> R) -> R {
        self.block_frequencies();
        let updated = self.updated.get_or_insert_with(|| {
            let rows = table(self.facts.graph.block_count(), None);
            Box::new(Updated { rows, now: OnceLock::new() })
        });
        updated.now.take();
        let result = change(&mut updated.rows);
        self.forget_biases();
        self.nest.take();
        result
    }

    /// Drops the biases.
    pub(super) fn forget_biases(&mut self) {
        self.biases.take();
    }

    /// Runs `work` on the current function.
    fn solve<R>(&self, work: impl FnOnce(&mut FrequencyAnalysis, &FrequencyInput) -> R) -> R {
        let probabilities = self.branch_probabilities().probabilities();
        let input = FrequencyInput::new(self.graph(), probabilities, self.dialect)
            .with_header_weights(&self.facts.header_weights);
        ANALYSIS.with_borrow_mut(|analysis| work(analysis, &input))
    }
}
