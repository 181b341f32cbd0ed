//! What the fuzz targets share: functions out of bytes, and numbers of any width.
//!
//! The definitions that the algorithms must meet are those that the property tests of `bpa-core` compare with; its
//! feature `definitions` shows them.
//!
//! With `cargo install cargo-fuzz` and any toolchain, from the root of the repository:
//!
//! ```text
//! cargo fuzz run --sanitizer none dominators -- -max_total_time=600
//! ```
//!
//! `cargo fuzz list` names the targets. What is fuzzed has no `unsafe` in it, so there is nothing for a sanitizer
//! to find; the sanitizers are what would take a nightly toolchain. Checks for overflow are on.

mod function;
pub mod numbers;

use bpa_core::cfg::{Adjacency, Block, ControlFlow, Graph};
use libfuzzer_sys::arbitrary::{Result, Unstructured};

pub use function::{Conditions, Function};

/// Calls `check` with the graph that `bytes` spell.
pub fn with_graph(bytes: &[u8], check: impl FnOnce(&ControlFlow)) {
    if let Ok(graph) = graph(&mut Unstructured::new(bytes), 32) {
        check(&graph.into());
    }
}

/// A graph of up to `most` blocks. The first byte is the number of blocks, then for each block a byte says how
/// many successors it has, up to seven, and as many bytes which; blocks without bytes are exits.
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
