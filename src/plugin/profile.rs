//! The profile of one function, computed on demand and kept until the function changes.
//!
//! There is one cached object a function for all analyses: they share its snapshot, and no analysis has to ask
//! the pass manager for another, which llvm-plugin cannot do without a deadlock.

use std::cell::{Ref, RefCell};

use super::request::Annotate;
use crate::bfi::bias::BlockBiases;
use crate::bfi::{BlockFrequencies, FrequencyAnalysis, FrequencyInput};
use crate::bpi::{self, Annotation, AnnotationRules, BranchProbabilities};
use crate::cfg::{Block, LoopForest, SpanningTree, Workspace};
use crate::dialect::Dialect;
use crate::ir::LiveFunction;
use crate::snapshot::Snapshot;

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
    pub snapshot: Snapshot,
    pub probabilities: BranchProbabilities,
    tree: SpanningTree,
    loops: LoopForest,
    frequencies: Option<BlockFrequencies>,
}

impl ProfileCell {
    /// The profile of `live`, computed now if it is not there.
    pub fn require(&self, live: &LiveFunction) -> Ref<'_, Profile> {
        self.0.borrow_mut().get_or_insert_with(|| Profile::compute(live));
        Ref::map(self.0.borrow(), |place| place.as_ref().expect("computed above"))
    }

    /// The same with block frequencies.
    pub fn require_frequencies(&self, live: &LiveFunction) -> Ref<'_, Profile> {
        self.0.borrow_mut().get_or_insert_with(|| Profile::compute(live)).compute_frequencies(live);
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
    let rules = AnnotationRules { skip_even: how.skip_even, callbr: Dialect::host().reads_callbr_weights };
    let predict = |snapshot: &Snapshot| Profile::of(snapshot.clone(), live).probabilities;
    let plan =
        |profile: &Profile| bpi::plan_annotations(&profile.snapshot, &profile.probabilities, rules, predict);
    if how.overwrite {
        let mut snapshot = live.snapshot(Dialect::host());
        snapshot.forget_weights();
        plan(&Profile::of(snapshot, live))
    } else {
        plan(&cell.require(live))
    }
}

impl Profile {
    fn compute(live: &LiveFunction) -> Self {
        log::debug!("computing branch probabilities of '{}'", live.display_name());
        Self::of(live.snapshot(Dialect::host()), live)
    }

    /// The profile of `live` as `snapshot` has it.
    fn of(snapshot: Snapshot, live: &LiveFunction) -> Self {
        SCRATCH.with_borrow_mut(|Scratch { workspace, .. }| {
            workspace.compute(&snapshot.graph);
            let probabilities = BranchProbabilities::compute(&snapshot, workspace, &mut live.conditions());
            let tree = std::mem::take(&mut workspace.tree);
            let loops = std::mem::take(&mut workspace.loops);
            Profile { snapshot, probabilities, tree, loops, frequencies: None }
        })
    }

    fn compute_frequencies(&mut self, live: &LiveFunction) {
        if self.frequencies.is_none() {
            log::debug!("computing block frequencies of '{}'", live.display_name());
            self.frequencies =
                Some(SCRATCH.with_borrow_mut(|scratch| scratch.frequencies.compute(&self.frequency_input())));
        }
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
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.frequencies.compute_biases(&self.frequency_input(), self.frequencies())
        })
    }

    fn frequency_input(&self) -> FrequencyInput<'_> {
        FrequencyInput {
            graph: &self.snapshot.graph,
            tree: &self.tree,
            loops: &self.loops,
            probabilities: self.probabilities.probabilities(),
            header_weights: &self.snapshot.header_weights,
            scaling: Dialect::host().frequency_scaling,
        }
    }
}
