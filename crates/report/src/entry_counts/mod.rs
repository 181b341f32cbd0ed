//! Reports how often each function of a module is called, as text, JSON and pictures. docs/src/guide/entry-counts.md
//! describes these reports.

mod dot;
mod json;
mod text;

use bpa_profile::bfi::Scaled;
use bpa_profile::calls::{CallNode, Estimate};
use bpa_profile::cfg::table;
use cranelift_entity::PrimaryMap;

pub use dot::write_call_graph_dot;
pub use json::{read_call_graph, write_call_graph_json, write_entry_counts_json};
pub use text::{
    write_entry_count_score, write_entry_counts, write_explained_entry_count, write_function_features_json,
};

/// An item of a list of callers or callees, with the number of calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallCount {
    /// The caller in a list of callers, or the callee in a list of callees.
    pub other: CallNode,
    pub times: Scaled,
}

/// The calls of a module: the callers of each function, and the callees of each function. The most frequent calls are
/// first.
pub(super) struct CallTable {
    pub callers: PrimaryMap<CallNode, Vec<CallCount>>,
    pub callees: PrimaryMap<CallNode, Vec<CallCount>>,
}

impl CallTable {
    pub(crate) fn of(estimate: &Estimate) -> Self {
        let nodes = estimate.counts().node_count();
        let mut found = CallTable { callers: table(nodes, Vec::new()), callees: table(nodes, Vec::new()) };
        for (caller, callee, times) in estimate.made() {
            found.callers[callee].push(CallCount { other: caller, times });
            found.callees[caller].push(CallCount { other: callee, times });
        }
        for list in found.callers.values_mut().chain(found.callees.values_mut()) {
            merge(list);
        }
        found
    }
}

/// Adds up calls with the same caller and callee, and sorts the sums in descending order.
fn merge(list: &mut Vec<CallCount>) {
    list.sort_by_key(|calls| calls.other);
    list.dedup_by(|next, kept| {
        let same = next.other == kept.other;
        if same {
            kept.times = kept.times + next.times;
        }
        same
    });
    list.sort_by(|one, another| another.times.cmp(&one.times).then(one.other.cmp(&another.other)));
}
