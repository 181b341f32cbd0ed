//! Hints in Rust: `core::hint::cold_path()` at the start of the block that hardly ever runs.
//!
//! > branches that ran -> sites of the syntax -> blocks that hardly ever ran -> edits -> tried by compiling

mod check;
mod cold;
mod edits;
mod libraries;
mod shadow;
mod syntax;

pub use check::Rebuilt;
pub use edits::{edits, IS_TOO_OLD};
