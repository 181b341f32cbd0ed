//! LLVM's branch probabilities and block frequencies, rebuilt in Rust.
//!
//! This library builds `libbpa.so`, the plugin that LLVM's own `opt` loads
//! (`opt -load-pass-plugin=libbpa.so -passes=rust-bpi`). Other plugins can link the library too.
//!
//! # For plugins
//!
//! - [`Function`] is a live function. [`Function::profile`] computes the profile of the function's current IR.
//! - [`LiveProfile`] is a [`Profile`] that also knows the function's LLVM blocks. A [`LiveProfile`] returns
//!   probabilities of edges, frequencies of blocks, dominators and loops. Other methods update the profile. The module
//!   [`profile`] has examples.
//! - [`plugin!`] makes a shared object a plugin. [`plugin::Registry`] registers the plugin's passes, on any LLVM from
//!   14 to 24.
//! - [`inkwell`] is LLVM's C API for Rust, in the version that matches the chosen LLVM.
//!
//! `docs/src/guide/library.md` in the repository shows a complete plugin, from `Cargo.toml` to the `opt` line.
//!
//! # The layers
//!
//! Data flows in one direction: [`mod@plugin`] parses pass names, and [`Function`] reads a live function into plain
//! [facts]. [The core](bpa_core), which does not use LLVM, analyses the facts and prints the results.

#![warn(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]

mod host_dialect;
#[macro_use]
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
    inkwell, Analysis, CachedProfile, Callee, Explanations, Function, LiveControlFlow, LiveProfile, Module,
    Numbered,
};
