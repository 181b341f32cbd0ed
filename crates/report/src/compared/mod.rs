//! Static predictions compared with a measured profile, branch by branch.
//!
//! A prediction is what rules or a model say of a branch of which nothing has been measured. The profile says how often the
//! branch ran, and which way it went then.
//!
//! That a static predictor is judged by the executions it gets wrong, beside the least that any could get wrong, goes
//! back to Thomas Ball and James Larus, "Branch prediction for free" (PLDI 1993).

mod branch;

pub use branch::{branches, Branch, ComparedSuccessor, Kind};
