//! What the fuzz targets share: graphs out of bytes, and the definitions that the algorithms must meet.
//!
//! With a nightly toolchain and `cargo install cargo-fuzz`, from the root of the repository:
//!
//! ```text
//! cargo +nightly fuzz run --sanitizer none dominators -- -max_total_time=60
//! ```
//!
//! Targets are `dominators`, `post_dominators`, `loops`, `sccs` and `options`. What is fuzzed has no `unsafe`
//! in it, so there is nothing for a sanitizer to find.

use bpa::cfg::{Block, Graph, Loop, Rows, Scc, SccFinder, Workspace};

/// The definitions that the library's own property tests compare with: the same file, so that they need not
/// be part of its interface.
#[path = "../../src/cfg/naive.rs"]
pub mod naive;

/// Calls `check` with the graph that `bytes` spell, and everything computed for it.
pub fn with_graph(bytes: &[u8], check: impl FnOnce(&Graph, &Workspace)) {
    let graph = graph(bytes);
    let mut workspace = Workspace::default();
    workspace.compute_all(&graph);
    check(&graph, &workspace);
}

/// A graph of up to 32 blocks. The first byte is the number of blocks, then for each block a byte says how
/// many successors it has, up to seven, and as many bytes which; what the bytes do not tell are exits.
fn graph(bytes: &[u8]) -> Graph {
    let mut bytes = bytes.iter().copied();
    let count = u32::from(bytes.next().unwrap_or(0)) % 32 + 1;
    let mut rows = Rows::default();
    for _ in 0..count {
        let successors = usize::from(bytes.next().unwrap_or(0)) % 8;
        for target in bytes.by_ref().take(successors) {
            rows.push(Block::from_u32(u32::from(target) % count));
        }
        rows.end_row();
    }
    Graph::from_successors(rows)
}
