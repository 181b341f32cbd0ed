//! Keeps the profile of a function between passes.

use std::rc::Rc;

use super::live::LiveFunction;
use super::numbered::WatchedBlocks;
use bpa_core::cfg::Graph;
use bpa_core::profile::Profile;

/// A profile, with its block numbers if a caller has requested them. The numbers take as much memory as the profile.
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

    /// Returns the profile with its block numbers. The numbers are those of `live`, so `live` must have the blocks and
    /// edges of the profile. If an earlier pass has changed the function before its profile was requested, the blocks
    /// or edges differ, and the result is `None`.
    pub fn numbered(&mut self, live: &LiveFunction) -> Option<NumberedProfile> {
        if self.blocks.is_none() && has_edges(live, self.profile.graph()) {
            self.blocks = Some(WatchedBlocks::new(live).into());
        }
        Some((self.profile.clone(), self.blocks.clone()?))
    }
}

/// Whether the blocks of `live` have the successors that they have in `graph`.
fn has_edges(live: &LiveFunction, graph: &Graph) -> bool {
    let now = live.graph();
    now.block_count() == graph.block_count()
        && now.blocks().all(|block| now.successors(block) == graph.successors(block))
}

/// A cache for the profile of one function.
pub(crate) trait ProfileCache {
    /// Returns the cached profile. If the cache is empty, computes the profile of `live` and caches it.
    fn profile(&self, live: &LiveFunction) -> NumberedProfile;
}
