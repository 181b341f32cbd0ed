//! Writes branch weights and entry counts for the code generator.

use std::collections::HashSet;

use bpa_core::bpi::Probability;
use bpa_core::calls::{CallNode, IntegerCounts};

use super::entry_counts::estimate;
use super::host::Preserved;
use super::passes::annotate;
use super::profile::ProfileCell;
use super::request::RequestOptions;
use crate::ir::Module;

/// The default of `time=N%`. The value was chosen with the programs in docs/src/reports/effect.md.
const TIME: Probability = Probability::ratio(95, 100);

/// Writes the predicted weights of all branches, and the entry counts of the functions that run longest. If the module
/// has a profile, does nothing.
pub(super) fn run(how: &RequestOptions, module: &mut Module<'_>) -> Preserved {
    if module.has_profile() {
        log::debug!("module '{}' keeps its profile", module.name());
        return Preserved::All;
    }
    let estimate = estimate(module, how);
    let hottest: HashSet<CallNode> = estimate.hottest(how.time.unwrap_or(TIME)).into_iter().collect();
    module.for_each_live(|mut live| {
        annotate(how, &mut live, &ProfileCell::default());
    });
    let counts = IntegerCounts::of(&estimate);
    module.summarize(&counts, true);
    module.write_entry_counts(|node| hottest.contains(&node).then(|| counts.entries[node]));
    Preserved::ControlFlow
}
