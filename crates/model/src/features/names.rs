//! The names and numbers of features.

/// The number of features of a branch.
pub const BRANCH_COUNT: usize = 36;

/// The number of features about the test. These features are the first features of a branch.
pub(super) const TEST_COUNT: usize = 11;

/// The number of features that only branches have. These features follow the features about the test.
pub(super) const DECISION_COUNT: usize = 4;

/// The index of the first feature about the block, the loop and the function of a branch or select.
pub(super) const BLOCK_START: usize = TEST_COUNT + DECISION_COUNT;

/// The number of features about the block, the loop and the function of a branch or select.
pub(super) const BLOCK_COUNT: usize = BRANCH_COUNT - BLOCK_START;

/// The number of features of a successor.
pub const SUCCESSOR_COUNT: usize = 37;

/// The maximum of every count.
pub const MOST: u32 = 1023;

/// The names of the features of a branch, in order. docs/src/reference/features.md describes these features.
pub const BRANCH_NAMES: [&str; BRANCH_COUNT] = [
    "test",
    "predicate",
    "bits",
    "left",
    "base",
    "right",
    "constant",
    "magnitude",
    "mask_bits",
    "library",
    "turns",
    "same_tests_above",
    "rule",
    "terminator",
    "targets",
    "instructions",
    "calls",
    "loads",
    "stores",
    "phis",
    "predecessors",
    "region_blocks",
    "place",
    "depth",
    "is_header",
    "loop_blocks",
    "loop_exits",
    "loop_calls",
    "inner_loops",
    "function_blocks",
    "function_calls",
    "function_loops",
    "function_ends",
    "is_local",
    "returns_value",
    "parameters",
];

/// The names of the features of a successor, in order.
pub const SUCCESSOR_NAMES: [&str; SUCCESSOR_COUNT] = [
    "answer",
    "estimate",
    "never_completes",
    "noreturn_call",
    "cold_call",
    "exception_path",
    "edges",
    "is_default",
    "case",
    "case_value",
    "goes_back",
    "leaves",
    "enters",
    "is_header",
    "post_dominates",
    "is_next",
    "is_exclusive",
    "predecessors",
    "uses_tested",
    "constants",
    "returned",
    "terminator",
    "targets",
    "instructions",
    "calls",
    "indirect_calls",
    "text_calls",
    "loads",
    "stores",
    "phis",
    "region_blocks",
    "region_calls",
    "region_text_calls",
    "region_loads",
    "region_stores",
    "region_loops",
    "region_ends",
];
