//! The number of features of a branch and of a successor.

/// The number of features of a branch.
pub const BRANCH_COUNT: usize = 43;

/// The number of features about the condition that a branch tests. In the list of a
/// branch's features, these features come first.
pub(super) const TEST_COUNT: usize = 12;

/// The index of the feature `inverted` of a branch. It is the last feature about the condition.
pub(crate) const INVERTED: usize = TEST_COUNT - 1;

/// The number of features about the branch itself. In the list of a branch's features, these features come after the
/// features about the condition.
pub(super) const DECISION_COUNT: usize = 4;

/// The number of features about the block, its loop and its function.
pub(super) const BLOCK_COUNT: usize = BRANCH_COUNT - TEST_COUNT - DECISION_COUNT;

/// The number of features that distinguish the successors of a switch.
pub(super) const SWITCH_COUNT: usize = 9;

/// The number of the other features of a successor, without `answer`.
pub(super) const SHARED_COUNT: usize = SUCCESSOR_COUNT - SWITCH_COUNT - 1;

/// The number of features of a successor.
pub const SUCCESSOR_COUNT: usize = 36;

/// The upper bound for a feature that is a count.
pub const MOST: u32 = 1023;

/// The number of features of a function.
pub const FUNCTION_COUNT: usize = 29;
