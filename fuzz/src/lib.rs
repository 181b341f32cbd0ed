//! Common code of the fuzz targets: generators of functions, and checks with arbitrary-precision integers.
//!
//! The targets compare the algorithms with the definitions that the property tests of `bpa-core` use. The feature
//! `definitions` of `bpa-core` makes these definitions public.
//!
//! After `cargo install cargo-fuzz`, run a target with any toolchain from the root of the repository:
//!
//! ```text
//! cargo fuzz run --sanitizer none dominators -- -max_total_time=600
//! ```
//!
//! `cargo fuzz list` prints the targets. Sanitizers need a nightly toolchain, and would find nothing because the fuzzed
//! code has no `unsafe`. Overflow checks are enabled.

mod function;
pub mod numbers;

use bpa_core::cfg::{Adjacency, Block, ControlFlow, Graph};
use libfuzzer_sys::arbitrary::{Result, Unstructured};

pub use function::{Conditions, Function};

/// Calls `check` with the graph that `bytes` encode.
pub fn with_graph(bytes: &[u8], check: impl FnOnce(&ControlFlow)) {
    if let Ok(graph) = graph(&mut Unstructured::new(bytes), 32) {
        check(&graph.into());
    }
}

/// Decodes a graph. The maximum number of blocks is `most`. The first byte is the number of blocks. Each block has one
/// byte for the number of its successors (at most seven), followed by one byte per successor. If there are not enough
/// bytes, the remaining blocks have no successors.
fn graph(bytes: &mut Unstructured, most: u8) -> Result<Graph> {
    let count = bytes.arbitrary::<u8>()? % most + 1;
    let mut rows = Adjacency::default();
    for _ in 0..count {
        for _ in 0..bytes.arbitrary::<u8>()? % 8 {
            if !bytes.is_empty() {
                rows.push(Block::from_u32((bytes.arbitrary::<u8>()? % count).into()));
            }
        }
        rows.end_row();
    }
    Ok(Graph::from_successors(rows))
}
