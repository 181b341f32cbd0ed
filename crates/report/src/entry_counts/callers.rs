//! What calls what, gathered for reports.

use cranelift_entity::PrimaryMap;

use bpa_profile::bfi::Scaled;
use bpa_profile::calls::{CallNode, Estimate};
use bpa_profile::cfg::table;

/// How often one function is called by another, or through pointers of a type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calls {
    /// Who calls, or who is called.
    pub other: CallNode,
    pub times: Scaled,
}

/// The calls of a module, both ways: one entry for each pair, the most frequent first.
pub(super) struct CallTable {
    pub callers: PrimaryMap<CallNode, Vec<Calls>>,
    pub callees: PrimaryMap<CallNode, Vec<Calls>>,
}

impl CallTable {
    pub fn of(estimate: &Estimate) -> Self {
        let nodes = estimate.counts().node_count();
        let mut found = CallTable { callers: table(nodes, Vec::new()), callees: table(nodes, Vec::new()) };
        for (caller, callee, times) in estimate.made() {
            found.callers[callee].push(Calls { other: caller, times });
            found.callees[caller].push(Calls { other: callee, times });
        }
        for list in found.callers.values_mut().chain(found.callees.values_mut()) {
            merge(list);
        }
        found
    }
}

/// Adds what is of one pair, and puts the most frequent first.
fn merge(list: &mut Vec<Calls>) {
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
