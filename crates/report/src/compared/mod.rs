//! Compares static predictions with a measured profile, branch by branch.
//!
//! A static prediction does not depend on the profile. The profile contains the executions of each branch and of its
//! successors.
//!
//! The mispredicted executions of a static predictor are compared with the minimum over all static predictors. This
//! method is from Thomas Ball and James Larus, "Branch prediction for free" (PLDI 1993).

mod branch;

pub use branch::{branches, Branch, BranchKind, ComparedSuccessor};
