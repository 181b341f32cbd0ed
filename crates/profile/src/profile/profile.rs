//! Everything that is known of one function, each part computed when it is first asked for.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use super::edges::Edges;
use crate::bfi::bias::BlockBiases;
use crate::bfi::nest::LoopNest;
use crate::bfi::{BlockFrequencies, FrequencyAnalysis, FrequencyInput, FrequencyMethod};
use crate::bpi::BranchProbabilities;
use crate::cfg::{Block, ControlFlow, Dominators, LoopForest, PostDominators, Sccs};
use crate::dialect::{Dialect, Nesting};
use crate::facts::{FunctionFacts, LoopConditions, NoConditions};
use crate::features::FunctionContents;
use crate::predictor::Predictor;

/// The profile of one function: how likely each edge is, how often each block runs, and the dominators and loops that
/// this rests on.
///
/// Each part is computed when it is first asked for. Blocks are known by their number in layout order; the entry is
/// block 0. Unless a method says otherwise it panics if it is asked about a block that the function does not have.
///
/// After an [update](super#updates) everything speaks of the function as it has become, but for frequencies, which
/// stay as they are until they are [set](Self::set_frequency) or [recomputed](Self::recompute).
///
/// LLVM: `BlockFrequencyInfo`.
pub struct Profile {
    facts: FunctionFacts,
    dialect: &'static Dialect,
    method: FrequencyMethod,
    /// Whose rules answer; nothing for LLVM's.
    predictor: Option<Arc<Predictor>>,
    pub(super) probabilities: OnceCell<BranchProbabilities>,
    pub(super) frequencies: OnceCell<BlockFrequencies>,
    // In boxes, as they are seldom asked for.
    biases: OnceCell<Box<BlockBiases>>,
    nest: OnceCell<Box<LoopNest>>,
    /// Nothing as long as the function is as it was.
    pub(super) updated: Option<Box<Updated>>,
}

/// The edges of a function that has been changed, and what follows from them.
pub(super) struct Updated {
    pub edges: Edges,
    nesting: Nesting,
    now: OnceCell<(ControlFlow, BranchProbabilities)>,
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

impl Profile {
    /// The profile of a function that is known as plain data, as the LLVM of `dialect` would have it.
    ///
    /// Nothing is known of values: the one rule that follows them around loops has no answers.
    pub fn new(mut facts: FunctionFacts, dialect: &'static Dialect) -> Self {
        facts.graph.set_nesting(dialect.nesting);
        Profile {
            facts,
            dialect,
            method: FrequencyMethod::Llvm,
            predictor: None,
            probabilities: OnceCell::new(),
            frequencies: OnceCell::new(),
            biases: OnceCell::new(),
            nest: OnceCell::new(),
            updated: None,
        }
    }

    /// The same, with what is known of values behind loop conditions. They are asked here and now, which takes the
    /// branch probabilities; all else waits until it is asked for.
    pub fn with_conditions(
        facts: FunctionFacts,
        conditions: &mut impl LoopConditions,
        dialect: &'static Dialect,
    ) -> Self {
        let profile = Profile::new(facts, dialect);
        let probabilities = BranchProbabilities::compute(&profile.facts, conditions);
        Profile { probabilities: probabilities.into(), ..profile }
    }

    /// The same as if no profile had been put on the function.
    pub fn unmeasured(
        mut facts: FunctionFacts,
        conditions: &mut impl LoopConditions,
        dialect: &'static Dialect,
    ) -> Self {
        facts.forget_profile();
        Self::with_conditions(facts, conditions, dialect)
    }

    /// This profile, with block frequencies worked out by `method`, and with them everything that rests on them.
    pub fn with_method(mut self, method: FrequencyMethod) -> Self {
        self.forget_frequencies();
        self.method = method;
        self
    }

    /// How block frequencies are worked out: as LLVM does, unless [something else was asked for](Self::with_method).
    pub fn method(&self) -> FrequencyMethod {
        self.method
    }

    /// Like [`with_conditions`](Self::with_conditions), by the rules of `predictor`.
    pub fn with_predictor(
        facts: FunctionFacts,
        conditions: &mut impl LoopConditions,
        predictor: Arc<Predictor>,
        dialect: &'static Dialect,
    ) -> Self {
        let profile = Profile::new(facts, dialect);
        let probabilities = BranchProbabilities::compute_with(&predictor, &profile.facts, conditions);
        Profile { probabilities: probabilities.into(), predictor: Some(predictor), ..profile }
    }

    /// Like [`with_predictor`](Self::with_predictor), by one with a model. `contents` are those of the same function.
    ///
    /// What the model is told is what there is without a profile, whether there is one or not.
    ///
    /// # Panics
    ///
    /// If the predictor has no model, or `contents` are those of another function, where that is noticed.
    pub fn with_model(
        mut facts: FunctionFacts,
        contents: &FunctionContents,
        conditions: &mut impl LoopConditions,
        predictor: Arc<Predictor>,
        dialect: &'static Dialect,
    ) -> Self {
        let model = predictor.model().expect("the predictor has a model");
        if facts.has_profile() {
            let unmeasured = Self::unmeasured(facts.clone(), conditions, dialect);
            facts.predictions = Some(model.predict_branches(&unmeasured, contents).into());
            return Self::with_predictor(facts, conditions, predictor, dialect);
        }
        // Of branches that the model says nothing of, LLVM's rules say the same once more.
        let mut profile = Self::with_conditions(facts, conditions, dialect);
        let predictions = model.predict_branches(&profile, contents);
        let probabilities = profile.probabilities.get_mut().expect("conditions were asked");
        probabilities.believe(&predictions, &profile.facts.graph);
        profile.facts.predictions = Some(predictions.into());
        profile.predictor = Some(predictor);
        profile
    }

    /// Whose rules say how likely edges are.
    pub fn predictor(&self) -> &Predictor {
        self.predictor.as_deref().unwrap_or(Predictor::llvm())
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
            None => self
                .probabilities
                .get_or_init(|| BranchProbabilities::compute(&self.facts, &mut NoConditions)),
        }
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

    /// Works out frequencies again, from the edges as they are now; frequencies that were set are overruled.
    /// Probabilities and the numbers of blocks stay.
    ///
    /// For a function that has only been changed by the methods here, this gives what an analysis from scratch gives
    /// for the same edges and probabilities, to the last bit. Probabilities that rules would give the changed function
    /// are those of a new profile of it.
    pub fn recompute(&mut self) {
        self.forget_frequencies();
        self.block_frequencies();
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
    pub(super) fn update<R>(&mut self, change: impl FnOnce(&mut Edges) -> R) -> R {
        self.block_frequencies();
        let mut updated = match self.updated.take() {
            Some(updated) => updated,
            None => {
                let edges = Edges::new(&self.facts.graph, self.branch_probabilities());
                let nesting = self.dialect.nesting;
                Box::new(Updated { edges, nesting, now: OnceCell::new() })
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
        let input = FrequencyInput {
            graph: self.graph(),
            probabilities: self.branch_probabilities().probabilities(),
            header_weights: &self.facts.header_weights,
            irreducible: self.dialect.irreducible_mass,
            scaling: self.dialect.frequency_scaling,
            probing: self.dialect.hash_probing,
        };
        ANALYSIS.with_borrow_mut(|analysis| work(analysis, &input))
    }
}
