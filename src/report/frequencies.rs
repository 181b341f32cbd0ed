//! The page that `print<block-freq>` prints.

use super::write;
use crate::bfi::BlockFrequencies;
use crate::cfg::Block;
use crate::snapshot::Snapshot;

/// Appends the frequency of every block to `page`, blocks in layout order.
///
/// Counts stand there if the function has a measured entry count; a synthetic one does not count.
pub fn write_frequencies(
    function: &[u8],
    snapshot: &Snapshot,
    frequencies: &BlockFrequencies,
    write_name: impl Fn(Block, &mut Vec<u8>),
    page: &mut Vec<u8>,
) {
    for part in [b"block-frequency-info: ", function, b"\n"] {
        page.extend_from_slice(part);
    }
    let entries = snapshot.entry_count.filter(|entries| !entries.synthetic);
    for block in snapshot.graph.blocks() {
        page.extend_from_slice(b" - ");
        write_name(block, page);
        write(page, format_args!(": {}", frequencies.text(block)));
        if let Some(entries) = entries {
            write(page, format_args!(", count = {}", frequencies.count(block, entries.count)));
        }
        if let Some(weight) = snapshot.header_weight(block) {
            write(page, format_args!(", irr_loop_header_weight = {weight}"));
        }
        page.push(b'\n');
    }
    page.push(b'\n');
}
