//! Dominators against what removing a block cuts off, and the depth-first walk that they start from.
#![no_main]

use bpa_fuzz::{cfg::naive, with_graph};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| with_graph(bytes, |graph, workspace| {
    naive::check_graph(graph);
    naive::check_spanning_tree(graph, workspace);
    naive::check_dominators(graph, workspace);
}));
