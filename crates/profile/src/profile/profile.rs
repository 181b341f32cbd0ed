//! Everything that is known of one function, each part computed when it is first asked for.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use super::edges::EditableEdges;
use crate::bfi::bias::BlockBiases;
use crate::bfi::nest::LoopNest;
use crate::bfi::{BlockFrequencies, FrequencyAnalysis, FrequencyInput, FrequencyMethod};
use crate::bpi::{BranchProbabilities, Explainer, Predictions};
use crate::cfg::{Block, ControlFlow, Dominators, LoopForest, PostDominators, Sccs};
use crate::dialect::{Dialect, Nesting};
use crate::facts::{FunctionFacts, LoopConditions, NoConditions};
use crate::rules::RuleSet;

/// The profile of one function: how likely each edge is, how often each block runs, and the dominators and loops that
/// this rests on.
///
/// Each part is computed when it is first asked for. Blocks are known by their number in layout order; the entry is
/// block 0. Unless a method says otherwise it panics if it is asked about a block that the function does not have.
///
/// After an [update](super#updates) everything speaks of the function as it has become, but for frequencies, which
/// stay as they are until they are [set](Self::set_frequency) or [recomputed](Self::recompute).
///
/// Threads may share a profile: what one of them computes, the others read. A clone keeps what has been computed, but for
/// dominators, loops and the like.
///
/// LLVM: `BlockFrequencyInfo`.
#[derive(Clone)]
pub struct Profile {
    facts: FunctionFacts,
    dialect: &'static Dialect,
    method: FrequencyMethod,
    /// Nothing for LLVM's.
    rules: Option<Arc<RuleSet>>,
    predictions: Option<Arc<Predictions>>,
    pub(super) probabilities: OnceLock<BranchProbabilities>,
    pub(super) frequencies: OnceLock<BlockFrequencies>,
    // In boxes, as they are seldom asked for.
    biases: OnceLock<Box<BlockBiases>>,
    nest: OnceLock<Box<LoopNest>>,
    /// Nothing as long as the function is as it was.
    pub(super) updated: Option<Box<Updated>>,
}

/// The edges of a function that has been changed, and what follows from them.
#[derive(Clone)]
pub(super) struct Updated {
    pub edges: EditableEdges,
    nesting: Nesting,
    now: OnceLock<(ControlFlow, BranchProbabilities)>,
}

impl Updated {
    fn now(&self) -> &(ControlFlow, BranchProbabilities) {
        self.now.get_or_init(|| {
            let (graph, probabilities) = self.edges.to_graph();
            let mut control_flow = ControlFlow::new(graph);
            control_flow.set_nesting(self.nesting);
            (control_flow, probabilities)
        })
    }
}

thread_local! {
    /// Memory that serves one function after another.
    static ANALYSIS: RefCell<FrequencyAnalysis> = RefCell::default();
}

/// What a [`Profile`] is computed from, and how: [`Profile::builder`].
#[derive(Clone, Debug)]
#[must_use = "build() makes the profile"]
pub struct ProfileBuilder {
    facts: FunctionFacts,
    dialect: &'static Dialect,
    method: FrequencyMethod,
    rules: Option<Arc<RuleSet>>,
    predictions: Option<Arc<Predictions>>,
}

impl ProfileBuilder {
    /// Goes by these rules and numbers in place of LLVM's.
    pub fn rules(self, rules: Arc<RuleSet>) -> Self {
        ProfileBuilder { rules: Some(rules), ..self }
    }

    /// Gives [`Rule::Learned`](crate::bpi::Rule::Learned) these predictions. Unless [`rules`](Self::rules) has that rule, nothing
    /// goes by them.
    pub fn predictions(self, predictions: Arc<Predictions>) -> Self {
        ProfileBuilder { predictions: Some(predictions), ..self }
    }

    /// Computes block frequencies by `method`; by default as LLVM does.
    pub fn method(self, method: FrequencyMethod) -> Self {
        ProfileBuilder { method, ..self }
    }

    /// The facts that the profile will be made from.
    pub fn facts(&self) -> &FunctionFacts {
        &self.facts
    }

    /// Which LLVM the profile will answer as.
    pub fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    /// The profile. Nothing is known of values: the one rule that follows them around loops has no answers.
    pub fn build(self) -> Profile {
        let ProfileBuilder { mut facts, dialect, method, rules, predictions } = self;
        facts.graph.set_nesting(dialect.nesting);
        Profile {
            facts,
            dialect,
            method,
            rules,
            predictions,
            probabilities: OnceLock::new(),
            frequencies: OnceLock::new(),
            biases: OnceLock::new(),
            nest: OnceLock::new(),
            updated: None,
        }
    }

    /// The profile, with what is known of values behind loop conditions. They are asked here and now, which takes the
    /// branch probabilities; all else waits until it is asked for.
    pub fn build_with(self, conditions: &mut impl LoopConditions) -> Profile {
        let profile = self.build();
        let probabilities = profile.compute_probabilities(conditions);
        Profile { probabilities: probabilities.into(), ..profile }
    }
}

impl Profile {
    /// The profile of a function that is known as plain data, as the LLVM of `dialect` would have it.
    ///
    /// Nothing is known of values: the one rule that follows them around loops has no answers. [`builder`](Self::builder) can
    /// be told more.
    pub fn new(facts: FunctionFacts, dialect: &'static Dialect) -> Self {
        Self::builder(facts, dialect).build()
    }

    /// A profile in the making: of `facts`, as the LLVM of `dialect` would have it unless it is told otherwise.
    pub fn builder(facts: FunctionFacts, dialect: &'static Dialect) -> ProfileBuilder {
        ProfileBuilder { facts, dialect, method: FrequencyMethod::Llvm, rules: None, predictions: None }
    }

    /// This profile, which goes by LLVM's rules, with `predictions` for branches without metadata.
    ///
    /// The same as a new profile with these predictions by `rules`, which are those of [`RuleSet::with_predictions`], but
    /// LLVM's rules are not asked again.
    ///
    /// # Panics
    ///
    /// If the profile does not go by LLVM's rules, has been updated, or `predictions` are those of another function, where
    /// that is noticed.
    pub fn with_predictions(mut self, rules: Arc<RuleSet>, predictions: Arc<Predictions>) -> Self {
        assert!(self.rules.is_none() && self.updated.is_none(), "the profile goes by LLVM's rules alone");
        self.branch_probabilities();
        let probabilities = self.probabilities.get_mut().expect("just computed");
        probabilities.predict(&predictions, &self.facts.graph);
        self.forget_frequencies();
        Profile { rules: Some(rules), predictions: Some(predictions), ..self }
    }

    /// How block frequencies are worked out: as LLVM does, unless [something else was asked for](ProfileBuilder::method).
    pub fn method(&self) -> FrequencyMethod {
        self.method
    }

    /// The rules and numbers that say how likely edges are.
    pub fn rules(&self) -> &RuleSet {
        self.rules.as_deref().unwrap_or(RuleSet::llvm())
    }

    /// The predictions that [`Rule::Learned`](crate::bpi::Rule::Learned) goes by, if there are any.
    pub fn predictions(&self) -> Option<&Predictions> {
        self.predictions.as_deref()
    }

    /// Explains the branch probabilities as they were before updates. `conditions` are those that they were computed with.
    pub fn explainer<'a, C: LoopConditions>(&'a self, conditions: &'a mut C) -> Explainer<'a, C> {
        Explainer::new(&self.facts, self.rules(), self.predictions(), conditions)
    }

    /// The facts that the profile was made from. An update does not change them.
    pub fn facts(&self) -> &FunctionFacts {
        &self.facts
    }

    /// As which LLVM this answers.
    pub fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    /// The graph as it is now, and all that follows from it alone.
    pub fn graph(&self) -> &ControlFlow {
        self.updated.as_ref().map_or(&self.facts.graph, |updated| &updated.now().0)
    }

    /// Who dominates whom.
    pub fn dominators(&self) -> &Dominators {
        self.graph().dominators()
    }

    /// Who post-dominates whom.
    pub fn post_dominators(&self) -> &PostDominators {
        self.graph().post_dominators()
    }

    /// The natural loops.
    pub fn loops(&self) -> &LoopForest {
        self.graph().loops()
    }

    /// The strongly connected components, with at least two blocks each, that the entry reaches.
    pub fn sccs(&self) -> &Sccs {
        self.graph().sccs()
    }

    /// The probability of every edge of [`graph`](Self::graph), which rule decided it and by which weights.
    pub fn branch_probabilities(&self) -> &BranchProbabilities {
        match &self.updated {
            Some(updated) => &updated.now().1,
            None => self.probabilities.get_or_init(|| self.compute_probabilities(&mut NoConditions)),
        }
    }

    fn compute_probabilities(&self, conditions: &mut impl LoopConditions) -> BranchProbabilities {
        BranchProbabilities::compute_with(self.rules(), self.predictions(), &self.facts, conditions)
    }

    /// How often each block runs, as numbers with a binary exponent and as LLVM's integers.
    pub fn block_frequencies(&self) -> &BlockFrequencies {
        self.frequencies.get_or_init(|| match self.method {
            FrequencyMethod::Llvm => self.solve(FrequencyAnalysis::compute),
            FrequencyMethod::Exact => self.solve(FrequencyAnalysis::compute_exact),
        })
    }

    /// Whether block frequencies are computed already.
    pub fn has_frequencies(&self) -> bool {
        self.frequencies.get().is_some()
    }

    /// How much evidence speaks for or against each block.
    pub fn biases(&self) -> &BlockBiases {
        let frequencies = self.block_frequencies();
        self.biases
            .get_or_init(|| self.solve(|analysis, input| analysis.compute_biases(input, frequencies)).into())
    }

    /// All loops, natural and irreducible, as block frequencies see them: which is in which, how often each is entered
    /// and how often it turns.
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

    /// The `irr_loop` weights for headers of irreducible loops, or for all their blocks where the version reads those, with
    /// which LLVM's own block frequencies come nearer to those that solve the equations of flow. Empty if no weights do.
    ///
    /// Loops with weights keep them, unless `overwrite`.
    pub fn plan_header_weights(&self, overwrite: bool) -> Vec<(Block, u64)> {
        self.solve(|analysis, input| analysis.plan_header_weights(input, overwrite))
    }

    /// Drops block frequencies and what rests on them. They are computed again when they are asked for.
    pub fn forget_frequencies(&mut self) {
        self.frequencies.take();
        self.biases.take();
        self.nest.take();
    }

    /// Drops dominators, loops and the like, which are computed again when they are asked for; their memory serves the
    /// next function. Probabilities and frequencies stay.
    pub fn forget_structure(&mut self) {
        self.facts.graph.forget_structure();
    }

    /// Changes the edges. What was computed before stands, if it is not of the edges.
    pub(super) fn update<R>(&mut self, change: impl FnOnce(&mut EditableEdges) -> R) -> R {
        self.block_frequencies();
        let mut updated = match self.updated.take() {
            Some(updated) => updated,
            None => {
                let edges = EditableEdges::new(&self.facts.graph, self.branch_probabilities());
                let nesting = self.dialect.nesting;
                Box::new(Updated { edges, nesting, now: OnceLock::new() })
            }
        };
        let result = change(&mut updated.edges);
        updated.now.take();
        self.updated = Some(updated);
        self.forget_biases();
        self.nest.take();
        result
    }

    /// Drops what compares frequencies with others.
    pub(super) fn forget_biases(&mut self) {
        self.biases.take();
    }

    /// Does `work` on the function as it is now.
    fn solve<R>(&self, work: impl FnOnce(&mut FrequencyAnalysis, &FrequencyInput) -> R) -> R {
        let probabilities = self.branch_probabilities().probabilities();
        let input = FrequencyInput::new(self.graph(), probabilities, self.dialect)
            .with_header_weights(&self.facts.header_weights);
        ANALYSIS.with_borrow_mut(|analysis| work(analysis, &input))
    }
}
