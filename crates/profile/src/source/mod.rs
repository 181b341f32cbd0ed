//! Source positions of a function, from debug information.
//!
//! An inlined instruction has several positions: its own position, and the position of each inlined call around it.

mod function;
mod position;

pub use function::{BlockSource, Definition, FunctionSource};
pub use position::{SourceFile, SourceFrame, SourcePosition};
