//! The feature columns of selects.

use super::column::{columns, joined};
use super::columns::{capped, BLOCK_COLUMNS, TEST_COLUMNS};
use super::counts::{OWN_COUNT, SELECT_COUNT, VALUE_COUNT};
use super::selects::{ChosenValue, Select};
use super::view::View;
use bpa_profile::bpi::{self, Rule};
use bpa_profile::rules::RuleSet;

/// The names of the features of a `select`, in order. Features that exist only for selects are first. Features about
/// the test are second. Features about the block, its loop and its function are last.
/// docs/src/reference/features.md describes all features.
pub const SELECT_NAMES: [&str; SELECT_COUNT] = joined(&[&SELECT_COLUMNS, &TEST_COLUMNS, &BLOCK_COLUMNS]);

/// The names of the features of each value of a `select`, in order.
pub const VALUE_NAMES: [&str; VALUE_COUNT] = VALUE_COLUMNS;

columns! {
    /// The features that exist for `select` instructions, but not for branches.
    SELECT_COLUMNS: fn own_values(view: &View<'_>, select: &Select) -> [i32; OWN_COUNT];

    // Columns about the condition.
    "answer" => llvm_probability(select),
    "same_tests_above" => capped(view.tests_above(select.block, select.test.value)),
    "is_tested_below" => view.test(select.block).is_some_and(|test| test.value == select.test.value).into(),
    "companions" => capped(select.companions),
    // Columns about the value that the `select` chooses.
    "kind" => select.kind as i32,
    "chosen_bits" => capped(select.bits),
    // Columns about the uses of the chosen value.
    "uses" => capped(select.uses.all),
    "uses_elsewhere" => capped(select.uses.elsewhere),
    "carried" => capped(select.uses.carried),
    "merged" => capped(select.uses.merged),
    "stored" => capped(select.uses.stored),
    "addresses" => capped(select.uses.addresses),
    "returned" => capped(select.uses.returned),
    "passed" => capped(select.uses.passed),
    "compared" => capped(select.uses.compared),
    "branched" => capped(select.uses.branched),
    "selected" => capped(select.uses.selected),
}

columns! {
    /// The features of one of the two values of a `select`.
    VALUE_COLUMNS: fn value_values(value: &ChosenValue) -> [i32; VALUE_COUNT];

    "source" => value.source as i32,
    "base" => value.base as i32,
    "constant" => value.constant.map_or(0, |kind| kind as i32),
    "magnitude" => capped(value.magnitude),
    "part" => value.part as i32,
    "is_kept" => value.is_kept.into(),
    "is_from_other" => value.is_from_other.into(),
    "is_from_tested" => value.is_from_tested.into(),
    "is_here" => value.is_here.into(),
    "uses" => capped(value.uses),
    "own_instructions" => capped(value.own.count),
    "own_loads" => capped(value.own.loads),
    "own_slow" => capped(value.own.slow),
}

/// The probability that the test is true, times 1024: the prediction of LLVM's rules for a branch on the same
/// condition. If no rule applies, the result is 512.
fn llvm_probability(select: &Select) -> i32 {
    let llvm = RuleSet::llvm();
    let weights = |&rule: &Rule| bpi::condition_weights(rule, select.condition, llvm);
    let [holds, fails] = llvm.rules().iter().find_map(weights).unwrap_or([1, 1]).map(u64::from);
    (if select.test.inverted { fails } else { holds } * 1024 / (holds + fails)) as i32
}
