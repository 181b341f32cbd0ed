//! The pass `rust-analyses`: LLVM's passes use bpa's probabilities and frequencies.

use std::sync::Arc;

use bpa_core::bpi::Probability;
use bpa_core::facts::FunctionFacts;
use bpa_core::profile::Profile;

use super::fault;
use super::host::ComputeProfile;
use super::profile::compute_from;
use super::request::{Mode, Request};
use crate::ir::LiveFunction;

/// Computes the profiles that a request for `rust-analyses` describes.
pub(super) struct Replacement(Arc<Request>);

impl Replacement {
    pub fn new(request: Arc<Request>) -> Arc<Self> {
        Arc::new(Replacement(request))
    }
}

impl ComputeProfile for Replacement {
    fn predict(&self, live: &LiveFunction) -> Profile {
        let how = &self.0.options;
        let dialect = how.dialect();
        let builder = Profile::builder(live.facts(dialect), dialect).method(how.method);
        compute_from(builder, live, how.predictor.as_deref())
    }

    fn with_probabilities(&self, facts: FunctionFacts, mut probabilities: Vec<Probability>) -> Profile {
        if fault::is_wanted("current-probabilities", None) {
            probabilities.fill(Probability::ONE);
        }
        let how = &self.0.options;
        Profile::builder(facts, how.dialect()).method(how.method).build_from(probabilities)
    }

    fn is_like_llvm(&self) -> bool {
        self.0.options.are_hosts()
    }

    fn is_checked(&self) -> bool {
        self.0.mode == Mode::Check
    }
}
