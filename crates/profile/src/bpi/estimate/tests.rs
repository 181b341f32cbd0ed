use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::super::naive;
use super::super::test_support::{draw, draw_nesting, pictures, Drawn};
use super::weight::{LOWEST, ZERO};
use super::{ColdReason, Weighed};
use crate::cfg::test_support::config;
use crate::dialect::Nesting;
use crate::facts::{BlockFacts, BlockProperties};
use crate::rules::Rule;
use crate::rules::RuleSet;

/// LLVM's weight of a cold block.
const COLD: u32 = 0xFFFF;

/// The weight of the block `name`.
fn block_weight(drawn: &Drawn, name: &str) -> Option<u32> {
    drawn.estimated.of(Weighed::Block(drawn.block(name)))
}

/// The weight of the cycle around the block `name`.
fn cycle_weight(drawn: &Drawn, name: &str) -> Option<u32> {
    drawn.estimated.of(Weighed::Cycle(drawn.cycles().of(drawn.block(name))))
}

fn of_properties(properties: &[BlockProperties]) -> Option<u32> {
    let mut facts = BlockFacts::default();
    properties.iter().for_each(|&mark| facts.properties.add(mark));
    ColdReason::of(&facts).map(|reason| reason.weight(RuleSet::llvm().estimates()))
}

/// The initial weights of a block: each property alone, and the lower weight of two.
#[test]
fn the_lowest_property_gives_the_initial_weight() {
    assert_eq!(of_properties(&[]), None);
    assert_eq!(of_properties(&[BlockProperties::NEVER_COMPLETES]), Some(ZERO));
    assert_eq!(of_properties(&[BlockProperties::EXCEPTION_PATH]), Some(LOWEST));
    assert_eq!(of_properties(&[BlockProperties::COLD_CALL]), Some(COLD));
    assert_eq!(of_properties(&[BlockProperties::COLD_CALL, BlockProperties::NEVER_COMPLETES]), Some(ZERO));
    assert_eq!(of_properties(&[BlockProperties::COLD_CALL, BlockProperties::EXCEPTION_PATH]), Some(LOWEST));
    assert_eq!(
        of_properties(&[BlockProperties::EXCEPTION_PATH, BlockProperties::NEVER_COMPLETES]),
        Some(ZERO)
    );
    assert_eq!(of_properties(&[BlockProperties::COMPARES_WITH_CONSTANT]), None);
}

/// A call of exit() and `unreachable`: such a block runs once. The call alone, in another block than `unreachable`, has
/// no effect.
#[test]
fn a_call_that_does_not_return_lifts_unreachable_to_the_lowest_weight() {
    assert_eq!(
        of_properties(&[BlockProperties::NEVER_COMPLETES, BlockProperties::NORETURN_CALL]),
        Some(LOWEST)
    );
    assert_eq!(of_properties(&[BlockProperties::NORETURN_CALL]), None);
    assert_eq!(of_properties(&[BlockProperties::NORETURN_CALL, BlockProperties::COLD_CALL]), Some(COLD));
}

/// Without a cold block nothing has a weight, loops included.
#[test]
fn without_an_initial_weight_there_is_none_at_all() {
    let drawn = draw("entry -> l; l -> l exit; exit");
    assert!(["entry", "l", "exit"].iter().all(|name| block_weight(&drawn, name).is_none()));
    assert_eq!(cycle_weight(&drawn, "l"), None);
}

/// A straight line: every block before the cold block runs as rarely. The block after it gets no weight.
#[test]
fn a_weight_spreads_up_a_straight_line() {
    let drawn = draw("entry -> a; a -> b; b: cold -> c; c");
    assert_eq!(
        ["entry", "a", "b", "c"].map(|name| block_weight(&drawn, name)),
        [Some(COLD), Some(COLD), Some(COLD), None]
    );
}

/// One cold arm: it does not post-dominate the entry, because there is another path. With the other arm unknown, the
/// entry has no weight.
#[test]
fn a_cold_arm_does_not_make_its_branch_cold() {
    let drawn = draw("entry -> a b; a: cold -> end; b -> end; end");
    assert_eq!(
        ["entry", "a", "b", "end"].map(|name| block_weight(&drawn, name)),
        [None, Some(COLD), None, None]
    );
}

/// The cold block after a diamond: its weight passes over the arms to the root of the class. The arms get the weight
/// too, because their only successor is cold.
#[test]
fn a_weight_climbs_over_a_diamond() {
    let drawn = draw("root -> a b; a -> end; b -> end; end: cold");
    for name in ["root", "a", "b", "end"] {
        assert_eq!(block_weight(&drawn, name), Some(COLD), "{name}");
    }
}

/// Both arms have a weight: the branch gets the higher one, and so does its predecessor.
#[test]
fn a_branch_is_as_heavy_as_its_heaviest_arm() {
    let drawn = draw("entry -> root; root -> a b; a: exception -> end; b: cold -> end; end");
    assert_eq!(block_weight(&drawn, "root"), Some(COLD));
    assert_eq!(block_weight(&drawn, "entry"), Some(COLD));
    let drawn = draw("entry -> root; root -> a b; a: unreachable; b: exception -> end; end");
    assert_eq!(block_weight(&drawn, "root"), Some(LOWEST));
    let drawn = draw("entry -> root; root -> a b; a: unreachable; b: unreachable");
    assert_eq!(block_weight(&drawn, "entry"), Some(ZERO));
}

/// A switch with two cases to the cold block and a default edge without a weight: the switch has no weight.
#[test]
fn every_edge_of_a_switch_counts() {
    let drawn = draw("s -> a a b; a: cold; b");
    assert_eq!(block_weight(&drawn, "s"), None);
    let drawn = draw("s -> a a b; a: cold; b: exception");
    assert_eq!(block_weight(&drawn, "s"), Some(COLD));
}

/// The first block is cold and leads to a block that never completes. Blocks are visited from the entry, so the weight
/// of the cold block comes first and stays.
#[test]
fn the_first_weight_to_arrive_stays() {
    let drawn = draw("first: cold -> last; last: unreachable");
    assert_eq!(["first", "last"].map(|name| block_weight(&drawn, name)), [Some(COLD), Some(ZERO)]);
}

/// The weight of last stops below middle, which already has a weight. That weight spreads to the entry.
#[test]
fn a_weight_stops_where_another_one_is() {
    let drawn = draw("entry -> middle; middle: exception -> low; low -> last; last: cold");
    let weights = ["entry", "middle", "low", "last"].map(|name| block_weight(&drawn, name));
    assert_eq!(weights, [Some(LOWEST), Some(LOWEST), Some(COLD), Some(COLD)]);
}

/// A cold block in a loop: the weight spreads up to the header, because every iteration runs the block, but not out of
/// the loop, where the number of executions differs.
#[test]
fn a_weight_stays_in_its_loop() {
    let drawn = draw("entry -> h; h -> body; body: cold -> h exit; exit");
    assert_eq!(["h", "body"].map(|name| block_weight(&drawn, name)), [Some(COLD); 2]);
    assert_eq!(["entry", "exit"].map(|name| block_weight(&drawn, name)), [None; 2]);
    // The loop has one exit, which has no weight.
    assert_eq!(cycle_weight(&drawn, "h"), None);
}

/// A loop before a cold block: its blocks are passed over, but the loop as a whole has the weight of its only exit, and
/// so does its predecessor.
#[test]
fn a_weight_climbs_over_a_loop_and_weighs_it() {
    let drawn = draw("entry -> h; h -> body exit; body -> h; exit: cold");
    assert_eq!(["entry", "exit"].map(|name| block_weight(&drawn, name)), [Some(COLD); 2]);
    assert_eq!(["h", "body"].map(|name| block_weight(&drawn, name)), [None; 2]);
    assert_eq!(cycle_weight(&drawn, "h"), Some(COLD));
}

/// A loop with two exits has the higher weight, and no weight if one exit has none.
#[test]
fn a_loop_is_as_heavy_as_its_heaviest_exit() {
    let both = "entry -> pre other; other; pre -> h; h -> body one; body -> h two; one: exception; two: cold";
    let drawn = draw(both);
    assert_eq!(cycle_weight(&drawn, "h"), Some(COLD));
    // Neither exit post-dominates the predecessor of the loop: its weight comes from the loop.
    assert_eq!(block_weight(&drawn, "pre"), Some(COLD));
    let drawn = draw(&both.replace("two: cold", "two"));
    assert_eq!(cycle_weight(&drawn, "h"), None);
    assert_eq!(block_weight(&drawn, "pre"), None);
}

/// No exit of the loop ever completes. The loop is still entered once.
#[test]
fn a_loop_without_a_living_exit_has_the_lowest_weight() {
    let drawn = draw("entry -> h other; h -> h exit; exit: unreachable; other");
    assert_eq!(cycle_weight(&drawn, "h"), Some(LOWEST));
    assert_eq!(block_weight(&drawn, "exit"), Some(ZERO));
}

/// An infinite loop has no exits and therefore no weight.
#[test]
fn an_infinite_loop_has_no_weight() {
    let drawn = draw("entry -> forever out; forever: cold -> forever; out: cold");
    assert_eq!(cycle_weight(&drawn, "forever"), None);
    assert_eq!(block_weight(&drawn, "forever"), Some(COLD));
    assert_eq!(block_weight(&drawn, "entry"), None);
}

/// Nested loops: the outer loop has the weight of its exit, the inner loop has the weight of the latch, which is its
/// exit, if the latch has one.
#[test]
fn weights_go_out_of_a_nest_level_by_level() {
    let drawn = draw("entry -> o; o -> i; i -> i latch; latch -> o exit; exit: cold");
    // The latch returns to o, which has no weight, so the inner loop's exit has no weight.
    assert_eq!((cycle_weight(&drawn, "o"), cycle_weight(&drawn, "i")), (Some(COLD), None));
    let drawn = draw("entry -> o; o -> i; i -> i latch; latch: exception -> o exit; exit: cold");
    assert_eq!((cycle_weight(&drawn, "o"), cycle_weight(&drawn, "i")), (Some(COLD), Some(LOWEST)));
    assert_eq!(["o", "latch"].map(|name| block_weight(&drawn, name)), [Some(LOWEST); 2]);
    assert_eq!(block_weight(&drawn, "entry"), Some(COLD));
}

/// One loop after the other: the exit of the first loop has the weight of the second loop.
#[test]
fn an_exit_into_another_loop_weighs_what_that_loop_does() {
    let drawn =
        draw("entry -> a side; side; a -> a a2; a2 -> a b; b -> b one; one: cold -> two; two: exception");
    assert_eq!((cycle_weight(&drawn, "b"), cycle_weight(&drawn, "a")), (Some(COLD), None));
    let drawn = draw("entry -> a side; side; a -> a b pre; pre -> b; b -> b end; end: cold");
    assert_eq!((cycle_weight(&drawn, "b"), block_weight(&drawn, "pre")), (Some(COLD), Some(COLD)));
    assert_eq!(cycle_weight(&drawn, "a"), Some(COLD));
}

/// end gives b a weight, and b would then give a its weight. But the walk up from end puts a above b on the stack of
/// pending cycles: a is evaluated first, has no weight, and is never evaluated again. LLVM does the same.
#[test]
fn loops_in_a_row_are_evaluated_once_from_the_first() {
    let drawn = draw("entry -> a side; side; a -> a b; b -> b end; end: cold");
    assert_eq!((cycle_weight(&drawn, "a"), cycle_weight(&drawn, "b")), (None, Some(COLD)));
}

/// An irreducible cycle with a cold exit gets a weight as a loop does.
#[test]
fn an_irreducible_cycle_has_the_weight_of_its_exits() {
    let drawn = draw("entry -> a b x; a -> b out; b -> a; out: cold; x");
    assert_eq!(cycle_weight(&drawn, "a"), Some(COLD));
    assert_eq!(cycle_weight(&drawn, "b"), Some(COLD));
    assert_eq!(["a", "b", "entry"].map(|name| block_weight(&drawn, name)), [None; 3]);
}

/// p leads only into the cycle {a, b}, whose exits are all cold. If the cycle were a natural loop, p would be cold. For
/// a component LLVM evaluates the entered blocks instead of their predecessors, and p gets no weight.
#[test]
fn predecessors_of_an_irreducible_cycle_get_no_weight() {
    let drawn = draw("entry -> p x; p -> a b; a -> b one; b -> a two; one: cold; two: cold; x");
    assert_eq!(cycle_weight(&drawn, "a"), Some(COLD));
    assert_eq!(block_weight(&drawn, "p"), None);
    let natural = draw("entry -> p x; p -> a; a -> b one; b -> a two; one: cold; two: cold; x");
    assert_eq!(cycle_weight(&natural, "a"), Some(COLD));
    assert_eq!(block_weight(&natural, "p"), Some(COLD));
}

/// n loops to itself inside the irreducible cycle {a, b, n}, and leaves both loops for a cold block. An edge from n to
/// b enters the irreducible cycle, because components are assumed not to nest: it has the weight of that cycle, so all
/// exits of n's loop have a weight. The weight spreads to a, whose only successor is n, and on to b.
#[test]
fn exits_of_a_loop_in_an_irreducible_cycle_are_exits_of_both() {
    let drawn = draw("entry -> a b; a -> n; n -> n b out; b -> a; out: cold");
    assert_eq!(cycle_weight(&drawn, "a"), Some(COLD));
    assert_eq!(cycle_weight(&drawn, "n"), Some(COLD));
    assert_eq!(["a", "b", "n"].map(|name| block_weight(&drawn, name)), [Some(COLD), Some(COLD), None]);
}

/// dead leads to the cold block, but is unreachable: it is not in the dominator tree and has no weight. The entry,
/// which the cold block post-dominates, gets a weight nevertheless.
#[test]
fn blocks_that_never_run_have_no_weight() {
    let drawn = draw("entry -> end; dead -> end; end: cold; dead_end: cold");
    assert_eq!(block_weight(&drawn, "entry"), Some(COLD));
    assert_eq!(["dead", "dead_end"].map(|name| block_weight(&drawn, name)), [None; 2]);
}

/// If no path returns, the post-dominator root that LLVM chooses decides: here b, where the walk entry, a, c, b ends.
/// So the weight of b spreads to a, and the weight of c does not, unless c is before b.
#[test]
fn in_an_infinite_loop_the_chosen_root_decides() {
    let drawn = draw("entry -> a; a -> b c; b: cold -> a; c -> a");
    assert_eq!(block_weight(&drawn, "a"), Some(COLD), "b is the root");
    let drawn = draw("entry -> a; a -> b c; c: cold -> a; b -> a");
    assert_eq!(block_weight(&drawn, "a"), Some(COLD), "c is the root, by its place");
    let drawn = draw("entry -> a; a -> b c; b -> a; c: cold -> a");
    assert_eq!(block_weight(&drawn, "a"), None, "c is not");
}

/// h leads to the cold latch and to out, which becomes cold as well. Pending blocks are a stack: if out is the first
/// successor, the walk visits the latch earlier, h is below out on the stack, and is evaluated when out has a weight.
/// In the other order h is evaluated too early, and never again. LLVM does the same.
#[test]
fn pending_blocks_are_a_stack() {
    let picture = |ways: &str| {
        format!(
            "entry -> g; g -> h x; x -> g end; h -> {ways}; latch: cold -> g;
             out -> a b; a: cold; b: cold; end"
        )
    };
    let drawn = draw(&picture("out latch"));
    assert_eq!((block_weight(&drawn, "h"), drawn.weights("g")), (Some(COLD), &[65_535, 1_048_575][..]));
    let drawn = draw(&picture("latch out"));
    assert_eq!((block_weight(&drawn, "h"), drawn.rule("g")), (None, Rule::Even));
}

/// The targets of a switch get weights one by one in the order of its edges. After each, the number of edges without a
/// weight must be known without a scan of all edges: scans would visit eight hundred million edges and take most of a
/// minute.
#[test]
#[cfg_attr(miri, ignore = "too large to be interpreted")]
fn a_wide_switch_is_scanned_once() {
    let cases = 40_000;
    let names: Vec<String> = (0..cases).map(|case| format!("c{case}")).collect();
    let lines: Vec<String> = names.iter().map(|name| format!("{name} -> d e")).collect();
    let last_first: Vec<&str> = names.iter().rev().map(String::as_str).collect();
    let picture = format!("s -> {}; {}; d: cold; e: cold", last_first.join(" "), lines.join("; "));
    let start = Instant::now();
    assert_eq!(block_weight(&draw(&picture), "s"), Some(COLD));
    assert!(start.elapsed() < Duration::from_secs(10), "took {:?}", start.elapsed());
}

/// Many loops in a row contain a cold call each, and the way up from each passes all loops before it. Evaluating all of
/// them each time would take half a minute.
#[test]
#[cfg_attr(miri, ignore = "too large to be interpreted")]
fn passed_loops_are_evaluated_once() {
    let loops = 20_000;
    let line = |i: usize| format!("l{i}: cold -> l{i} l{}; ", i + 1);
    let picture = format!("entry -> l0; {} l{loops}", (0..loops).map(line).collect::<String>());
    let start = Instant::now();
    let drawn = draw(&picture);
    assert_eq!((block_weight(&drawn, "l0"), cycle_weight(&drawn, "l0")), (Some(COLD), None));
    assert!(start.elapsed() < Duration::from_secs(10), "took {:?}", start.elapsed());
}

proptest! {
    #![proptest_config(config())]

    /// The implementation remembers what it has evaluated and uses shortcuts; the naive definition does not.
    #[test]
    fn weights_match_the_naive_definition(picture in pictures(), all_cycles in any::<bool>()) {
        let nesting = if all_cycles { Nesting::Cycles } else { Nesting::LoopsAndComponents };
        let drawn = draw_nesting(&picture, nesting);
        let expected = naive::Estimated::of(&drawn.function);
        for block in drawn.function.graph.blocks() {
            let own = expected.blocks.get(&block).copied();
            prop_assert_eq!(drawn.estimated.of(Weighed::Block(block)), own, "{}", block);
            let around = expected.weighed.get(expected.cycle_of(block)).copied();
            prop_assert_eq!(drawn.estimated.of(Weighed::Cycle(drawn.cycles().of(block))), around, "around {}", block);
        }
    }

    /// All weights are initial weights: sums or quotients are never stored.
    #[test]
    fn weights_are_initial_weights(picture in pictures()) {
        let drawn = draw(&picture);
        for block in drawn.function.graph.blocks() {
            let weight = drawn.estimated.of(Weighed::Block(block));
            prop_assert!(weight.is_none_or(|weight| [ZERO, LOWEST, COLD].contains(&weight)));
            let weight = drawn.estimated.of(Weighed::Cycle(drawn.cycles().of(block)));
            prop_assert!(weight.is_none_or(|weight| [LOWEST, COLD].contains(&weight)));
        }
    }
}
