//! Static predictions compared with a measured profile, branch by branch.
//!
//! A static prediction ignores the profile. The profile has the executions of each branch and of its successors.
//!
//! Counting the executions that a static predictor gets wrong, next to the minimum for any static predictor, follows
//! Thomas Ball and James Larus, "Branch prediction for free" (PLDI 1993).

mod branch;

pub use branch::{branches, Branch, BranchKind, ComparedSuccessor};
