//! What the printers print, with reasons: LLVM's lines unchanged, and under each, further in, why.
//!
//! A reason is a few short sentences, one a line, each line behind six blanks, which no line of LLVM's begins with.

mod assumptions;
mod blocks;
mod edges;
mod reasons;

pub use blocks::write_explained_frequencies;
pub use edges::{edge_reasons, write_explained_probabilities};
pub(super) use reasons::Reasons;

use bpa_profile::cfg::Block;
use bpa_profile::facts::IrText;

/// Appends one line of a reason.
fn write_reason(out: &mut Vec<u8>, line: &str) {
    for part in ["      ", line, "\n"] {
        out.extend_from_slice(part.as_bytes());
    }
}

/// Whether LLVM's line leaves open which block it means: some printers leave out quotes, escapes and the numbers of
/// blocks that have no name.
fn is_unclear(block: Block, write_name: &impl Fn(Block, &mut Vec<u8>), ir_text: &impl IrText) -> bool {
    let mut written = Vec::new();
    write_name(block, &mut written);
    let name = ir_text.block_name(block).into_bytes();
    written != name && written != name[1..]
}
