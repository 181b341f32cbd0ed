//! Evaluates the rules for each branch a second time, in a simple way. For both evaluations, the rule that applies, the
//! weights and the probabilities must be equal.
#![no_main]

use bpa_core::bpi::naive;
use bpa_fuzz::Function;

libfuzzer_sys::fuzz_target!(|function: Function| {
    let result = function.probabilities(&function.facts);
    naive::check_decisions(&function.facts, |block| function.conditions.halved(block), &result);
    naive::check_sums(function.facts.graph(), &result);
    naive::check_targets(function.facts.graph(), &result);
});
