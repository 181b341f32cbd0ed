//! The profile of a function that somebody keeps between passes.

use std::rc::Rc;

use super::live::LiveFunction;
use super::numbered::WatchedBlocks;
use bpa_core::cfg::Graph;
use bpa_core::profile::Profile;

/// A profile, and the numbers that it knows blocks by, if somebody has asked for them: they take as much memory.
pub(crate) struct KeptProfile {
    pub profile: Rc<Profile>,
    blocks: Option<Rc<WatchedBlocks>>,
}

/// A profile with the numbers that it knows blocks by.
pub(crate) type NumberedProfile = (Rc<Profile>, Rc<WatchedBlocks>);

impl KeptProfile {
    /// The `profile`, whose numbers nobody has asked for.
    pub fn new(profile: Profile) -> Self {
        KeptProfile { profile: profile.into(), blocks: None }
    }

    /// The profile with its numbers, which are those of `live` as long as `live` has the blocks and edges of the profile.
    /// Where it has others, a pass has changed the function before it asked: then there are no numbers any more.
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

/// Who keeps the profile of a function.
pub(crate) trait ProfileCache {
    /// The profile that is kept; that of `live`, which is kept from now on, if there is none.
    fn profile(&self, live: &LiveFunction) -> NumberedProfile;
}
