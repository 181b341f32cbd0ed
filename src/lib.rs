//! LLVM's branch probabilities and block frequencies, rebuilt in Rust.
//!
//! `libbpa.so` is made of this library, the plugin that LLVM's own `opt` loads (`opt -load-pass-plugin=libbpa.so
//! -passes=rust-bpi`), and so may plugins of others be.
//!
//! # For plugins
//!
//! - [`Function`] is a live function whose blocks have numbers, and [`Function::profile`] computes what is known of it.
//! - [`FunctionProfile`] answers questions: how likely is an edge, how often does a block run, what dominates it, which
//!   loop is it in. It is told of changes. [`query`] has examples.
//! - [`plugin!`] makes a shared object a plugin, and [`plugin::Registry`] takes its passes, on any LLVM from 14 to 23.
//! - [`inkwell`] is LLVM's C API for Rust, in the version that fits.
//!
//! `docs/library.md` in the repository shows a complete plugin, from `Cargo.toml` to the `opt` line.
//!
//! # The rooms
//!
//! Data walks one way: [`mod@plugin`] answers to pass names, [`ir`] takes a [`snapshot`] of a live function, [`mod@cfg`],
//! [`bpi`] and [`bfi`] analyse it without knowing LLVM, [`report`] turns the result into text. Differences between LLVM
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
