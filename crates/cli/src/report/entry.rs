//! The data of one function in the index of the page.

use serde::Serialize;

use super::branches::BranchRow;
use super::numbers::rounded;
use super::strings::Paths;
use crate::demangle;
use crate::estimate::CallEstimate;
use crate::module::Module;
use bpa_schema::Function;

/// A function in the index.
#[derive(Serialize)]
pub struct Entry {
    name: String,
    /// The symbol, if it differs from `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    symbol: Option<String>,
    /// The estimated share of the program's executed instructions.
    share: f64,
    /// The estimated number of calls in one run of the program.
    calls: f64,
    /// The profiled number of calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<f64>,
    /// The profiled number of executions of all branches of the function.
    #[serde(skip_serializing_if = "Option::is_none")]
    ran: Option<f64>,
    file: Option<usize>,
    line: u32,
    branches: usize,
    /// The number of branches that a rule predicts. A branch is not counted if its successors have equal probabilities,
    /// or if it has branch weights in the IR.
    ruled: usize,
    #[serde(skip)]
    time: f64,
}

impl Entry {
    pub fn new(module: &Module, function: &Function, branches: &[BranchRow], paths: &mut Paths) -> Self {
        let name = demangle::name_of(function);
        let estimate = module.calls.get(&*function.function).copied();
        let count = function.entry_count.as_ref().filter(|count| !count.synthetic);
        let count = count.map(|count| count.count.to_f64());
        let is_measured = branches.iter().any(|branch| branch.executions.is_some());
        Entry {
            symbol: Some(&function.function).filter(|symbol| **symbol != name).map(ToString::to_string),
            name,
            share: 0.0,
            calls: rounded(estimate.map_or(1.0, |estimate| estimate.calls)),
            count,
            ran: is_measured.then(|| branches.iter().filter_map(|branch| branch.executions).sum()),
            file: function.source.as_ref().map(|source| paths.number(&source.file)),
            line: function.source.as_ref().and_then(|source| source.line).unwrap_or(0),
            branches: branches.len(),
            ruled: branches.iter().filter(|branch| branch.rests_on_a_rule).count(),
            time: estimate.map_or(0.0, |estimate| time(estimate, count)),
        }
    }

    /// Adds the estimated calls and time of a copy of the function.
    pub fn add(&mut self, module: &Module, function: &Function) {
        if let Some(estimate) = module.calls.get(&*function.function) {
            self.calls = rounded(self.calls + estimate.calls);
            self.time += estimate.instructions;
        }
    }
}

/// Sets the share of each function in the estimated instructions of all functions.
pub fn make_shares<'a>(entries: impl Iterator<Item = &'a mut Entry>) {
    let entries: Vec<&mut Entry> = entries.collect();
    let total: f64 = entries.iter().map(|entry| entry.time).sum();
    for entry in entries {
        entry.share = if total > 0.0 { rounded(entry.time / total) } else { 0.0 };
    }
}

/// The estimated number of instructions that a function executes in one run of the program. `count` is the profiled
/// number of calls.
fn time(estimate: CallEstimate, count: Option<f64>) -> f64 {
    count.map_or(estimate.instructions, |count| estimate.instructions_per_call * count)
}
