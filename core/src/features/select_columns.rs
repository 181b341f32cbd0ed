//! What the integers about a `select` are.

use super::columns::{are_called, capped, Column};
use super::select_names::{OWN_COUNT, SELECT_NAMES, VALUE_COUNT, VALUE_NAMES};
use super::selects::{ChosenValue, Select};
use super::view::View;
use crate::bpi::{self, Rule};
use crate::predictor::Predictor;

const _: () = {
    assert!(are_called(&SELECT_COLUMNS, &SELECT_NAMES, 0));
    assert!(are_called(&VALUE_COLUMNS, &VALUE_NAMES, 0));
};

/// A feature that only selects have.
type SelectColumn = Column<fn(&View<'_>, &Select) -> i32>;

/// A feature of a value that may be chosen.
type ValueColumn = Column<fn(&ChosenValue) -> i32>;

/// The features that only selects have.
pub(super) const SELECT_COLUMNS: [SelectColumn; OWN_COUNT] = [
    // Its condition.
    Column { name: "answer", of: |_, select| answer(select) },
    Column {
        name: "same_tests_above",
        of: |view, select| capped(view.tests_above(select.block, select.test.value)),
    },
    Column {
        name: "is_tested_below",
        of: |view, select| view.test(select.block).is_some_and(|test| test.value == select.test.value).into(),
    },
    Column { name: "companions", of: |_, select| capped(select.companions) },
    // What is chosen.
    Column { name: "kind", of: |_, select| select.kind as i32 },
    Column { name: "chosen_bits", of: |_, select| capped(select.bits) },
    // What for.
    Column { name: "uses", of: |_, select| capped(select.uses.all) },
    Column { name: "uses_elsewhere", of: |_, select| capped(select.uses.elsewhere) },
    Column { name: "carried", of: |_, select| capped(select.uses.carried) },
    Column { name: "merged", of: |_, select| capped(select.uses.merged) },
    Column { name: "stored", of: |_, select| capped(select.uses.stored) },
    Column { name: "addresses", of: |_, select| capped(select.uses.addresses) },
    Column { name: "returned", of: |_, select| capped(select.uses.returned) },
    Column { name: "passed", of: |_, select| capped(select.uses.passed) },
    Column { name: "compared", of: |_, select| capped(select.uses.compared) },
    Column { name: "branched", of: |_, select| capped(select.uses.branched) },
    Column { name: "selected", of: |_, select| capped(select.uses.selected) },
];

/// The features of a value that may be chosen.
pub(super) const VALUE_COLUMNS: [ValueColumn; VALUE_COUNT] = [
    Column { name: "source", of: |value| value.source as i32 },
    Column { name: "base", of: |value| value.base as i32 },
    Column { name: "constant", of: |value| value.constant as i32 },
    Column { name: "magnitude", of: |value| capped(value.magnitude) },
    Column { name: "part", of: |value| value.part as i32 },
    Column { name: "is_kept", of: |value| value.is_kept.into() },
    Column { name: "is_from_other", of: |value| value.is_from_other.into() },
    Column { name: "is_from_tested", of: |value| value.is_from_tested.into() },
    Column { name: "is_here", of: |value| value.is_here.into() },
    Column { name: "uses", of: |value| capped(value.uses) },
    Column { name: "own_instructions", of: |value| capped(value.own.count) },
    Column { name: "own_loads", of: |value| capped(value.own.loads) },
    Column { name: "own_slow", of: |value| capped(value.own.slow) },
];

/// How likely LLVM's rules would hold the condition to be if a branch went by it, in 1024ths: 512 where they say nothing.
fn answer(select: &Select) -> i32 {
    let llvm = Predictor::llvm();
    let judge = |&rule: &Rule| bpi::judge(rule, select.condition, llvm);
    let [holds, fails] = llvm.rules().iter().find_map(judge).unwrap_or([1, 1]).map(u64::from);
    (holds * 1024 / (holds + fails)) as i32
}
