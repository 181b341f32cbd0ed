//! The data of one function in the index of the page.

use serde::Serialize;

use super::branches::BranchRow;
use super::texts::rounded;
use super::texts::Paths;
use crate::base::demangle;
use crate::counts;
use crate::study::module::CallEstimate;
use crate::study::module::Module;
use bpa_schema::Function;

/// A function in the index.
#[derive(Serialize)]
pub struct Entry {
    name: String,
    /// The symbol, if it differs from `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    symbol: Option<String>,
    /// The estimated share of the program's executed instructions. If the page has profiled branches, the share of the
    /// instructions in the profiled runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<f64>,
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
    estimated_instructions: f64,
    /// See [`CallEstimate::measured_instructions`].
    #[serde(skip)]
    measured_instructions: Option<f64>,
}

impl Entry {
    pub fn new(module: &Module, function: &Function, branches: &[BranchRow], paths: &mut Paths) -> Self {
        let name = demangle::name_of(function);
        let estimate = estimate_of(module, function);
        let has_data = branches.iter().any(|branch| branch.executions.is_some());
        Entry {
            symbol: Some(&function.function).filter(|symbol| **symbol != name).map(ToString::to_string),
            name,
            share: None,
            calls: rounded(estimate.calls),
            count: profiled_calls(function),
            ran: has_data.then(|| branches.iter().filter_map(|branch| branch.executions).sum()),
            file: function.source.as_ref().map(|source| paths.number(&source.file)),
            line: function.source.as_ref().and_then(|source| source.line).unwrap_or(0),
            branches: branches.len(),
            ruled: branches.iter().filter(|branch| branch.rests_on_a_rule).count(),
            estimated_instructions: estimate.instructions,
            measured_instructions: estimate.measured_instructions,
        }
    }

    /// Adds the calls and the instructions of a copy of the function that has its own counts.
    pub fn add(&mut self, module: &Module, function: &Function) {
        let estimate = estimate_of(module, function);
        self.calls = rounded(self.calls + estimate.calls);
        self.estimated_instructions += estimate.instructions;
        self.count = sum(self.count, profiled_calls(function));
        self.measured_instructions = sum(self.measured_instructions, estimate.measured_instructions);
    }

    fn instructions(&self, is_measured: bool) -> Option<f64> {
        if is_measured {
            self.measured_instructions
        } else {
            Some(self.estimated_instructions)
        }
    }
}

/// Sets the share of each function in the instructions of all functions. If `is_measured` is true, only the
/// instructions in the profiled runs count.
pub fn make_shares(entries: &mut [Entry], is_measured: bool) {
    let total: f64 = entries.iter().filter_map(|entry| entry.instructions(is_measured)).sum();
    for entry in entries {
        let instructions = entry.instructions(is_measured);
        entry.share = instructions.map(|own| if total > 0.0 { rounded(own / total) } else { 0.0 });
    }
}

fn estimate_of(module: &Module, function: &Function) -> CallEstimate {
    module.calls.get(&*function.function).copied().unwrap_or_default()
}

fn profiled_calls(function: &Function) -> Option<f64> {
    counts::entries(function).map(|entries| entries as f64)
}

/// The sum of the numbers that are known.
fn sum(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    one.into_iter().chain(other).reduce(|one, other| one + other)
}
