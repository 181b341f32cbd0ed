//! Writes the output of `print<rust-bias>`, in the style of `print<block-freq>`.

use super::WriteText;
use bpa_profile::cfg::Block;
use bpa_profile::profile::Profile;

/// Appends the bias of every block to `out`, in layout order.
pub fn write_biases(
    function: &[u8],
    profile: &Profile,
    write_name: impl Fn(Block, &mut Vec<u8>),
    out: &mut Vec<u8>,
) {
    out.extend([b"block-bias-info: ", function, b"\n"].concat());
    for block in profile.graph().blocks() {
        out.extend_from_slice(b" - ");
        write_name(block, out);
        writeln!(out, ": {}", profile.biases().of(block));
    }
    out.push(b'\n');
}
