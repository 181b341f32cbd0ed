//! Which rule decides, with which weights, and the probabilities that follow, against the rules without short cuts.
#![no_main]

use bpa_fuzz::{bpi::naive, Function};

libfuzzer_sys::fuzz_target!(|function: Function| {
    let result = function.probabilities(&function.snapshot);
    naive::check_decisions(&function.snapshot, |block| function.conditions.told(block), &result);
    naive::check_sums(&function.snapshot.graph, &result);
    naive::check_targets(&function.snapshot.graph, &result);
});
