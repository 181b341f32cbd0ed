//! Entry counts as data: one JSON object a function, on a line of its own.

use std::borrow::Cow;

use serde::Serialize;

use super::callers::{CallTable, Calls};
use super::text::{percent, total_time};
use crate::bfi::Scaled;
use crate::calls::{Estimate, Node, Start};
use crate::report::json::{bytes_unless_text, ScaledColumn};

/// The version of the format. It changes when something is removed or gets another meaning; what is added does not
/// change it.
const FORMAT: u32 = 1;

/// Appends a line for each function of `module` that is defined, in the order of the module, estimated as LLVM `llvm`
/// by the rules of `predictor`.
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
        let document = Document {
            format: FORMAT,
            analysis: "rust-entry-counts",
            llvm,
            predictor,
            module: String::from_utf8_lossy(module),
            function: String::from_utf8_lossy(&function.name),
            function_bytes: bytes_unless_text(&function.name),
            calls: estimate.calls(node).into(),
            instructions: estimate.time(node).into(),
            percent: percent(estimate.time(node), total),
            start: start(estimate.start(node)),
            never_returns: estimate.never_returns(node),
            recursion: recursion(estimate, node),
            callers: others(estimate, &calls.callers[node]),
            callees: others(estimate, &calls.callees[node]),
        };
        serde_json::to_writer(&mut *out, &document).expect("writing to memory does not fail");
        out.push(b'\n');
    }
}

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    analysis: &'a str,
    llvm: u32,
    predictor: &'a str,
    module: Cow<'a, str>,
    function: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function_bytes: Option<String>,
    calls: ScaledColumn,
    instructions: ScaledColumn,
    percent: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<&'a str>,
    never_returns: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    recursion: Option<RecursionRow>,
    callers: Vec<OtherRow<'a>>,
    callees: Vec<OtherRow<'a>>,
}

#[derive(Serialize)]
struct RecursionRow {
    functions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    factor: Option<ScaledColumn>,
}

#[derive(Serialize)]
struct OtherRow<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<Cow<'a, str>>,
    /// How many functions a pointer may mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    behind_pointer: Option<usize>,
    calls: ScaledColumn,
}

fn start(start: Start) -> Option<&'static str> {
    match start {
        Start::Nowhere => None,
        Start::Main => Some("main"),
        Start::Once => Some("once"),
        Start::Visible => Some("visible"),
        Start::VisibleCold => Some("visible cold"),
        Start::VisibleHot => Some("visible hot"),
    }
}

fn recursion(estimate: &Estimate, node: Node) -> Option<RecursionRow> {
    let (facts, functions) = estimate.recursion(node)?;
    Some(RecursionRow { functions, factor: facts.factor.map(Scaled::into) })
}

fn others<'a>(estimate: &'a Estimate, list: &[Calls]) -> Vec<OtherRow<'a>> {
    let row = |calls: &Calls| {
        let functions = estimate.behind_pointer(calls.other);
        let name = || String::from_utf8_lossy(&estimate.module().functions[calls.other].name);
        OtherRow {
            function: functions.is_none().then(name),
            behind_pointer: functions.map(<[Node]>::len),
            calls: calls.times.into(),
        }
    };
    list.iter().map(row).collect()
}
