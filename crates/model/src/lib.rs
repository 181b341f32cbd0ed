#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(unreachable_pub)]
#![warn(missing_docs)]

pub mod features;
pub mod model;
mod predictor;

pub use predictor::{Predictor, ProfileBatch};
