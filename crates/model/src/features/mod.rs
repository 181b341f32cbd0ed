//! What a learned predictor may look at: integers about a branch and about each of its sides.
//!
//! [`FunctionContents`] are what a reader of the code tells beyond [facts](bpa_profile::facts): what stands in each block, and
//! what each branch tests, as plain data. With the function's profile they make a [`View`], which answers for every branch
//! with a [row](BranchFeatures) of integers, and for every `select` with [another](SelectFeatures). [`BRANCH_NAMES`],
//! [`SIDE_NAMES`], [`SELECT_NAMES`] and [`VALUE_NAMES`] say what the integers are.
//!
//! What is worth looking at has been found by Brad Calder and others, "Evidence-based static branch prediction using machine
//! learning" (TOPLAS 19(1), 1997), and before them by Thomas Ball and James Larus, "Branch prediction for free" (PLDI 1993).

mod column;
mod columns;
mod contents;
mod counter;
mod names;
mod regions;
mod rows;
mod select_columns;
mod select_names;
mod select_rows;
mod selects;
mod tested;
mod view;

pub(crate) use columns::{goes_back, side_values};
pub use contents::{BlockContents, EdgeContents, FunctionContents, Returned};
pub use counter::Counter;
pub use names::{BRANCH_COUNT, BRANCH_NAMES, MOST, SIDE_COUNT, SIDE_NAMES};
pub use rows::{BranchFeatures, SideFeatures};
pub use select_names::{SELECT_COUNT, SELECT_NAMES, VALUE_COUNT, VALUE_NAMES};
pub use select_rows::SelectFeatures;
pub use selects::{ChosenKind, ChosenValue, ConditionPart, OwnInstructions, Select, SelectProfile, Uses};
pub use tested::{Library, Source, Test, TestKind};
pub(crate) use view::SuccessorEdges;
pub use view::View;

#[cfg(test)]
mod select_tests;
#[cfg(test)]
mod tests;
