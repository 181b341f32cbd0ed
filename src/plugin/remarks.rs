//! Emits optimisation remarks about source lines. Compilers and other tools can show these remarks.

use std::ffi::{CStr, CString};
use std::rc::Rc;

use bpa_core::profile::Profile;
use bpa_core::report::{self, RemarkLimits, RemarkedFunction};

use super::fault;
use super::profile::{self, ProfileCell, Wanted};
use super::request::{Analysis, Remarks};
use crate::ir::LiveFunction;

/// Emits remarks about a function if the user requests remarks of the pass. `how` selects the remarks.
pub(super) fn function(how: &Remarks, live: &LiveFunction, cell: &ProfileCell) {
    let Some(emitter) = live.remark_emitter(pass_name(how.analysis)) else { return };
    let is_about_frequencies = how.analysis != Analysis::Probabilities;
    let wants_frequencies = is_about_frequencies || how.limit.is_some() || emitter.wants_hotness();
    let wanted = if wants_frequencies { Wanted::Frequencies } else { Wanted::Probabilities };
    let profile = requested_profile(how, live, cell, wanted);
    fault::point("remarks", Some(live));
    let (names, source) = (live.names(), live.source());
    let function = RemarkedFunction { names: &names, source: &source, profile: &profile };
    let limits = RemarkLimits { at_least: how.at_least, most: how.limit };
    let remarks = if is_about_frequencies {
        report::frequency_remarks(&function, limits)
    } else {
        report::branch_remarks(&function, &live.edge_reasons(&profile), limits)
    };
    for remark in &remarks {
        let name = CString::new(remark.name).expect("the name of a remark has no NUL");
        let hotness = emitter.wants_hotness().then(|| profile.count(remark.about.block())).flatten();
        emitter.emit(remark, &name, hotness);
    }
}

/// The pass name that the remarks contain.
fn pass_name(analysis: Analysis) -> &'static CStr {
    match analysis {
        Analysis::Probabilities => c"rust-bpi",
        Analysis::Frequencies | Analysis::Bias => c"rust-bfi",
    }
}

fn requested_profile(how: &Remarks, live: &LiveFunction, cell: &ProfileCell, wanted: Wanted) -> Rc<Profile> {
    let common = &how.common;
    if common.are_hosts() {
        return cell.require(live, wanted);
    }
    profile::compute_as(live, wanted, common.dialect(), common.predictor.as_deref(), common.method)
}
