//! Compares the solution of the flow equations with a solution in arbitrary-precision integers. Also checks that
//! planned header weights do not make the frequencies of LLVM's method less accurate.
#![no_main]

use bpa_core::bfi::{naive, BlockFrequencies, FrequencyAnalysis, FrequencyInput, Scaled};
use bpa_fuzz::Function;

libfuzzer_sys::fuzz_target!(|function: Function| {
    let probabilities = function.probabilities(&function.facts);
    let input = function.frequency_input(&probabilities);
    let mut analysis = FrequencyAnalysis::default();
    let solution = analysis.compute_exact(&input);
    naive::check_exact(&input, &solution);

    let planned = analysis.plan_header_weights(&input, true);
    let mut weights = planned.clone();
    weights.extend(input.header_weights.iter().filter(|given| planned.iter().all(|new| new.0 != given.0)));
    weights.sort_unstable();
    let before = analysis.compute(&input);
    let after = analysis.compute(&input.with_header_weights(&weights));
    assert!(worst_error(&input, &solution, &after) <= worst_error(&input, &solution, &before));
});

/// The largest relative error of `found` among all blocks.
fn worst_error(input: &FrequencyInput, solution: &BlockFrequencies, found: &BlockFrequencies) -> Scaled {
    let error = |&block: &_| {
        let right = solution.scaled(block);
        right.abs_difference(found.scaled(block)) / right
    };
    input.graph.tree().preorder().iter().map(error).max().expect("an entry")
}
