//! Writes entry counts as JSON: one line for each function.

use bpa_schema::{CallSum, EntryCountsAnalysis, Format, Recursion};

use super::callers::{CallCount, CallTable};
use super::text::{percent, total_time};
use crate::json::{bytes_unless_text, write_line};
use bpa_profile::calls::{CallNode, Estimate};

/// Appends a line for each defined function of `module`, in the order of the module. The counts are computed for LLVM
/// version `llvm` with the rules of `predictor`.
pub fn write_entry_counts_json(
    module: &[u8],
    estimate: &Estimate,
    llvm: u32,
    predictor: &str,
    out: &mut Vec<u8>,
) {
    let calls = CallTable::of(estimate);
    let total = total_time(estimate);
    for node in estimate.defined() {
        let function = &estimate.module().functions[node];
        let row = bpa_schema::Calls {
            format: Format,
            analysis: EntryCountsAnalysis::EntryCounts,
            llvm,
            predictor: predictor.into(),
            module: String::from_utf8_lossy(module),
            function: String::from_utf8_lossy(&function.name),
            function_bytes: bytes_unless_text(&function.name).map(Into::into),
            calls: estimate.calls(node).into(),
            instructions: estimate.time(node).into(),
            instructions_per_call: function.time().into(),
            percent: percent(estimate.time(node), total),
            start: estimate.start(node),
            never_returns: estimate.never_returns(node),
            recursion: recursion(estimate, node),
            callers: others(estimate, &calls.callers[node]),
            callees: others(estimate, &calls.callees[node]),
        };
        write_line(&row, out);
    }
}

fn recursion(estimate: &Estimate, node: CallNode) -> Option<Recursion> {
    let (facts, functions) = estimate.recursion(node)?;
    Some(Recursion { functions, factor: facts.factor.map(Into::into) })
}

fn others<'a>(estimate: &'a Estimate, list: &[CallCount]) -> Vec<CallSum<'a>> {
    let row = |calls: &CallCount| {
        let functions = estimate.behind_pointer(calls.other);
        let name = || String::from_utf8_lossy(&estimate.module().functions[calls.other].name);
        CallSum {
            function: functions.is_none().then(name),
            behind_pointer: functions.map(<[CallNode]>::len),
            calls: calls.times.into(),
        }
    };
    list.iter().map(row).collect()
}
