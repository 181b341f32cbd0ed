//! What is particular to Rust.

pub mod bitcode;
pub mod flags;
pub mod hints;
