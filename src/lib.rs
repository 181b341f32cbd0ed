//! LLVM's branch probabilities and block frequencies, rebuilt in Rust.
//!
//! This library makes `libbpa.so`, the plugin that LLVM's own `opt` loads (`opt -load-pass-plugin=libbpa.so
//! -passes=rust-bpi`). Plugins of others can link it too.
//!
//! # For plugins
//!
//! - [`Function`] is a live function, and [`Function::profile`] computes its profile as it is now.
//! - [`LiveProfile`] is a [`Profile`] with numbers for the function's blocks. It has the probability of an edge, the
//!   frequency of a block, dominators, loops and more, and methods to update it. [`profile`] has examples.
//! - [`plugin!`] makes a shared object a plugin, and [`plugin::Registry`] registers its passes, on any LLVM from 14 to
//!   24.
//! - [`inkwell`] is LLVM's C API for Rust, in the version that fits.
//!
//! `docs/src/guide/library.md` in the repository shows a complete plugin, from `Cargo.toml` to the `opt` line.
//!
//! # The layers
//!
//! Data goes in one direction: [`mod@plugin`] parses pass names, [`Function`] reads a live function into plain [facts],
//! and [the core](bpa_core), which has no LLVM, analyses the facts and prints the results.

#![warn(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]

mod host_dialect;
mod ir;
pub mod plugin;

pub use bpa_core::{
    bfi, bpi, cfg, dialect, facts, features, model, profile, report, rules, score, Predictor,
};

pub use bpa_core::bpi::Probability;
pub use bpa_core::facts::FunctionFacts;
pub use bpa_core::profile::{BlockFrequency, Profile, UpdateError};
pub use host_dialect::host_dialect;
pub use ir::{
    inkwell, CachedProfile, Callee, Explanations, Function, LiveControlFlow, LiveProfile, Module, Numbered,
};
