//! Tests of the features of branches, on generated functions.

use super::*;
use bpa_profile::bpi::test_support::parse_function;
use bpa_profile::dialect::Dialect;
use bpa_profile::profile::Profile;

/// The feature `name` of a row.
fn of_branch(row: &BranchFeatures, name: &str) -> i32 {
    row.values[BRANCH_NAMES.iter().position(|&known| known == name).expect("a feature of branches")]
}

fn of_successor(row: &BranchFeatures, successor: usize, name: &str) -> i32 {
    row.successors[successor].values
        [SUCCESSOR_NAMES.iter().position(|&known| known == name).expect("a feature of successors")]
}

/// Parses a function from the text `picture`, and returns its profile and statistics. Each block has one instruction.
/// The other statistics have default values.
fn profile(picture: &str) -> (Profile, FunctionStatistics) {
    let profile = Profile::new(parse_function(picture).function, Dialect::named("16").expect("supported"));
    let graph = profile.graph();
    let statistics = FunctionStatistics {
        blocks: graph
            .blocks()
            .map(|_| BlockStatistics { instructions: 1, ..BlockStatistics::default() })
            .collect(),
        edges: vec![EdgeStatistics::default(); graph.edge_count()],
        ..FunctionStatistics::default()
    };
    (profile, statistics)
}

fn rows(profile: &Profile, statistics: &FunctionStatistics) -> Vec<BranchFeatures> {
    View::new(profile, statistics).expect("the statistics describe the function").branches().collect()
}

#[test]
fn names_are_unique() {
    for names in [&BRANCH_NAMES[..], &SUCCESSOR_NAMES[..]] {
        let mut sorted = names.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), names.len());
    }
}

#[test]
fn only_branches_with_a_choice_have_a_row() {
    let (profile, statistics) = profile("a -> b c; b -> c; c -> d d; d; lost -> a b");
    let rows = rows(&profile, &statistics);
    assert_eq!(rows.iter().map(|row| row.block.as_u32()).collect::<Vec<_>>(), [0]);
}

/// The outer loop has the blocks `h`, `b` and `i`. The edge `a -> h` enters this loop, and `h -> x` leaves it.
#[test]
fn loops_are_counted() {
    let (profile, statistics) = profile("a -> h x; h -> b x; b -> h i; i -> i h; x");
    let rows = rows(&profile, &statistics);
    let [a, h, b, i] = &rows[..] else { panic!("four branches") };
    assert_eq!([a, h, b, i].map(|row| of_branch(row, "depth")), [0, 1, 1, 2]);
    assert_eq!([a, h, b, i].map(|row| of_branch(row, "is_header")), [0, 1, 0, 1]);
    assert_eq!([a, h, b, i].map(|row| of_branch(row, "loop_blocks")), [0, 3, 3, 1]);
    assert_eq!([a, h, b, i].map(|row| of_branch(row, "loop_exits")), [0, 1, 1, 1]);
    let of_all = |name| [a, h, b, i].map(|row| [0, 1].map(|successor| of_successor(row, successor, name)));
    assert_eq!(of_all("enters"), [[1, 0], [0, 0], [0, 1], [0, 0]]);
    assert_eq!(of_all("leaves"), [[0, 0], [0, 1], [0, 0], [0, 1]]);
    assert_eq!(of_all("goes_back"), [[0, 0], [0, 0], [1, 0], [1, 1]]);
    assert_eq!(of_all("post_dominates"), [[0, 1], [0, 1], [1, 0], [1, 1]]);
}

/// Each of the blocks `b`, `c`, `d` and `e` has only one incoming edge. The region of this edge contains
/// the blocks that are reachable only through the edge. Block `f` is in none of these regions.
#[test]
fn statistics_of_exclusive_regions_are_added_up() {
    let (profile, mut statistics) = profile("a -> b c; b -> d e; d -> f; e -> f; c -> f; f");
    for (number, block) in statistics.blocks.values_mut().enumerate() {
        block.calls = 1 << number; // a b d e c f
    }
    let found = rows(&profile, &statistics);
    assert_eq!([0, 1].map(|successor| of_successor(&found[0], successor, "region_blocks")), [3, 1]);
    assert_eq!([0, 1].map(|successor| of_successor(&found[0], successor, "calls")), [2, 16]);
    let whole: i32 = (0..6).map(|number| 1 << number).sum();
    let regions = [0, 1].map(|successor| of_successor(&found[0], successor, "region_calls"));
    assert_eq!(of_branch(&found[0], "function_calls"), whole);
    assert_eq!(regions.iter().sum::<i32>() + 1 + 32, whole);
}

/// The kind of the returned value is also found if the successor of the branch jumps to the block that returns. If the
/// returned value is a phi in the returning block, each incoming edge of this block has a separate kind.
#[test]
fn returns_are_found_behind_jumps() {
    let (profile, mut statistics) = profile("a -> b c; b -> d; c -> d; d");
    let d = profile.blocks().next_back().expect("blocks");
    statistics.blocks[d].returned = Returned::Merged;
    statistics.edges[2].returned = Returned::Negative; // b to d
    let row = &rows(&profile, &statistics)[0];
    assert_eq!(
        [0, 1].map(|successor| of_successor(row, successor, "returned")),
        [Returned::Negative as i32, Returned::Merged as i32]
    );
}

/// An edge also has an estimated weight if all paths from its target lead to a block that ends in `unreachable`.
#[test]
fn estimates_are_those_of_edges() {
    let (profile, statistics) = profile("a -> b c; b -> d; c -> e; d: unreachable; e");
    let row = &rows(&profile, &statistics)[0];
    assert_eq!([0, 1].map(|successor| of_successor(row, successor, "estimate")), [1, 0]);
    assert_eq!([0, 1].map(|successor| of_successor(row, successor, "never_completes")), [0, 0]);
}

/// A switch has one row of features for each successor block, including the default.
#[test]
fn cases_with_one_target_are_one_successor() {
    let (profile, statistics) = profile("a -> x y x z; x; y; z");
    let row = &rows(&profile, &statistics)[0];
    assert_eq!(
        row.successors.iter().map(|successor| successor.target.as_u32()).collect::<Vec<_>>(),
        [1, 2, 3]
    );
    assert_eq!([0, 1, 2].map(|successor| of_successor(row, successor, "edges")), [2, 1, 1]);
    assert_eq!([0, 1, 2].map(|successor| of_successor(row, successor, "is_default")), [1, 0, 0]);
    assert_eq!([0, 1, 2].map(|successor| of_successor(row, successor, "answer")), [512, 256, 256]);
}

#[test]
fn dominators_that_test_the_same_value_are_counted() {
    let (profile, mut statistics) = profile("a -> b e; b -> c e; c -> d e; d; e");
    let test = |value| Test { value, kind: TestKind::Integers, ..Test::default() };
    statistics.tests = profile.blocks().zip([7, 8, 7].map(test)).collect();
    let found = rows(&profile, &statistics);
    assert_eq!(found.iter().map(|row| of_branch(row, "same_tests_above")).collect::<Vec<_>>(), [0, 0, 1]);
    assert_eq!(of_branch(&found[1], "test"), TestKind::Integers as i32);
}

/// If a feature is a count, its maximum value is 1023. Therefore the features of large functions have the same range as
/// the features of small functions.
#[test]
fn counts_are_limited() {
    let (profile, mut statistics) = profile("a -> b c; b; c");
    statistics.blocks.values_mut().for_each(|block| block.stores = u32::MAX / 4);
    statistics.parameters = u32::MAX;
    let row = &rows(&profile, &statistics)[0];
    assert_eq!((of_branch(row, "stores"), of_branch(row, "parameters")), (1023, 1023));
    assert_eq!(of_successor(row, 0, "region_stores"), 1023);
}

/// C++ passes these numbers to Rust, as indices of the tables.
#[test]
fn each_table_is_in_the_order_of_the_numbers() {
    fn check<T: Copy>(all: &[T], number: impl Fn(T) -> u8) {
        assert!(all.iter().map(|&one| usize::from(number(one))).eq(0..all.len()));
    }
    check(&Returned::ALL, |returned| returned as u8);
    check(&Source::ALL, |source| source as u8);
    check(&TestKind::ALL, |kind| kind as u8);
}
