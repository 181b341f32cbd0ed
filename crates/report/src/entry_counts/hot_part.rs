//! The hot part of a call graph: the functions with the most time, and how they come to be called.

use std::cmp::Reverse;

use cranelift_entity::PrimaryMap;

use super::callers::{CallTable, Calls};
use bpa_profile::bfi::Scaled;
use bpa_profile::calls::{CallNode, Estimate, Start};
use bpa_profile::cfg::table;

/// A call that is part of it.
pub(super) struct HotCall {
    pub caller: CallNode,
    pub callee: CallNode,
    pub times: Scaled,
    /// Whether nobody calls the callee more often than this caller.
    pub is_first: bool,
}

/// The functions and calls of it; what stands for calls through pointers is among the functions.
pub(super) struct HotPart {
    pub nodes: Vec<CallNode>,
    pub calls: Vec<HotCall>,
}

impl HotPart {
    /// The `most` functions of `estimate` with the most time, the most frequent caller of each, of that again, and so
    /// on; and the calls among these.
    pub fn of(estimate: &Estimate, calls: &CallTable, most: usize) -> Self {
        let mut is_part: PrimaryMap<CallNode, bool> = table(estimate.counts().node_count(), false);
        for function in hottest(estimate).take(most) {
            let mut next = Some(function);
            while let Some(node) = next.filter(|&node| !std::mem::replace(&mut is_part[node], true)) {
                next = first_caller(estimate, calls, node).map(|calls| calls.other);
            }
        }
        add_pointers(estimate, calls, &mut is_part);
        let nodes: Vec<CallNode> = is_part.iter().filter(|(_, &part)| part).map(|(node, _)| node).collect();
        let calls = nodes.iter().flat_map(|&callee| among(estimate, calls, &is_part, callee)).collect();
        HotPart { nodes, calls }
    }
}

/// The functions in which any time is spent, most first.
fn hottest(estimate: &Estimate) -> impl Iterator<Item = CallNode> {
    let mut functions: Vec<(Scaled, CallNode)> = estimate
        .defined()
        .map(|node| (estimate.time(node), node))
        .filter(|(time, _)| !time.is_zero())
        .collect();
    functions.sort_by_key(|&(time, node)| (Reverse(time), node));
    functions.into_iter().map(|(_, node)| node)
}

/// Who calls `node` most often; nobody if counts start there.
fn first_caller<'a>(estimate: &Estimate, calls: &'a CallTable, node: CallNode) -> Option<&'a Calls> {
    let is_start = estimate.behind_pointer(node).is_none() && estimate.start(node) != Start::Nowhere;
    calls.callers[node].first().filter(|caller| !is_start && !caller.times.is_zero())
}

/// Adds what stands for calls through pointers from one that is part to another.
fn add_pointers(estimate: &Estimate, calls: &CallTable, is_part: &mut PrimaryMap<CallNode, bool>) {
    let pointers: Vec<CallNode> =
        is_part.keys().filter(|&node| estimate.behind_pointer(node).is_some()).collect();
    for pointer in pointers {
        let any = |list: &[Calls]| list.iter().any(|calls| is_part[calls.other] && !calls.times.is_zero());
        is_part[pointer] |= any(&calls.callers[pointer]) && any(&calls.callees[pointer]);
    }
}

/// The calls of `callee` by others that are part, the most frequent first; what is less than a hundredth of all its calls
/// is left out.
fn among<'a>(
    estimate: &'a Estimate,
    calls: &'a CallTable,
    is_part: &'a PrimaryMap<CallNode, bool>,
    callee: CallNode,
) -> impl Iterator<Item = HotCall> + 'a {
    let first = first_caller(estimate, calls, callee).map(|calls| calls.other);
    let least = estimate.counts().of(callee) * Scaled::new(100, 0).inverse();
    let callers =
        calls.callers[callee].iter().filter(move |calls| calls.times >= least && !calls.times.is_zero());
    callers.filter(|calls| is_part[calls.other]).map(move |calls| HotCall {
        caller: calls.other,
        callee,
        times: calls.times,
        is_first: first == Some(calls.other),
    })
}
