//! Checks the computed natural loops and their nesting against the definition of natural loops.
#![no_main]

use bpa_core::cfg::naive;
use bpa_fuzz::with_graph;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| with_graph(bytes, naive::check_loops));
