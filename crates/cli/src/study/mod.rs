//! The branches of a program as data: pure functions on the types of `bpa_schema` and on counts.

pub mod branch;
pub mod finder;
pub mod merged;
pub mod module;
pub mod place;
pub mod source;
