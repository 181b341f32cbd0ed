//! The profile of one function, computed on demand and kept until the function changes.
//!
//! There is one cached object a function for all analyses: they share its snapshot, and no analysis has to ask
//! the pass manager for another, which llvm-plugin cannot do without a deadlock.

use std::cell::{Ref, RefCell, RefMut};

use crate::bpi::BranchProbabilities;
use crate::cfg::Workspace;
use crate::dialect::Dialect;
use crate::ir::LiveFunction;
use crate::snapshot::Snapshot;

thread_local! {
    /// Memory that serves one function after another.
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

/// A place for the profile of a function. The pass manager drops it when the function changes.
#[derive(Default)]
pub(super) struct ProfileCell(RefCell<Option<Profile>>);

/// What is known of a function.
pub(super) struct Profile {
    pub snapshot: Snapshot,
    pub probabilities: BranchProbabilities,
}

impl ProfileCell {
    /// The profile of `live`, computed now if it is not there.
    pub fn require(&self, live: &LiveFunction) -> Ref<'_, Profile> {
        let mut place = self.0.borrow_mut();
        if place.is_none() {
            *place = Some(Profile::compute(live));
        }
        drop::<RefMut<'_, _>>(place);
        Ref::map(self.0.borrow(), |place| place.as_ref().expect("computed above"))
    }

    /// Forgets the profile.
    pub fn invalidate(&self) {
        *self.0.borrow_mut() = None;
    }
}

impl Profile {
    fn compute(live: &LiveFunction) -> Self {
        log::debug!("computing the profile of '{}'", String::from_utf8_lossy(live.name()));
        let snapshot = live.snapshot(Dialect::host());
        WORKSPACE.with_borrow_mut(|workspace| {
            workspace.compute(&snapshot.graph);
            let probabilities = BranchProbabilities::compute(&snapshot, workspace, &mut live.conditions());
            Profile { snapshot, probabilities }
        })
    }
}
