//! Caches the profile of a function between passes. The cache also contains results of a plugin's own analyses.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::live::LiveFunction;
use super::numbered::WatchedBlocks;
use bpa_core::cfg::Graph;
use bpa_core::profile::Profile;

/// A profile, and the list of its basic blocks if a caller has requested this list. The list of basic blocks takes as
/// much memory as the profile.
pub(crate) struct KeptProfile {
    pub profile: Rc<Profile>,
    blocks: Option<Rc<WatchedBlocks>>,
}

/// A profile with its block numbers.
pub(crate) type NumberedProfile = (Rc<Profile>, Rc<WatchedBlocks>);

impl KeptProfile {
    pub fn new(profile: Profile) -> Self {
        KeptProfile { profile: profile.into(), blocks: None }
    }

    /// Returns the profile, and the block numbers of the function `live`. If a pass has changed blocks or edges of the
    /// function since the profile was computed, the result is `None`.
    pub fn numbered(&mut self, live: &LiveFunction) -> Option<NumberedProfile> {
        if self.blocks.is_none() && has_edges(live, self.profile.graph()) {
            self.blocks = Some(WatchedBlocks::new(live).into());
        }
        Some((self.profile.clone(), self.blocks.clone()?))
    }
}

/// Whether each block has the same successors in `live` and in `graph`.
fn has_edges(live: &LiveFunction, graph: &Graph) -> bool {
    let now = live.graph();
    now.block_count() == graph.block_count()
        && now.blocks().all(|block| now.successors(block) == graph.successors(block))
}

/// Caches the profile of one function, and the results of a plugin's own analyses of this function.
pub(crate) trait ProfileCache {
    /// Returns the cached profile. If the cache is empty, computes the profile of `live` and caches it.
    fn profile(&self, live: &LiveFunction) -> NumberedProfile;

    /// The cached results of analyses.
    fn results(&self) -> &Results;
}

/// Results of analyses of one function. The cache contains at most one result of each type.
#[derive(Default)]
pub(crate) struct Results(RefCell<FxHashMap<TypeId, Rc<dyn Any>>>);

impl Results {
    /// Returns the cached result of type `A`. If the cache has no result of this type, computes and caches the result.
    /// `compute` can use the cache for results of other types.
    pub fn get<A: 'static>(&self, compute: impl FnOnce() -> A) -> Rc<A> {
        let key = TypeId::of::<A>();
        let cached = self.0.borrow().get(&key).cloned();
        let result = cached.unwrap_or_else(|| {
            let result: Rc<dyn Any> = Rc::new(compute());
            self.0.borrow_mut().insert(key, result.clone());
            result
        });
        result.downcast().expect("the key is the type of the result")
    }

    /// Drops all results.
    pub fn clear(&self) {
        self.0.borrow_mut().clear();
    }
}
