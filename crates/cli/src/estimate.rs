//! The estimated calls of the functions of a module.

use std::collections::HashMap;

use bpa_core::calls::{CallNode, Estimate, Linkage};
use bpa_schema::Scaled;

/// The estimated calls of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CallEstimate {
    /// The number of calls in one run of the program.
    pub calls: f64,
    /// The number of instructions in one run of the program, without the instructions of callees.
    pub instructions: f64,
    /// The number of instructions of one call, without the instructions of callees.
    pub instructions_per_call: f64,
    /// True if the function is local to its module.
    pub is_local: bool,
}

/// The estimated calls of one function.
pub fn calls_of(estimate: &Estimate, function: CallNode) -> CallEstimate {
    let value = |number: bpa_core::bfi::Scaled| Scaled::from(number).value;
    let facts = &estimate.module().functions[function];
    CallEstimate {
        calls: value(estimate.calls(function)),
        instructions: value(estimate.time(function)),
        instructions_per_call: value(facts.time()),
        is_local: facts.linkage == Linkage::Local,
    }
}

/// The estimated calls of all defined functions, by symbol.
pub fn by_symbol(estimate: &Estimate) -> HashMap<String, CallEstimate> {
    let name = |node: CallNode| String::from_utf8_lossy(&estimate.module().functions[node].name).into_owned();
    estimate.defined().map(|node| (name(node), calls_of(estimate, node))).collect()
}
