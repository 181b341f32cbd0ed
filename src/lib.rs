//! LLVM's branch probabilities and block frequencies, rebuilt in Rust.
//!
//! `libbpa.so` is made of this library, the plugin that LLVM's own `opt` loads (`opt -load-pass-plugin=libbpa.so
//! -passes=rust-bpi`), and so may plugins of others be.
//!
//! # For plugins
//!
//! - [`Function`] is a live function, and [`Function::profile`] computes what is known of it as it is now.
//! - [`LiveProfile`] is a [`Profile`] that knows the function's blocks by number. It answers questions: how likely is an
//!   edge, how often does a block run, what dominates it, which loop is it in. It is told of changes. [`profile`] has
//!   examples.
//! - [`plugin!`] makes a shared object a plugin, and [`plugin::Registry`] takes its passes, on any LLVM from 14 to 24.
//! - [`inkwell`] is LLVM's C API for Rust, in the version that fits.
//!
//! `docs/src/guide/library.md` in the repository shows a complete plugin, from `Cargo.toml` to the `opt` line.
//!
//! # The layers
//!
//! Data goes one way: [`mod@plugin`] parses pass names, [`Function`] reads a live function into plain [facts], and
//! [the core](bpa_core), which knows no LLVM, analyses them and turns the results into text.

#![warn(missing_docs)]

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
