//! Computes the features that trained predictors use. Features are integers that describe a branch and each of its
//! successors, or a function of a module.
//!
//! [`FunctionStatistics`] has data that a compiler provides in addition to the [facts](bpa_profile::facts): the
//! instructions in each block, and the test of each branch. A [`View`] combines the statistics with the function's
//! profile. The view computes a [row](BranchFeatures) of integers for every branch. [`BRANCH_NAMES`] and
//! [`SUCCESSOR_NAMES`] list the names of the features.
//!
//! The choice of features follows two papers:
//!
//! - Brad Calder and others, "Evidence-based static branch prediction using machine learning" (TOPLAS 19(1), 1997);
//! - Thomas Ball and James Larus, "Branch prediction for free" (PLDI 1993).

mod builder;
mod canonical;
mod columns;
mod functions;
mod regions;
mod rows;
mod statistics;
mod tested;
mod view;

pub use builder::{FunctionStatisticsBuilder, StatisticsError};
pub use canonical::magnitude;
#[cfg(test)]
pub(crate) use canonical::PREDICATES;
pub(crate) use columns::{collected, successor_values, two_way_successor_values, INVERTED, OF_LOOP};
pub use columns::{BRANCH_COUNT, BRANCH_NAMES, FUNCTION_COUNT, MOST, SUCCESSOR_COUNT, SUCCESSOR_NAMES};
pub use functions::{function_features, FUNCTION_NAMES};
pub use rows::{BranchFeatures, SuccessorFeatures};
pub use statistics::{BlockStatistics, EdgeStatistics, FunctionStatistics, Returned};
pub use tested::{Counter, Library, Source, Test, TestKind};
pub(crate) use view::SuccessorEdges;
pub use view::View;

#[cfg(test)]
mod function_tests;
#[cfg(test)]
mod tests;
