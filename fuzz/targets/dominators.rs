//! Checks the depth-first walk and the dominators. By definition, a block becomes unreachable if one of its dominators
//! is removed.
#![no_main]

use bpa_core::cfg::naive;
use bpa_fuzz::with_graph;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| with_graph(bytes, |control_flow| {
    naive::check_graph(control_flow);
    naive::check_spanning_tree(control_flow);
    naive::check_dominators(control_flow);
}));
