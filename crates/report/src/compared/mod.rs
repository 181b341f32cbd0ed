//! Compares static predictions with a measured profile, branch by branch.
//!
//! A static prediction does not depend on the profile. The profile contains how often each branch was executed, and how
//! often execution continued at each successor.
//!
//! The executions that a predictor mispredicts are compared with the executions that the best static predictor would
//! mispredict. This method is from Thomas Ball and James Larus, "Branch prediction for free" (PLDI 1993).

mod branch;

pub use bpa_schema::BranchKind;
pub(crate) use branch::kind_of;
pub use branch::{branches, Branch, ComparedSuccessor};
