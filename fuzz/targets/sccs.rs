//! Compares strongly connected components with their definition by reachability.
#![no_main]

use bpa_core::cfg::naive;
use bpa_fuzz::with_graph;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| with_graph(bytes, naive::check_sccs));
