//! Adds hints to Rust code: calls of `core::hint::cold_path()` at the start of blocks that rarely run.
//!
//! > executed branches -> sites in the syntax tree -> rarely executed blocks -> edits

mod cold;
mod copy;
mod edits;

pub use copy::Copy;
pub use edits::{edits, IS_GENERATED, IS_OTHER_LEVEL, IS_TOO_OLD};
