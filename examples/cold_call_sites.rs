//! Reports cold call sites: calls in blocks whose frequency is below 2% of the frequency of the function's entry.
//!
//! ```sh
//! cargo build --release --examples
//! opt -load-pass-plugin=target/release/examples/libcold_call_sites.so -passes=cold-call-sites -disable-output my.bc
//! opt -load-pass-plugin=target/release/examples/libcold_call_sites.so -passes=mark-cold-call-sites my.bc -o marked.bc
//! ```
//!
//! Inlining a cold call only increases the code size. `cold-call-sites` prints one line for each call: the function,
//! the block, the callee, and how often the block runs per call of the function. `cold-calls` counts the calls.
//! `mark-cold-call-sites` adds the attribute `cold` to the calls. LLVM's passes use this attribute, but LLVM's analyses
//! ignore it on an `invoke`. Unreachable calls and calls of intrinsics are left out. The plugin also contains bpa's own
//! passes, which use the same cached profiles.

use bpa::inkwell::attributes::{Attribute, AttributeLoc};
use bpa::inkwell::values::{CallSiteValue, InstructionValue};
use bpa::plugin::{Preserved, Registry};
use bpa::{BlockFrequency, Callee, Function, Probability};

bpa::plugin!("cold-call-sites", register);

fn register(registry: &mut Registry) {
    bpa::plugin::add_passes(registry);
    registry.add_printer("cold-call-sites", report);
    registry.add_printer("cold-calls", count);
    registry.add_pass("mark-cold-call-sites", add_attributes);
}

fn report(function: &Function) {
    let caller = function.name();
    for ColdCall { block, frequency, callee, .. } in cold_calls(function) {
        eprintln!("{caller}: {block} calls {callee}, frequency {frequency}");
    }
}

fn count(function: &Function) {
    match cold_calls(function).len() {
        0 => {}
        1 => eprintln!("{}: 1 cold call", function.name()),
        calls => eprintln!("{}: {calls} cold calls", function.name()),
    }
}

fn add_attributes(function: &mut Function) -> Preserved {
    let context = function.value().get_type().get_context();
    let cold = context.create_enum_attribute(Attribute::get_named_enum_kind_id("cold"), 0);
    let calls = cold_calls(function);
    let calls = calls.into_iter().filter_map(|cold| CallSiteValue::try_from(cold.instruction).ok());
    let changed = calls.map(|call| call.add_attribute(AttributeLoc::Function, cold)).count();
    // Blocks and edges do not change, but LLVM predicts branches to cold calls as unlikely.
    if changed == 0 {
        Preserved::All
    } else {
        Preserved::ControlFlow
    }
}

struct ColdCall<'ctx> {
    block: String,
    frequency: BlockFrequency,
    instruction: InstructionValue<'ctx>,
    callee: String,
}

fn cold_calls<'ctx>(function: &Function<'ctx>) -> Vec<ColdCall<'ctx>> {
    // All three passes use the same cached profile. If a pass adds the attribute `cold`, the profile is computed again.
    let profile = function.cached_profile();
    let cold = BlockFrequency::UNITY * Probability::ratio(2, 100);
    let mut calls = Vec::new();
    for (block, basic_block) in profile.basic_blocks() {
        let frequency = profile.frequency(block);
        if frequency == BlockFrequency::NEVER || frequency >= cold {
            continue;
        }
        calls.extend(basic_block.get_instructions().filter_map(|instruction| {
            let callee = name(Callee::of(instruction)?)?;
            Some(ColdCall { block: profile.block_name(block), frequency, instruction, callee })
        }));
    }
    calls
}

/// The name of a callee, or `None` for an intrinsic.
fn name(callee: Callee) -> Option<String> {
    let Callee::Function(function) = callee else { return Some("a pointer".into()) };
    let name = function.get_name().to_string_lossy().into_owned();
    (!name.starts_with("llvm.")).then(|| format!("@{name}"))
}
