//! Static answers held against a measured profile, branch by branch.
//!
//! An answer is what the rules say of a branch as if nobody had seen it run. The truth is how often it ran, and which
//! way it went then. How well the one foretells the other is for [reports](crate::report) to add up.
//!
//! That a static predictor is judged by the executions it gets wrong, beside the least that any could get wrong, goes
//! back to Thomas Ball and James Larus, "Branch prediction for free" (PLDI 1993).

mod branch;

pub use branch::{branches, Branch, Kind, Side};
