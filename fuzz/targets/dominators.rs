#![no_main]

use bpa_fuzz::{naive, with_graph};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| with_graph(bytes, naive::check_dominators));
