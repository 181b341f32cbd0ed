//! Compares static predictions with a measured profile, branch by branch.
//!
//! A static prediction does not depend on the profile. The profile contains the executions of each branch and of its
//! successors.
//!
//! The measure is the number of executions that a static predictor mispredicts, in comparison with the minimum over all
//! static predictors. It is from Thomas Ball and James Larus, "Branch prediction for free" (PLDI 1993).

mod branch;

pub use branch::{branches, Branch, BranchKind, ComparedSuccessor};
