//! LLVM's branch probabilities and block frequencies, rebuilt in Rust as a pass plugin for LLVM's own `opt`.
//!
//! The library is loaded by `opt` (`opt -load-pass-plugin=libbpa.so -passes=rust-bpi`). Data walks one way
//! through it: [`plugin`] answers to pass names, [`ir`] takes a [`snapshot`] of a live function, [`mod@cfg`], [`bpi`]
//! and [`bfi`] analyse it without knowing LLVM, [`report`] turns the result into text. Differences between LLVM
//! versions are data in [`dialect`].

#![warn(missing_docs)]

pub mod bfi;
pub mod bpi;
pub mod cfg;
pub mod dialect;
pub mod ir;
pub mod plugin;
pub mod query;
pub mod report;
pub mod snapshot;

pub use bpi::Probability;
pub use ir::{inkwell, Callee, Function};
pub use query::{BlockFrequency, FunctionProfile, UpdateError};
pub use snapshot::Snapshot;
