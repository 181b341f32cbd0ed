//! The page that `print<rust-bias>` prints, in the style of `print<block-freq>`.

use super::write;
use crate::bfi::bias::BlockBiases;
use crate::cfg::{Block, Graph};

/// Appends the bias of every block to `page`, blocks in layout order.
pub fn write_biases(
    function: &[u8],
    graph: &Graph,
    biases: &BlockBiases,
    write_name: impl Fn(Block, &mut Vec<u8>),
    page: &mut Vec<u8>,
) {
    for part in [b"block-bias-info: ", function, b"\n"] {
        page.extend_from_slice(part);
    }
    for block in graph.blocks() {
        page.extend_from_slice(b" - ");
        write_name(block, page);
        write(page, format_args!(": {}\n", biases.of(block)));
    }
    page.push(b'\n');
}
