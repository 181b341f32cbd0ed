//! The subcommands.

pub mod audit;
pub mod cache;
pub mod diff;
pub mod doctor;
pub mod explain;
pub mod generate;
pub mod report;
pub mod score;
