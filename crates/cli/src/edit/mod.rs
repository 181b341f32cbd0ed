//! Hints in the source, and patches that add them.

pub mod hints;
pub mod patch;
pub mod rust;
