//! Gives the branches of a module the form of the source, and optionally the counts of a front-end profile.

use std::path::Path;

use super::fault;
use super::host::Preserved;
use super::message::Failure;
use super::output;
use super::request::RequestOptions;
use crate::ir::{FrontEndProfile, Measured, Module, OtherModule};

/// Changes all functions of `module`. Prints the names of the functions whose counts are unknown, although the profile
/// contains them.
pub(super) fn run(how: &RequestOptions, module: &Module<'_>) -> Result<Preserved, Failure> {
    let cannot_read = |path: &String, problem| Failure(format!("cannot read '{path}': {problem}"));
    let mut sources = match (&how.profile, &how.instrumented) {
        (Some(profile), Some(instrumented)) => {
            let read = OtherModule::read(Path::new(instrumented));
            let read = read.map_err(|problem| cannot_read(instrumented, problem))?;
            let open = FrontEndProfile::open(Path::new(profile));
            Some((read, open.map_err(|problem| cannot_read(profile, problem))?))
        }
        _ => None,
    };
    let throws =
        sources.as_mut().is_some_and(|(instrumented, profile)| throws(module, instrumented, profile));
    let mut unknown = Vec::new();
    for live in module.live_functions() {
        fault::point("source-branches", Some(&live));
        let measured =
            sources.as_mut().map(|(instrumented, profile)| live.measured(instrumented, profile, throws));
        if matches!(measured, Some(Measured::Unknown)) {
            unknown.extend_from_slice(live.name());
            unknown.push(b'\n');
        }
        live.make_source_branches(measured);
    }
    output::write(&unknown, how.output.as_ref())?;
    Ok(Preserved::Nothing)
}

/// Whether a call in the module may have thrown an exception. If the functions of the module have caught more exceptions
/// than they have thrown, functions of other modules have thrown the rest.
fn throws(module: &Module<'_>, instrumented: &OtherModule, profile: &mut FrontEndProfile) -> bool {
    let (mut caught, mut thrown) = (0, Some(0));
    for live in module.live_functions() {
        let (caught_here, thrown_here) = live.exceptions(instrumented, profile);
        caught += caught_here;
        thrown = thrown.zip(thrown_here).map(|(all, here)| all + here);
    }
    let by_others = thrown.is_none_or(|thrown| caught > thrown);
    caught > 0 && instrumented.mark_functions_that_do_not_throw(by_others)
}
