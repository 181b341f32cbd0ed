#![doc = include_str!("../README.md")]
//!
//! # The modules
//!
//! Data goes one way: a [graph](mod@cfg) and [facts] about its blocks go in; [branch probabilities](bpi) and [block
//! frequencies](bfi) come out; [reports](report) turn them into text. A [score] holds the answers against a measured
//! profile, and [features] are what a learned predictor may look at. [Places](source) in the source of the program come
//! with the function, for reports to tell. A [`profile`] holds all that is known of one function, and answers questions
//! of other compilers and plugins. What differs between versions of LLVM is data in [`dialect`], and the rules with their
//! numbers are data in [`rules`]; a [`Predictor`] is rules or a learned [`model`], which the caller chooses: nothing here knows which LLVM it runs beside, if any.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub use bpa_model::{features, model, Predictor};
#[doc(hidden)]
pub use bpa_profile::scratch;
pub use bpa_profile::{bfi, bpi, calls, cfg, dialect, facts, profile, rules, source};
pub use bpa_report as report;
pub use bpa_report::compared as score;
pub use bpa_schema as schema;

pub use bpa_profile::cranelift_entity;
