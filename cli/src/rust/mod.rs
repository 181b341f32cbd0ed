//! What is particular to Rust.

pub mod bitcode;
pub mod flags;
