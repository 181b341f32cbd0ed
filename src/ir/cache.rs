//! The profile of a function that is kept between passes.

use std::rc::Rc;

use super::live::LiveFunction;
use super::numbered::WatchedBlocks;
use bpa_core::cfg::Graph;
use bpa_core::profile::Profile;

/// A profile, and the block numbers if a caller has asked for them. They take as much memory as the profile.
pub(crate) struct KeptProfile {
    pub profile: Rc<Profile>,
    blocks: Option<Rc<WatchedBlocks>>,
}

/// A profile with its block numbers.
pub(crate) type NumberedProfile = (Rc<Profile>, Rc<WatchedBlocks>);

impl KeptProfile {
    /// The `profile`, without block numbers.
    pub fn new(profile: Profile) -> Self {
        KeptProfile { profile: profile.into(), blocks: None }
    }

    /// The profile with its block numbers. They are the numbers of `live` as long as `live` has the blocks and edges of
    /// the profile. Otherwise a pass has changed the function before it asked for the profile, and there are no
    /// numbers.
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
    /// The cached profile. If there is none, computes the profile of `live` and caches it.
    fn profile(&self, live: &LiveFunction) -> NumberedProfile;
}
