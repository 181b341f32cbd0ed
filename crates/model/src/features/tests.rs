//! Tests of the features of branches, on generated functions.

use super::*;
use bpa_profile::bpi::test_support::draw;
use bpa_profile::dialect::Dialect;
use bpa_profile::profile::Profile;

/// The feature `name` of a row.
fn of_branch(row: &BranchFeatures, name: &str) -> i32 {
    row.values[BRANCH_NAMES.iter().position(|&known| known == name).expect("a feature of branches")]
}

fn of_side(row: &BranchFeatures, side: usize, name: &str) -> i32 {
    row.sides[side].values[SIDE_NAMES.iter().position(|&known| known == name).expect("a feature of sides")]
}

/// The profile of the function `picture`, and statistics with default values for its blocks and edges.
fn profile(picture: &str) -> (Profile, FunctionContents) {
    let profile = Profile::new(draw(picture).function, Dialect::named("16").expect("supported"));
    let graph = profile.graph();
    let contents = FunctionContents {
        blocks: graph
            .blocks()
            .map(|_| BlockContents { instructions: 1, ..BlockContents::default() })
            .collect(),
        edges: vec![EdgeContents::default(); graph.edge_count()],
        ..FunctionContents::default()
    };
    (profile, contents)
}

fn rows(profile: &Profile, contents: &FunctionContents) -> Vec<BranchFeatures> {
    View::new(profile, contents).branches().collect()
}

#[test]
fn names_are_unique() {
    for names in [&BRANCH_NAMES[..], &SIDE_NAMES[..], &SELECT_NAMES[..], &VALUE_NAMES[..]] {
        let mut sorted = names.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), names.len());
    }
}

#[test]
fn only_branches_with_a_choice_have_a_row() {
    let (profile, contents) = profile("a -> b c; b -> c; c -> d d; d; lost -> a b");
    let rows = rows(&profile, &contents);
    assert_eq!(rows.iter().map(|row| row.block.as_u32()).collect::<Vec<_>>(), [0]);
}

/// Block `a` enters the loop of `h` and `b`, and `h` leaves the loop.
#[test]
fn loops_are_counted() {
    let (profile, contents) = profile("a -> h x; h -> b x; b -> h i; i -> i h; x");
    let rows = rows(&profile, &contents);
    let [a, h, b, i] = &rows[..] else { panic!("four branches") };
    assert_eq!([a, h, b, i].map(|row| of_branch(row, "depth")), [0, 1, 1, 2]);
    assert_eq!([a, h, b, i].map(|row| of_branch(row, "is_header")), [0, 1, 0, 1]);
    assert_eq!([a, h, b, i].map(|row| of_branch(row, "loop_blocks")), [0, 3, 3, 1]);
    assert_eq!([a, h, b, i].map(|row| of_branch(row, "loop_exits")), [0, 1, 1, 1]);
    let sides = |name| [a, h, b, i].map(|row| [0, 1].map(|side| of_side(row, side, name)));
    assert_eq!(sides("enters"), [[1, 0], [0, 0], [0, 1], [0, 0]]);
    assert_eq!(sides("leaves"), [[0, 0], [0, 1], [0, 0], [0, 1]]);
    assert_eq!(sides("goes_back"), [[0, 0], [0, 0], [1, 0], [1, 1]]);
    assert_eq!(sides("post_dominates"), [[0, 1], [0, 1], [1, 0], [1, 1]]);
}

/// In a diamond, each successor has a region of its own, and the end belongs to neither region.
#[test]
fn statistics_of_exclusive_regions_are_added_up() {
    let (profile, mut contents) = profile("a -> b c; b -> d e; d -> f; e -> f; c -> f; f");
    for (number, block) in contents.blocks.values_mut().enumerate() {
        block.calls = 1 << number; // a b d e c f
    }
    let found = rows(&profile, &contents);
    assert_eq!([0, 1].map(|side| of_side(&found[0], side, "region_blocks")), [3, 1]);
    assert_eq!([0, 1].map(|side| of_side(&found[0], side, "calls")), [2, 16]);
    let whole: i32 = (0..6).map(|number| 1 << number).sum();
    let regions = [0, 1].map(|side| of_side(&found[0], side, "region_calls"));
    assert_eq!(of_branch(&found[0], "function_calls"), whole);
    assert_eq!(regions.iter().sum::<i32>() + 1 + 32, whole);
}

/// The returned value is found behind jumps. If it depends on the edge to the returning block, the edge's value is
/// used.
#[test]
fn returns_are_found_behind_jumps() {
    let (profile, mut contents) = profile("a -> b c; b -> d; c -> d; d");
    let d = profile.blocks().next_back().expect("blocks");
    contents.blocks[d].returned = Returned::Merged;
    contents.edges[2].returned = Returned::Negative; // b to d
    let row = &rows(&profile, &contents)[0];
    assert_eq!(
        [0, 1].map(|side| of_side(row, side, "returned")),
        [Returned::Negative as i32, Returned::Merged as i32]
    );
}

/// The estimate of an edge also covers a target that only leads to blocks that never complete.
#[test]
fn estimates_are_those_of_edges() {
    let (profile, contents) = profile("a -> b c; b -> d; c -> e; d: unreachable; e");
    let row = &rows(&profile, &contents)[0];
    assert_eq!([0, 1].map(|side| of_side(row, side, "estimate")), [1, 0]);
    assert_eq!([0, 1].map(|side| of_side(row, side, "never_completes")), [0, 0]);
}

/// A switch has one row for each successor block, including the default.
#[test]
fn cases_with_one_target_are_one_successor() {
    let (profile, contents) = profile("a -> x y x z; x; y; z");
    let row = &rows(&profile, &contents)[0];
    assert_eq!(row.sides.iter().map(|side| side.target.as_u32()).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!([0, 1, 2].map(|side| of_side(row, side, "edges")), [2, 1, 1]);
    assert_eq!([0, 1, 2].map(|side| of_side(row, side, "is_default")), [1, 0, 0]);
    assert_eq!([0, 1, 2].map(|side| of_side(row, side, "answer")), [512, 256, 256]);
}

#[test]
fn dominators_that_test_the_same_value_are_counted() {
    let (profile, mut contents) = profile("a -> b e; b -> c e; c -> d e; d; e");
    let test = |value| Test { value, kind: TestKind::Integers, ..Test::default() };
    contents.tests = profile.blocks().zip([7, 8, 7].map(test)).collect();
    let found = rows(&profile, &contents);
    assert_eq!(found.iter().map(|row| of_branch(row, "same_tests_above")).collect::<Vec<_>>(), [0, 0, 1]);
    assert_eq!(of_branch(&found[1], "test"), TestKind::Integers as i32);
}

/// Counts are limited to 1023, so the features of every function are in the same range.
#[test]
fn counts_are_limited() {
    let (profile, mut contents) = profile("a -> b c; b; c");
    contents.blocks.values_mut().for_each(|block| block.stores = u32::MAX / 4);
    contents.parameters = u32::MAX;
    let row = &rows(&profile, &contents)[0];
    assert_eq!((of_branch(row, "stores"), of_branch(row, "parameters")), (1023, 1023));
    assert_eq!(of_side(row, 0, "region_stores"), 1023);
}
