//! The page that `print<block-freq>` prints.

use super::write;
use crate::bfi::BlockFrequencies;
use crate::cfg::Block;
use crate::facts::FunctionFacts;

/// Appends the frequency of every block to `page`, blocks in layout order.
///
/// Counts stand there if the function has a measured entry count; a synthetic one does not count.
pub fn write_frequencies(
    function: &[u8],
    snapshot: &FunctionFacts,
    frequencies: &BlockFrequencies,
    write_name: impl Fn(Block, &mut Vec<u8>),
    page: &mut Vec<u8>,
) {
    write_title(function, page);
    for block in snapshot.graph.blocks() {
        write_block(block, snapshot, frequencies, &write_name, page);
    }
    page.push(b'\n');
}

/// Appends the line before those of the blocks.
pub(super) fn write_title(function: &[u8], page: &mut Vec<u8>) {
    for part in [b"block-frequency-info: ", function, b"\n"] {
        page.extend_from_slice(part);
    }
}

/// Appends the line of one block.
pub(super) fn write_block(
    block: Block,
    snapshot: &FunctionFacts,
    frequencies: &BlockFrequencies,
    write_name: &impl Fn(Block, &mut Vec<u8>),
    page: &mut Vec<u8>,
) {
    page.extend_from_slice(b" - ");
    write_name(block, page);
    write(page, format_args!(": {}", frequencies.text(block)));
    if let Some(entries) = measured_entries(snapshot) {
        write(page, format_args!(", count = {}", frequencies.count(block, entries)));
    }
    if let Some(weight) = snapshot.header_weight(block) {
        write(page, format_args!(", irr_loop_header_weight = {weight}"));
    }
    page.push(b'\n');
}

/// How often a profile saw the function entered.
pub(super) fn measured_entries(snapshot: &FunctionFacts) -> Option<u64> {
    snapshot.entry_count.filter(|entries| !entries.synthetic).map(|entries| entries.count)
}
