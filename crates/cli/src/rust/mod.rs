//! Support for Rust.

pub mod bitcode;
pub mod flags;
pub mod hints;
