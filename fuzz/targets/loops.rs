//! Compares natural loops and the nesting of loops with their definition by back edges.
#![no_main]

use bpa_core::cfg::naive;
use bpa_fuzz::with_graph;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| with_graph(bytes, naive::check_loops));
