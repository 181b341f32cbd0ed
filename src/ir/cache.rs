//! The profile of a function that somebody keeps between passes.

use std::rc::Rc;

use super::live::LiveFunction;
use super::numbering::Numbering;
use bpa_core::profile::Profile;

/// A profile, and the numbers that it knows blocks by.
#[derive(Clone)]
pub(crate) struct KeptProfile {
    pub profile: Rc<Profile>,
    pub(super) numbering: Rc<Numbering>,
}

impl KeptProfile {
    /// The `profile` that was computed of `live`.
    pub fn new(profile: Profile, live: &LiveFunction) -> Self {
        KeptProfile { profile: profile.into(), numbering: live.numbering().clone() }
    }
}

/// Who keeps the profile of a function.
pub(crate) trait ProfileCache {
    /// The profile that is kept; that of `live`, which is kept from now on, if there is none.
    fn profile(&self, live: &LiveFunction) -> KeptProfile;
}
