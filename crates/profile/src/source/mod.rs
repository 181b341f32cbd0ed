//! Where a function stands in the source of the program, as far as debug information tells.
//!
//! An instruction that was inlined has several places: its own, and that of each call that brought it here.

mod function;
mod position;

pub use function::{BlockSource, Definition, FunctionSource};
pub use position::{SourceFile, SourceFrame, SourcePosition};
