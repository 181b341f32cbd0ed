//! What the fuzz targets share: functions out of bytes, and the definitions that the algorithms must meet.
//!
//! With `cargo install cargo-fuzz` and any toolchain, from the root of the repository:
//!
//! ```text
//! cargo fuzz run --sanitizer none dominators -- -max_total_time=600
//! ```
//!
//! `cargo fuzz list` names the targets. What is fuzzed has no `unsafe` in it, so there is nothing for a sanitizer
//! to find; the sanitizers are what would take a nightly toolchain. Checks for overflow are on.

use libfuzzer_sys::arbitrary::{Result, Unstructured};

mod function;
pub mod numbers;

pub use function::{Conditions, Function};

// The definitions are those that the library's own property tests compare with: the same files, which find here what
// they find there, so that they need not be part of its interface.
#[path = "../../src/bfi/naive.rs"]
pub mod bfi_naive;
#[path = "../../src/bpi/naive.rs"]
pub mod bpi_naive;
#[path = "../../src/cfg/naive.rs"]
pub mod cfg_naive;
pub use bpa::{dialect, snapshot};
use cfg::{Block, Graph, Loop, Rows, Scc, SccFinder, Workspace};

pub mod cfg {
    pub use crate::cfg_naive as naive;
    pub use bpa::cfg::*;
}

pub mod bpi {
    pub use crate::bpi_naive as naive;
    pub use bpa::bpi::*;
}

pub mod bfi {
    pub use crate::bfi_naive as naive;
    pub use bpa::bfi::*;
}

/// Calls `check` with the graph that `bytes` spell, and everything computed for it.
pub fn with_graph(bytes: &[u8], check: impl FnOnce(&Graph, &Workspace)) {
    let Ok(graph) = graph(&mut Unstructured::new(bytes), 32) else { return };
    let mut workspace = Workspace::default();
    workspace.compute_all(&graph);
    check(&graph, &workspace);
}

/// A graph of up to `most` blocks. The first byte is the number of blocks, then for each block a byte says how
/// many successors it has, up to seven, and as many bytes which; what the bytes do not tell are exits.
fn graph(bytes: &mut Unstructured, most: u8) -> Result<Graph> {
    let count = bytes.arbitrary::<u8>()? % most + 1;
    let mut rows = Rows::default();
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
