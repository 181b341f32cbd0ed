//! The printers' output with explanations: LLVM's lines unchanged, each followed by indented lines that explain it.
//!
//! An explanation has one sentence per line, indented by six blanks. No line of LLVM's printers begins with six blanks.

mod assumptions;
mod blocks;
mod edges;
mod reasons;

pub use blocks::write_explained_frequencies;
pub use edges::{edge_reasons, write_explained_probabilities};
pub(super) use reasons::Reasons;

use bpa_profile::cfg::Block;
use bpa_profile::facts::IrText;

/// Appends one line of an explanation.
fn write_reason(out: &mut Vec<u8>, line: &str) {
    for part in ["      ", line, "\n"] {
        out.extend_from_slice(part.as_bytes());
    }
}

/// Whether LLVM's line does not identify the block: some printers omit quotes, escapes and the numbers of unnamed
/// blocks.
fn is_unclear(block: Block, write_name: &impl Fn(Block, &mut Vec<u8>), ir_text: &impl IrText) -> bool {
    let mut written = Vec::new();
    write_name(block, &mut written);
    let name = ir_text.block_name(block).into_bytes();
    written != name && written != name[1..]
}
