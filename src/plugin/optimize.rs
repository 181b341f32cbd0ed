//! Writes branch weights and entry counts for the code generator.

use bpa_core::calls::IntegerCounts;

use super::entry_counts;
use super::host::Preserved;
use super::passes;
use super::profile;
use super::request::{Analysis, RequestOptions};
use crate::ir::Module;

/// Writes the predicted weights of all branches, and the estimated entry counts of all functions. If the module has a
/// profile, does nothing.
pub(super) fn run(how: &RequestOptions, module: &mut Module<'_>) -> Preserved {
    if entry_counts::keeps_profile(how, module) {
        return Preserved::All;
    }
    let mut annotations = Vec::new();
    let mut profiles = profile::compute_all(module, Analysis::Probabilities, how);
    let estimate = entry_counts::estimate_with(module, how, |_| {
        let (live, profile) = profiles.next().expect("each function has a profile");
        annotations.push(profile::annotations_of(&profile, how, &live));
        profile
    });
    let mut annotations = annotations.into_iter();
    module.for_each_live(|mut live| {
        passes::write_weights(annotations.next().unwrap_or_default(), how, &mut live);
    });
    // With a profile summary, LLVM's code generator computes block frequencies in more passes.
    // Block placement uses more predictions in functions with an entry count, so every function gets one.
    entry_counts::write_entry_counts(&IntegerCounts::of(&estimate), &estimate, Some(1), module);
    Preserved::ControlFlow
}
