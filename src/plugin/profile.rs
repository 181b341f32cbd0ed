//! The profile of one function, computed on demand and kept until the function changes.
//!
//! There is one cached object a function for all analyses: they share its snapshot, and no analysis has to ask
//! the pass manager for another, which llvm-plugin cannot do without a deadlock.

use std::cell::{Ref, RefCell};
use std::mem::take;

use super::fault;
use super::request::Annotate;
use crate::host_dialect;
use crate::ir::LiveFunction;
use bpa_core::bfi::bias::BlockBiases;
use bpa_core::bfi::nest::LoopNest;
use bpa_core::bfi::{BlockFrequencies, FrequencyAnalysis, FrequencyInput};
use bpa_core::bpi::{self, Annotation, AnnotationRules, BranchProbabilities};
use bpa_core::cfg::{Block, LoopForest, SpanningTree, Workspace};
use bpa_core::dialect::Dialect;
use bpa_core::facts::FunctionFacts;

thread_local! {
    /// Memory that serves one function after another.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

#[derive(Default)]
struct Scratch {
    workspace: Workspace,
    frequencies: FrequencyAnalysis,
}

/// A place for the profile of a function. The pass manager drops it when the function changes.
#[derive(Default)]
pub(super) struct ProfileCell(RefCell<Option<Profile>>);

/// What is known of a function.
pub(super) struct Profile {
    pub snapshot: FunctionFacts,
    pub probabilities: BranchProbabilities,
    dialect: &'static Dialect,
    frequencies: Option<BlockFrequencies>,
    /// Kept for frequencies that are not asked for yet.
    structure: Option<Structure>,
}

/// What frequencies need to know of the graph.
struct Structure {
    tree: SpanningTree,
    loops: LoopForest,
}

/// How much of a profile is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Probabilities,
    Frequencies,
}

impl ProfileCell {
    /// The profile of `live`, with what is wanted of it: computed now if it is not there.
    pub fn require(&self, live: &LiveFunction, wanted: Wanted) -> Ref<'_, Profile> {
        let mut place = self.0.borrow_mut();
        let profile = place.get_or_insert_with(|| Profile::compute(live, wanted, host_dialect()));
        if wanted == Wanted::Frequencies && profile.frequencies.is_none() {
            profile.add_frequencies(live);
        }
        drop(place);
        Ref::map(self.0.borrow(), |place| place.as_ref().expect("computed above"))
    }

    /// Forgets the block frequencies, which rest on everything else.
    pub fn invalidate_frequencies(&self) {
        if let Some(profile) = self.0.borrow_mut().as_mut() {
            profile.frequencies = None;
        }
    }

    /// Forgets the profile.
    pub fn invalidate(&self) {
        *self.0.borrow_mut() = None;
    }
}

/// Plans which branch weights to write on `live`.
///
/// Overwriting starts from the function as if it had none, whatever the cell holds.
pub(super) fn plan_annotations(
    how: Annotate,
    live: &LiveFunction,
    cell: &ProfileCell,
) -> Vec<(Block, Annotation)> {
    let host = host_dialect();
    let rules = AnnotationRules { skip_even: how.skip_even, callbr: host.reads_callbr_weights };
    let predict = |snapshot: &FunctionFacts| {
        Profile::of(snapshot.clone(), live, Wanted::Probabilities, host).probabilities
    };
    let plan =
        |profile: &Profile| bpi::plan_annotations(&profile.snapshot, &profile.probabilities, rules, predict);
    if how.overwrite {
        let mut snapshot = live.snapshot(host);
        snapshot.forget_weights();
        plan(&Profile::of(snapshot, live, Wanted::Probabilities, host))
    } else {
        plan(&cell.require(live, Wanted::Probabilities))
    }
}

impl Profile {
    /// What is known of `live` as a version of LLVM sees it.
    pub fn compute(live: &LiveFunction, wanted: Wanted, dialect: &'static Dialect) -> Self {
        log::debug!("computing branch probabilities of '{}'", live.display_name());
        Self::of(live.snapshot(dialect), live, wanted, dialect)
    }

    /// The profile of `live` as `snapshot` has it.
    fn of(snapshot: FunctionFacts, live: &LiveFunction, wanted: Wanted, dialect: &'static Dialect) -> Self {
        SCRATCH.with_borrow_mut(|Scratch { workspace, frequencies }| {
            fault::point("probabilities", Some(live));
            workspace.compute(snapshot.graph());
            let probabilities =
                BranchProbabilities::compute(&snapshot, workspace, &mut live.conditions(dialect));
            let mut profile =
                Profile { snapshot, probabilities, dialect, frequencies: None, structure: None };
            let Workspace { tree, loops, .. } = workspace;
            if wanted == Wanted::Frequencies {
                log::debug!("computing block frequencies of '{}'", live.display_name());
                fault::point("frequencies", Some(live));
                profile.frequencies = Some(frequencies.compute(&profile.frequency_input(tree, loops)));
            } else {
                profile.structure = Some(Structure { tree: take(tree), loops: take(loops) });
            }
            profile
        })
    }

    fn add_frequencies(&mut self, live: &LiveFunction) {
        log::debug!("computing block frequencies of '{}'", live.display_name());
        fault::point("frequencies", Some(live));
        self.frequencies = Some(self.solve(|analysis, input| analysis.compute(input)));
    }

    /// The block frequencies.
    ///
    /// # Panics
    ///
    /// If they have not been required.
    pub fn frequencies(&self) -> &BlockFrequencies {
        self.frequencies.as_ref().expect("frequencies are required before they are read")
    }

    /// The biases of all blocks, which are not kept. Panics where [`Profile::frequencies`] does.
    pub fn biases(&self) -> BlockBiases {
        self.solve(|analysis, input| analysis.compute_biases(input, self.frequencies()))
    }

    /// The loops of the function, which are not kept.
    pub fn nest(&self) -> LoopNest {
        self.solve(FrequencyAnalysis::compute_nest)
    }

    /// Sets a frequency analysis on the function, whose structure is computed again if it was not kept.
    fn solve<R>(&self, work: impl FnOnce(&mut FrequencyAnalysis, &FrequencyInput) -> R) -> R {
        SCRATCH.with_borrow_mut(|Scratch { workspace, frequencies }| {
            let (tree, loops) = match &self.structure {
                Some(Structure { tree, loops }) => (tree, loops),
                None => {
                    workspace.compute(self.snapshot.graph());
                    (&workspace.tree, &workspace.loops)
                }
            };
            work(frequencies, &self.frequency_input(tree, loops))
        })
    }

    fn frequency_input<'a>(&'a self, tree: &'a SpanningTree, loops: &'a LoopForest) -> FrequencyInput<'a> {
        FrequencyInput {
            graph: self.snapshot.graph(),
            tree,
            loops,
            probabilities: self.probabilities.probabilities(),
            header_weights: self.snapshot.header_weights(),
            scaling: self.dialect.frequency_scaling,
            probing: self.dialect.hash_probing,
        }
    }
}
