//! What features are called.

/// How many features a branch has.
pub const BRANCH_COUNT: usize = 36;

/// So many of them, the first, are about what is tested.
pub(super) const TEST_COUNT: usize = 11;

/// So many of them follow, which only branches have.
pub(super) const DECISION_COUNT: usize = 4;

/// Where those begin that are about the block, the loop and the function around.
pub(super) const BLOCK_START: usize = TEST_COUNT + DECISION_COUNT;

/// How many those are.
pub(super) const BLOCK_COUNT: usize = BRANCH_COUNT - BLOCK_START;

/// How many features a side of a branch has.
pub const SIDE_COUNT: usize = 37;

/// The most that anything is counted up to.
pub const MOST: u32 = 1023;

/// What the features of a branch are called, in their order. docs/src/reference/features.md tells each.
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

/// What the features of a side of a branch are called, in their order.
pub const SIDE_NAMES: [&str; SIDE_COUNT] = [
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
