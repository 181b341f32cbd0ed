//! The profile of a function that somebody keeps between passes.

use std::rc::Rc;

use super::live::LiveFunction;
use super::numbering::Numbering;
use bpa_core::cfg::Graph;
use bpa_core::profile::Profile;

/// A profile, and the numbers that it knows blocks by, if somebody has asked for them: they take as much memory.
pub(crate) struct KeptProfile {
    pub profile: Rc<Profile>,
    numbering: Option<Rc<Numbering>>,
}

/// A profile with the numbers that it knows blocks by.
pub(crate) type NumberedProfile = (Rc<Profile>, Rc<Numbering>);

impl KeptProfile {
    /// The `profile`, whose numbers nobody has asked for.
    pub fn new(profile: Profile) -> Self {
        KeptProfile { profile: profile.into(), numbering: None }
    }

    /// The profile with its numbers, which are those of `live` as long as `live` has the blocks and edges of the profile.
    /// Where it has others, a pass has changed the function before it asked: then there are no numbers any more.
    pub fn numbered(&mut self, live: &LiveFunction) -> Option<NumberedProfile> {
        if self.numbering.is_none() && has_edges(live, self.profile.graph()) {
            self.numbering = Some(live.numbering());
        }
        Some((self.profile.clone(), self.numbering.clone()?))
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
