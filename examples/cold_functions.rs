//! Adds the attribute `cold` to cold functions. A function is cold if it is only called from rarely executed code.
//!
//! ```sh
//! cargo build --release --examples
//! opt -load-pass-plugin=target/release/examples/libcold_functions.so -passes='mark-cold-functions<explain>' -S my.ll
//! clang -O2 -fpass-plugin=target/release/examples/libcold_functions.so -c my.c
//! ```
//!
//! `mark-cold-functions` adds the attribute `cold`. LLVM optimises cold functions for size, puts them in a separate
//! section, and predicts branches to calls of cold functions as unlikely. The pass must know all calls of a function.
//! The pass is therefore a module pass. Functions that other modules can call, and functions whose address is taken,
//! are ignored. A call is cold if the calling function is cold. A call is also cold if its block runs at less than 2%
//! of the frequency of the calling function's entry. The option `percent=N` sets another percentage. `explain` prints
//! the number of calls of each cold function. In clang, the pass runs automatically at the start of the pipeline.

use std::collections::{HashMap, HashSet};

use bpa::inkwell::attributes::{Attribute, AttributeLoc};
use bpa::inkwell::module::Linkage;
use bpa::inkwell::values::{BasicValue, FunctionValue};
use bpa::plugin::{OptionError, Options, Preserved, Registry};
use bpa::{BlockFrequency, Callee, Module, Probability};

bpa::plugin!("cold-functions", register);

fn register(registry: &mut Registry) {
    registry.add_module_pass_with("mark-cold-functions", &["percent=N", "explain"], mark_cold_functions);
    registry.extend("pipeline-start", "mark-cold-functions");
}

fn mark_cold_functions(options: &Options) -> Result<impl Fn(&mut Module) -> Preserved + use<>, OptionError> {
    let percent = options.number("percent", 1..=100)?.unwrap_or(2);
    let limit = BlockFrequency::UNITY * Probability::ratio(percent, 100);
    let explain = options.has("explain");
    Ok(move |module: &mut Module| {
        let calls = calls(module, limit);
        let cold = cold_functions(&calls);
        for &function in &cold {
            if explain {
                let name = function.get_name().to_string_lossy();
                eprintln!("{name}: all {} calls are cold", calls[&function].count);
            }
            add_attribute(function);
        }
        // Blocks and edges do not change, but LLVM predicts branches to cold calls as unlikely.
        if cold.is_empty() {
            Preserved::All
        } else {
            Preserved::ControlFlow
        }
    })
}

/// The calls in a module that have the same callee.
#[derive(Default)]
struct Calls<'ctx> {
    count: usize,
    /// Whether a function other than the callee contains one of these calls.
    by_others: bool,
    /// The functions that call the callee in a block that is not cold. Recursive calls are ignored.
    warm_in: Vec<FunctionValue<'ctx>>,
}

/// All direct calls, by callee. A call is cold if the frequency of its block is below `limit`.
fn calls<'ctx>(module: &Module<'ctx>, limit: BlockFrequency) -> HashMap<FunctionValue<'ctx>, Calls<'ctx>> {
    let mut calls: HashMap<_, Calls> = HashMap::new();
    for function in module.functions() {
        let (caller, profile) = (function.value(), function.profile());
        for (block, basic_block) in profile.basic_blocks() {
            let is_warm = profile.frequency(block) >= limit;
            for callee in basic_block.get_instructions().filter_map(Callee::of) {
                let Callee::Function(callee) = callee else { continue };
                let calls = calls.entry(callee).or_default();
                calls.count += 1;
                if callee != caller {
                    calls.by_others = true;
                    calls.warm_in.extend(is_warm.then_some(caller));
                }
            }
        }
    }
    calls
}

/// The defined functions that are only called from cold code, in the order in which the search finds them. If a
/// function is cold, all calls in this function are cold. The search therefore continues until it finds no further
/// function.
fn cold_functions<'ctx>(calls: &HashMap<FunctionValue<'ctx>, Calls<'ctx>>) -> Vec<FunctionValue<'ctx>> {
    let mut candidates: Vec<_> =
        calls.iter().filter(|(function, calls)| is_known(**function, calls)).collect();
    candidates.sort_by_key(|(function, _)| function.get_name());
    let (mut found, mut order) = (HashSet::new(), Vec::new());
    loop {
        let before = order.len();
        for &(&function, calls) in &candidates {
            if !found.contains(&function) && calls.warm_in.iter().all(|caller| found.contains(caller)) {
                found.insert(function);
                order.push(function);
            }
        }
        if order.len() == before {
            return order;
        }
    }
}

/// Whether all calls of the function are known, and at least one other function calls the function. All calls are known
/// if the function is local to the module and is used only as a callee.
fn is_known(function: FunctionValue, calls: &Calls) -> bool {
    let pointer = function.as_global_value().as_pointer_value();
    let (mut uses, mut next) = (0, pointer.get_first_use());
    while let Some(usage) = next {
        uses += 1;
        next = usage.get_next_use();
    }
    let is_local = matches!(function.get_linkage(), Linkage::Internal | Linkage::Private);
    is_local && calls.by_others && function.count_basic_blocks() > 0 && uses == calls.count
}

fn add_attribute(function: FunctionValue) {
    let cold = Attribute::get_named_enum_kind_id("cold");
    let attribute = function.get_type().get_context().create_enum_attribute(cold, 0);
    function.add_attribute(AttributeLoc::Function, attribute);
}
