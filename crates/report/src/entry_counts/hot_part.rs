//! Selects the hot part of a call graph: the functions that take the most time, and their most frequent callers.

use std::cmp::Reverse;

use cranelift_entity::PrimaryMap;

use super::{CallCount, CallTable};
use bpa_profile::bfi::Scaled;
use bpa_profile::calls::{CallNode, Estimate};
use bpa_profile::cfg::table;

/// All calls from one hot function to one callee that is also hot.
pub(super) struct HotCall {
    pub caller: CallNode,
    pub callee: CallNode,
    pub times: Scaled,
    /// Whether the caller is the most frequent caller of the callee.
    pub is_first: bool,
}

/// The hot functions and calls of a call graph. `nodes` also contains nodes that represent calls through function
/// pointers.
pub(super) struct HotPart {
    pub nodes: Vec<CallNode>,
    pub calls: Vec<HotCall>,
}

impl HotPart {
    /// Selects the `limit` functions that take the most time according to `estimate`. For each of these functions, also
    /// selects the most frequent caller, the most frequent caller of this caller, and so on. The chain of callers ends
    /// at a function that is called from outside the module. The result includes the calls between selected functions.
    pub(crate) fn of(estimate: &Estimate, calls: &CallTable, limit: usize) -> Self {
        let mut is_part: PrimaryMap<CallNode, bool> = table(estimate.counts().node_count(), false);
        for function in hottest(estimate).take(limit) {
            let mut next = Some(function);
            while let Some(node) = next.filter(|&node| !std::mem::replace(&mut is_part[node], true)) {
                next = first_caller(estimate, calls, node).map(|calls| calls.other);
            }
        }
        add_pointers(estimate, calls, &mut is_part);
        let nodes: Vec<CallNode> = is_part.iter().filter(|&(_, &part)| part).map(|(node, _)| node).collect();
        let calls = nodes.iter().flat_map(|&callee| among(estimate, calls, &is_part, callee)).collect();
        HotPart { nodes, calls }
    }
}

/// The functions with a running time above 0, in descending order of running time.
fn hottest(estimate: &Estimate) -> impl Iterator<Item = CallNode> {
    let mut functions: Vec<(Scaled, CallNode)> = estimate
        .defined()
        .map(|node| (estimate.time(node), node))
        .filter(|(time, _)| !time.is_zero())
        .collect();
    functions.sort_by_key(|&(time, node)| (Reverse(time), node));
    functions.into_iter().map(|(_, node)| node)
}

/// The most frequent caller of `node`. The result is `None` if the function is called from outside the module.
fn first_caller<'a>(estimate: &Estimate, calls: &'a CallTable, node: CallNode) -> Option<&'a CallCount> {
    let is_start = estimate.behind_pointer(node).is_none() && estimate.start(node).is_some();
    calls.callers[node].first().filter(|caller| !is_start && !caller.times.is_zero())
}

/// Adds nodes that represent calls through pointers. A node is added if it has a hot caller and a hot callee.
fn add_pointers(estimate: &Estimate, calls: &CallTable, is_part: &mut PrimaryMap<CallNode, bool>) {
    let pointers: Vec<CallNode> =
        is_part.keys().filter(|&node| estimate.behind_pointer(node).is_some()).collect();
    for pointer in pointers {
        let any =
            |list: &[CallCount]| list.iter().any(|calls| is_part[calls.other] && !calls.times.is_zero());
        is_part[pointer] |= any(&calls.callers[pointer]) && any(&calls.callees[pointer]);
    }
}

/// The calls from hot functions to `callee`, in descending order of frequency. Callers that make less than 1% of the
/// callee's calls are omitted.
fn among<'a>(
    estimate: &'a Estimate,
    calls: &'a CallTable,
    is_part: &'a PrimaryMap<CallNode, bool>,
    callee: CallNode,
) -> impl Iterator<Item = HotCall> + 'a {
    let first = first_caller(estimate, calls, callee).map(|calls| calls.other);
    let least = estimate.calls(callee) * Scaled::new(100, 0).inverse();
    let callers =
        calls.callers[callee].iter().filter(move |calls| calls.times >= least && !calls.times.is_zero());
    callers.filter(|calls| is_part[calls.other]).map(move |calls| HotCall {
        caller: calls.other,
        callee,
        times: calls.times,
        is_first: first == Some(calls.other),
    })
}
