//! Writes entry counts as text, and compares them with a profile: a table of scores, or the features of functions.

use bpa_model::features::{function_features, FUNCTION_NAMES};
use bpa_profile::bfi::Scaled;
use bpa_profile::calls::{found, CallNode, Counted, Estimate, Guess, Measured, Start};
use bpa_schema::{Digits, Format, FunctionFeatures};

use super::{CallCount, CallTable};
use crate::features::named;
use crate::json::write_line;
use crate::WriteText;

/// The maximum number of callers that an output line lists.
const MOST_CALLERS: usize = 3;

/// Appends a line for each defined function of `module`, in descending order of time.
pub fn write_entry_counts(module: &[u8], estimate: &Estimate, out: &mut Vec<u8>) {
    let calls = CallTable::of(estimate);
    let mut functions: Vec<(CallNode, Scaled)> =
        estimate.defined().map(|node| (node, estimate.time(node))).collect();
    let total = total_time(estimate);
    functions.sort_by(|one, another| another.1.cmp(&one.1).then(one.0.cmp(&another.0)));
    out.extend([b"Entry counts of module '", module, b"':\n"].concat());
    for (node, time) in functions {
        out.extend([b" - ", name(estimate, node)].concat());
        write!(out, ": calls = {:.5}, time = {:.2}%", estimate.calls(node), percent(time, total));
        write_callers(estimate, &calls.callers[node], estimate.calls(node), out);
        for reason in reasons(estimate, node) {
            write!(out, ", {reason}");
        }
        out.push(b'\n');
    }
    out.push(b'\n');
}

/// Appends how often `function` is called, the reasons for this number, and the callers and callees of the function.
pub fn write_explained_entry_count(
    module: &[u8],
    function: CallNode,
    estimate: &Estimate,
    out: &mut Vec<u8>,
) {
    let table = CallTable::of(estimate);
    let (calls, time) = (estimate.calls(function), estimate.time(function));
    let name = name(estimate, function);
    out.extend([b"Entry count of '", name, b"' in module '", module, b"':\n"].concat());
    let share = percent(time, total_time(estimate));
    writeln!(out, "  calls = {calls:.5}, instructions = {time:.5}, time = {share:.2}%");
    if estimate.is_learned() {
        let equations = estimate.counts().of(function);
        writeln!(out, "  a model estimates the calls; the call equations give {equations:.5} calls");
    }
    for reason in reasons(estimate, function) {
        writeln!(out, "  {reason}");
    }
    for (title, list) in [("called by", &table.callers[function]), ("calls", &table.callees[function])] {
        for &CallCount { other, times } in list.iter() {
            write!(out, "  {title} ");
            write_other(estimate, other, out);
            writeln!(out, " {times:.5} times");
        }
    }
    out.push(b'\n');
}

/// Appends the most frequent callers. After each caller, appends the percentage of `calls` that this caller makes.
fn write_callers(estimate: &Estimate, callers: &[CallCount], calls: Scaled, out: &mut Vec<u8>) {
    let named = callers.iter().filter(|caller| !caller.times.is_zero()).take(MOST_CALLERS);
    for (place, caller) in named.enumerate() {
        out.extend_from_slice(if place == 0 { b", from " } else { b" and " });
        write_other(estimate, caller.other, out);
        write!(out, " ({:.0}%)", percent(caller.times, calls.max(caller.times)));
    }
}

/// Appends the name of a caller or callee.
fn write_other(estimate: &Estimate, node: CallNode, out: &mut Vec<u8>) {
    match estimate.behind_pointer(node) {
        Some(functions) => {
            write!(out, "a pointer to one of {} functions", functions.len());
        }
        None => out.extend_from_slice(name(estimate, node)),
    }
}

/// Lists the reasons for the entry count of a function, but not its callers. An example of a reason: the function is
/// `main`.
pub(super) fn reasons(estimate: &Estimate, node: CallNode) -> Vec<String> {
    let start = estimate.start(node).map(|start| match start {
        Start::Main => "runs once: main",
        Start::Once => "runs once: before main or after it",
        Start::Visible => "externally visible: called once from outside",
        Start::VisibleCold => "externally visible and cold: called 1/32 times from outside",
        Start::CalledBack => "called back: a library calls it through a pointer",
        Start::VisibleHot => "externally visible and hot: called 32 times from outside",
    });
    let last = estimate.never_returns(node).then_some("never returns: called at most once");
    let unreached = if estimate.is_unknown(node) { "not called in this module" } else { "not called" };
    let unreached = estimate.calls(node).is_zero().then_some(unreached);
    let mut reasons: Vec<String> =
        [start, last, unreached].into_iter().flatten().map(str::to_string).collect();
    if let Some((recursion, functions)) = estimate.recursion(node) {
        let counted =
            recursion.factor.map(|factor| format!(", each recursive call counts as {factor:.3} calls"));
        let noun = if functions == 1 { "function" } else { "functions" };
        reasons.push(format!("recursion of {functions} {noun}{}", counted.unwrap_or_default()));
    }
    reasons
}

pub(super) fn total_time(estimate: &Estimate) -> Scaled {
    estimate.defined().fold(Scaled::ZERO, |sum, node| sum + estimate.time(node))
}

/// `part` in percent of `whole`. If `whole` is 0, the result is 0.
pub(super) fn percent(part: Scaled, whole: Scaled) -> f64 {
    100.0 * (part / whole).to_f64()
}

fn name(estimate: &Estimate, node: CallNode) -> &[u8] {
    &estimate.module().functions[node].name
}

/// The percentages in the titles of the table's columns.
const PERCENTS: [usize; 3] = [5, 10, 25];

/// Appends the table to `out`. The table shows how many of the most executed functions, blocks and call sites of
/// `module` the estimate finds.
pub fn write_entry_count_score(module: &[u8], estimate: &Estimate, measured: &Measured, out: &mut Vec<u8>) {
    let functions = measured.calls.values().flatten().count();
    out.extend([b"Score of entry counts of module '", module, b"': "].concat());
    writeln!(out, "{functions} functions measured");
    writeln!(out, "{:<20}{:<12}{:>8}{:>8}{:>8}", "", "", "5%", "10%", "25%");
    for counted in Counted::ALL {
        for guess in Guess::ALL.into_iter().filter(|guess| guess.applies_to(counted)) {
            write!(out, "{:<20}{:<12}", counted.name(), guess.name());
            for percent in PERCENTS {
                match found(counted, guess, estimate, measured, percent) {
                    Some(part) => write!(out, "{:>7.1}%", 100.0 * part.to_f64()),
                    None => write!(out, "{:>8}", "-"),
                }
            }
            out.push(b'\n');
        }
    }
    out.push(b'\n');
}

/// Appends a line of JSON for each defined function of `module`, in the order of the module. The line has the features
/// of the function, and its profiled calls and instructions. The features are computed with the rules of LLVM version
/// `llvm`, or with a model.
pub fn write_function_features_json(
    module: &[u8],
    estimate: &Estimate,
    measured: &Measured,
    llvm: u32,
    out: &mut Vec<u8>,
) {
    for (node, features) in estimate.defined().zip(function_features(estimate)) {
        let row = FunctionFeatures {
            format: Format,
            llvm,
            module: String::from_utf8_lossy(module),
            function: String::from_utf8_lossy(&estimate.module().functions[node].name),
            calls: measured.calls[node].map(Digits),
            instructions: measured.time(node).map(|time| Digits(time.to_nearest_u64())),
            estimated_calls: estimate.calls(node).into(),
            estimated_instructions: estimate.time(node).into(),
            features: named(&FUNCTION_NAMES, &features),
        };
        write_line(&row, out);
    }
}
