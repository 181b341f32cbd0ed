//! Writes the output of the printers with explanations. After each line of LLVM's output, indented lines explain the
//! result.
//!
//! Each line of an explanation has one sentence and is indented by six spaces. No line of LLVM's printers begins with
//! six spaces.

mod blocks;
mod edges;
mod reasons;

pub use blocks::write_explained_frequencies;
pub use edges::{edge_reasons, write_explained_probabilities, EdgeReasons};
pub(super) use reasons::Reasons;

use crate::WriteText;
use bpa_profile::cfg::Block;
use bpa_profile::facts::IrText;

/// Appends one line of an explanation.
fn write_reason(out: &mut Vec<u8>, line: &str) {
    writeln!(out, "      {line}");
}

/// Whether the block's name in LLVM's output differs from its name in the IR. Some printers omit quotes, escapes and
/// the numbers of unnamed blocks.
fn is_unclear(block: Block, write_name: &impl Fn(Block, &mut Vec<u8>), ir_text: &impl IrText) -> bool {
    let mut written = Vec::new();
    write_name(block, &mut written);
    let name = ir_text.block_name(block).into_bytes();
    written != name && written != name[1..]
}
