//! Tests of the features of `select` instructions, on generated functions.

use super::*;
use bpa_profile::bpi::test_support::parse_function;
use bpa_profile::cfg::Block;
use bpa_profile::dialect::Dialect;
use bpa_profile::facts::{Condition, ConstantKind, FloatPredicate, IntegerOperand, Predicate};
use bpa_profile::profile::Profile;

/// A `select` in `block` that tests `value`. The other fields have default values.
fn select(block: u32, value: u32) -> Select {
    Select {
        block: Block::from_u32(block),
        index: 0,
        condition: Condition::Opaque,
        test: Test { value, ..Test::default() },
        kind: ChosenKind::Other,
        bits: 0,
        values: [ChosenValue::default(); 2],
        uses: Uses::default(),
        companions: 0,
        profile: SelectProfile::None,
    }
}

/// Parses a function from the text `picture`, and computes the features of each `select` in `selects`. Each element of
/// `tests` is a block and the value that the block tests.
fn rows(picture: &str, tests: &[(u32, u32)], selects: Vec<Select>) -> Vec<SelectFeatures> {
    let profile = Profile::new(parse_function(picture).function, Dialect::named("16").expect("supported"));
    let graph = profile.graph();
    let statistics = FunctionStatistics {
        blocks: graph
            .blocks()
            .map(|_| BlockStatistics { instructions: 5, ..BlockStatistics::default() })
            .collect(),
        edges: vec![EdgeStatistics::default(); graph.edge_count()],
        tests: tests
            .iter()
            .map(|&(block, value)| (Block::from_u32(block), Test { value, ..Test::default() }))
            .collect(),
        selects,
        ..FunctionStatistics::default()
    };
    View::new(&profile, &statistics).expect("the statistics describe the function").selects().collect()
}

/// The value of the feature `name` in `row`.
fn own(row: &SelectFeatures, name: &str) -> i32 {
    row.values[SELECT_NAMES.iter().position(|&known| known == name).expect("a feature of selects")]
}

#[test]
fn only_reachable_selects_have_a_row() {
    let found = rows("a -> b; b; lost -> b", &[], vec![select(0, 0), select(2, 0), select(1, 0)]);
    assert_eq!(found.iter().map(|row| row.place).collect::<Vec<_>>(), [0, 2]);
}

/// For the features of the test and of the block, selects use the same names and values as branches.
#[test]
fn integers_are_in_the_order_of_their_names() {
    let mut one = select(1, 0);
    one.bits = 17;
    one.uses = Uses { all: 2000, carried: 3, selected: 4, ..Uses::default() };
    one.test = Test { kind: TestKind::Integers, library: Library::Reads, mask_bits: 6, ..Test::default() };
    let row = &rows("a -> h; h -> h x; x", &[], vec![one])[0];
    assert_eq!(["chosen_bits", "uses", "carried", "selected"].map(|name| own(row, name)), [17, 1023, 3, 4]);
    assert_eq!(["test", "mask_bits", "library"].map(|name| own(row, name)), [1, 6, 3]);
    assert_eq!(
        ["instructions", "depth", "is_header", "function_blocks"].map(|name| own(row, name)),
        [5, 1, 1, 3]
    );
}

#[test]
fn values_are_in_the_order_of_their_names() {
    let mut one = select(0, 0);
    one.values[1] = ChosenValue {
        source: Source::Constant,
        part: ConditionPart::Right,
        is_from_other: true,
        uses: 4,
        own: OwnInstructions { count: 3, loads: 2, slow: 1 },
        ..ChosenValue::default()
    };
    let row = &rows("a", &[], vec![one])[0];
    assert_eq!(row.choices[0], [0; VALUE_COUNT]);
    let nonzero = VALUE_NAMES.iter().zip(row.choices[1]).filter(|&(_, value)| value != 0);
    let expected = [
        ("source", 1),
        ("part", 2),
        ("is_from_other", 1),
        ("uses", 4),
        ("own_instructions", 3),
        ("own_loads", 2),
        ("own_slow", 1),
    ];
    assert_eq!(nonzero.map(|(&name, value)| (name, value)).collect::<Vec<_>>(), expected);
}

/// Two branches test the same value as the first `select`: the branch at the end of the block, and a branch in a
/// dominator.
#[test]
fn tests_of_the_same_value_are_counted() {
    let tests = [(0, 7), (1, 8), (2, 7)];
    let found =
        rows("a -> b e; b -> c e; c -> d e; d; e", &tests, vec![select(2, 7), select(2, 8), select(3, 9)]);
    assert_eq!(found.iter().map(|row| own(row, "same_tests_above")).collect::<Vec<_>>(), [1, 1, 0]);
    assert_eq!(found.iter().map(|row| own(row, "is_tested_below")).collect::<Vec<_>>(), [1, 0, 0]);
}

/// The feature `answer` of a `select` is the probability that LLVM predicts for a branch with the same condition.
#[test]
fn the_prediction_is_that_of_a_branch_on_the_condition() {
    let integer =
        |predicate, constant| Condition::Integer { predicate, operand: IntegerOperand::Plain, constant };
    let predictions = [
        (Condition::Opaque, 512),
        (Condition::Pointer { unequal: false }, 384),
        (integer(Predicate::Greater, ConstantKind::Zero), 640),
        (integer(Predicate::Equal, ConstantKind::Other), 512),
        (Condition::Float { predicate: FloatPredicate::Unordered }, 0),
    ];
    for (condition, prediction) in predictions {
        let row = &rows("a", &[], vec![Select { condition, ..select(0, 0) }])[0];
        assert_eq!(own(row, "answer"), prediction, "{condition:?}");
    }
}
