//! The names and numbers of features of selects.

use super::names::{BLOCK_COUNT, BLOCK_START, BRANCH_NAMES, TEST_COUNT};

/// The number of features that only selects have.
pub(super) const OWN_COUNT: usize = 17;

/// The number of features of a `select`.
pub const SELECT_COUNT: usize = OWN_COUNT + TEST_COUNT + BLOCK_COUNT;

/// The number of features of each of the two values of a `select`.
pub const VALUE_COUNT: usize = 13;

const OWN_NAMES: [&str; OWN_COUNT] = [
    "answer",
    "same_tests_above",
    "is_tested_below",
    "companions",
    "kind",
    "chosen_bits",
    "uses",
    "uses_elsewhere",
    "carried",
    "merged",
    "stored",
    "addresses",
    "returned",
    "passed",
    "compared",
    "branched",
    "selected",
];

/// The names of the features of a `select`, in order. The features that only selects have are first. The features about
/// the test follow, and then the features about the block, the loop and the function. docs/src/reference/features.md
/// describes all features.
pub const SELECT_NAMES: [&str; SELECT_COUNT] = {
    let mut names = [""; SELECT_COUNT];
    let mut place = 0;
    while place < SELECT_COUNT {
        names[place] = if place < OWN_COUNT {
            OWN_NAMES[place]
        } else if place < OWN_COUNT + TEST_COUNT {
            BRANCH_NAMES[place - OWN_COUNT]
        } else {
            BRANCH_NAMES[place - OWN_COUNT - TEST_COUNT + BLOCK_START]
        };
        place += 1;
    }
    names
};

/// The names of the features of a value of a `select`, in order.
pub const VALUE_NAMES: [&str; VALUE_COUNT] = [
    "source",
    "base",
    "constant",
    "magnitude",
    "part",
    "is_kept",
    "is_from_other",
    "is_from_tested",
    "is_here",
    "uses",
    "own_instructions",
    "own_loads",
    "own_slow",
];
