//! Compares post-dominators with their definition by paths, and checks LLVM's choice of roots.
#![no_main]

use bpa_core::cfg::naive;
use bpa_fuzz::with_graph;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| with_graph(bytes, naive::check_post_dominators));
