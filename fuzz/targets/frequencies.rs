//! Compares frequencies, loop scales and biases with results that are computed without rounding.
#![no_main]

use bpa_core::bfi::{naive, FrequencyAnalysis};
use bpa_fuzz::Function;

libfuzzer_sys::fuzz_target!(|function: Function| {
    let probabilities = function.probabilities(&function.facts);
    let input = function.frequency_input(&probabilities);
    let mut analysis = FrequencyAnalysis::default();
    let result = analysis.compute(&input);
    let biases = analysis.compute_biases(&input, &result);
    naive::check(&input, &result, |block| biases.of(block).reference);
    for block in input.graph.blocks() {
        assert_eq!(biases.of(block).frequency, result.scaled(block));
    }
});
