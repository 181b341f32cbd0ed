//! What features of selects are called.

use super::names::{BLOCK_COUNT, BLOCK_START, BRANCH_NAMES, TEST_COUNT};

/// How many features only selects have.
pub(super) const OWN_COUNT: usize = 17;

/// How many features a `select` has.
pub const SELECT_COUNT: usize = OWN_COUNT + TEST_COUNT + BLOCK_COUNT;

/// How many features each of its two values has.
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

/// What the features of a `select` are called, in their order: its own, then those that a branch has too, of what is tested
/// and of where it stands. docs/src/reference/features.md tells each.
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

/// What the features of a value are called, in their order.
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
