//! Results as text.

mod probabilities;

pub use probabilities::write_probabilities;
