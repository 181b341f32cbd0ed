#![doc = include_str!("../README.md")]
//!
//! # The main types
//!
//! | type | meaning |
//! | --- | --- |
//! | [`Graph`], [`Block`] | the control-flow graph |
//! | [`FunctionFacts`] | the facts about each block that the rules use; [`FunctionFacts::builder`] creates them |
//! | [`Dialect`] | the LLVM version whose results are computed |
//! | [`Profile`] | all results for one function |
//! | [`Probability`], [`BlockFrequency`] | the probability of an edge, and the frequency of a block |
//! | [`Predictor`] | rules or a trained model, chosen by name or file |
//! | [`FunctionStatistics`](features::FunctionStatistics) | the data that a trained model uses in addition to facts |
//!
//! # The modules
//!
//! Data flows in one direction: the input is a [graph](mod@cfg) and [facts] about its blocks, and the results are
//! [branch probabilities](bpi) and [block frequencies](bfi). A [`profile`] has these results for one function. The
//! module [`report`] prints these results, with [positions](source) in the program's source. The module [`score`]
//! compares predictions with a profile. The module [`features`] computes the input of a trained model. The module
//! [`dialect`] describes the differences between LLVM versions. The module [`rules`] contains the rules and their
//! weights. A [`Predictor`] is a set of rules, optionally with a trained [`model`]. The caller chooses the LLVM version
//! and the predictor. The library does not depend on LLVM.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]
#![warn(missing_docs)]

pub use bpa_model::{features, model, Predictor, ProfileBatch};
pub use bpa_profile::{audit, bfi, bpi, calls, cfg, counts, dialect, facts, profile, rules, source};
pub use bpa_report as report;
pub use bpa_report::compared as score;
pub use bpa_schema as schema;

pub use bpa_profile::bpi::Probability;
pub use bpa_profile::cfg::{Block, Graph};
pub use bpa_profile::cranelift_entity;
pub use bpa_profile::dialect::Dialect;
pub use bpa_profile::facts::FunctionFacts;
pub use bpa_profile::profile::{BlockFrequency, Profile};
