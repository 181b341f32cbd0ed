//! Emits optimisation remarks about source lines. Compilers and other tools can show these remarks.

use std::ffi::CString;

use bpa_core::report::{self, RemarkLimits, RemarkedFunction};

use super::fault;
use super::profile::{self, ProfileCell};
use super::request::{Analysis, RequestOptions};
use crate::ir::LiveFunction;

/// Emits remarks about a function if the user requests remarks of the pass. `how` selects the remarks.
pub(super) fn function(analysis: Analysis, how: &RequestOptions, live: &LiveFunction, cell: &ProfileCell) {
    let is_about_frequencies = analysis.needs_frequencies();
    let pass = if is_about_frequencies { c"rust-bfi" } else { c"rust-bpi" };
    let Some(emitter) = live.remark_emitter(pass) else { return };
    let wants_frequencies = is_about_frequencies || how.limit.is_some() || emitter.wants_hotness();
    let needed = if wants_frequencies { Analysis::Frequencies } else { Analysis::Probabilities };
    let profile = profile::requested(live, needed, how, cell);
    fault::point("remarks", Some(live));
    let (names, source) = (live.names(), live.source());
    let function = RemarkedFunction { names: &names, source: &source, profile: &profile };
    let limits = RemarkLimits { at_least: how.at_least, most: how.limit };
    let remarks = if is_about_frequencies {
        report::frequency_remarks(&function, limits)
    } else {
        report::branch_remarks(&function, &live.edge_reasons(&profile).reasons, limits)
    };
    for remark in &remarks {
        let name = CString::new(remark.name).expect("the name of a remark has no NUL");
        let hotness = emitter.wants_hotness().then(|| profile.count(remark.about.block())).flatten();
        emitter.emit(remark, &name, hotness);
    }
}
