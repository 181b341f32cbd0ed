//! The output of `print<block-freq>`.

use super::WriteText;
use bpa_profile::cfg::Block;
use bpa_profile::profile::Profile;

/// Appends the frequency of every block to `out`, in layout order.
///
/// If the function has a profiled entry count, lines include counts. A synthetic entry count is not used.
///
/// LLVM: `BlockFrequencyInfoImpl::print`.
pub fn write_frequencies(
    function: &[u8],
    profile: &Profile,
    write_name: impl Fn(Block, &mut Vec<u8>),
    out: &mut Vec<u8>,
) {
    write_title(function, out);
    for block in profile.graph().blocks() {
        write_block(block, profile, &write_name, out);
    }
    out.push(b'\n');
}

/// Appends the title line, which precedes the lines of the blocks.
pub(super) fn write_title(function: &[u8], out: &mut Vec<u8>) {
    out.extend([b"block-frequency-info: ", function, b"\n"].concat());
}

/// Appends the line about one block.
///
/// LLVM: `BlockFrequencyInfoImpl::print`.
pub(super) fn write_block(
    block: Block,
    profile: &Profile,
    write_name: &impl Fn(Block, &mut Vec<u8>),
    out: &mut Vec<u8>,
) {
    out.extend_from_slice(b" - ");
    write_name(block, out);
    write!(out, ": {}", profile.block_frequencies().text(block));
    if let Some(count) = profile.count(block) {
        write!(out, ", count = {count}");
    }
    if let Some(weight) = profile.facts().header_weight(block) {
        write!(out, ", irr_loop_header_weight = {weight}");
    }
    out.push(b'\n');
}
