//! Cold call sites: calls whose block runs at less than 2% of its function's entry.
//!
//! ```sh
//! cargo build --release --examples
//! opt -load-pass-plugin=target/release/examples/libcold_call_sites.so -passes=cold-call-sites -disable-output my.bc
//! ```
//!
//! An inliner gains nothing there but size. Each call is a line: function, block, callee, and how often the block runs
//! for each time the function is entered. Calls of intrinsics, and calls that are never reached, are left out.

use bpa::plugin::Registry;
use bpa::{BlockFrequency, Callee, Function, Probability};

bpa::plugin!("cold-call-sites", register);

fn register(registry: &mut Registry) {
    registry.add_printer("cold-call-sites", report);
}

fn report(function: &Function) {
    let profile = function.profile();
    let cold = BlockFrequency::UNITY * Probability::ratio(2, 100);
    for (block, basic_block) in function.blocks() {
        let frequency = profile.frequency(block);
        if frequency == BlockFrequency::NEVER || frequency >= cold {
            continue;
        }
        for callee in basic_block.get_instructions().filter_map(Callee::of).filter_map(name) {
            let (caller, block) = (function.name(), function.block_name(block));
            eprintln!("{caller}: {block} calls {callee}, frequency {frequency}");
        }
    }
}

/// What to call a callee; nothing for an intrinsic.
fn name(callee: Callee) -> Option<String> {
    let Callee::Function(function) = callee else { return Some("a pointer".into()) };
    let name = function.get_name().to_string_lossy().into_owned();
    (!name.starts_with("llvm.")).then(|| format!("@{name}"))
}
