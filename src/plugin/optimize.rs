//! Writes branch weights and entry counts for the code generator.

use super::entry_counts::{estimate, write_counts};
use super::host::Preserved;
use super::passes::annotate;
use super::profile::ProfileCell;
use super::request::{Degree, RequestOptions};
use crate::ir::Module;

/// Writes the predicted weights of all branches, and the estimated entry counts of all functions. If the module has a
/// profile, does nothing.
pub(super) fn run(how: &RequestOptions, module: &mut Module<'_>) -> Preserved {
    if module.has_profile() {
        log::debug!("module '{}' keeps its profile", module.name());
        return Preserved::All;
    }
    let estimate = estimate(module, how);
    module.for_each_live(|mut live| {
        annotate(how, &mut live, &ProfileCell::default());
    });
    write_counts(&estimate, Degree::Counts, module);
    Preserved::ControlFlow
}
