//! Hints in Rust: `core::hint::cold_path()` at the start of the block that hardly ever runs.

pub mod cold;
pub mod syntax;
