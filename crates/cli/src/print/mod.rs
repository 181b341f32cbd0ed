//! Prints branches for people and tools: diagnostics, words of the source, SARIF.

pub mod diagnostic;
pub mod sarif;
pub mod words;
