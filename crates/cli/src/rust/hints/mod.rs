//! Hints in Rust: `core::hint::cold_path()` at the start of a block that rarely runs.
//!
//! > executed branches -> sites of the syntax -> rare blocks -> edits -> tried by compiling

mod check;
mod cold;
mod edits;
mod libraries;
mod shadow;
mod syntax;

pub use check::Rebuilt;
pub use edits::{edits, IS_TOO_OLD};
