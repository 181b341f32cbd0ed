#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(unreachable_pub)]
#![warn(missing_docs)]

pub use bpa_cfg as cfg;

pub mod audit;
pub mod bfi;
pub mod bpi;
pub mod calls;
pub mod counts;
pub mod dialect;
pub mod facts;
pub mod profile;
pub mod rules;
pub mod source;

pub use cranelift_entity;
