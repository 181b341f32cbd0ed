//! Evaluates the rules for each branch with a second, simple implementation. Both implementations must compute the same
//! rule, weights and probabilities.
#![no_main]

use bpa_core::bpi::naive;
use bpa_fuzz::Function;

libfuzzer_sys::fuzz_target!(|function: Function| {
    let result = function.probabilities(&function.facts);
    naive::check_decisions(&function.facts, |block| function.conditions.halved(block), &result);
    naive::check_sums(function.facts.graph(), &result);
    naive::check_targets(function.facts.graph(), &result);
});
