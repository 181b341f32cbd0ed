use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::super::naive;
use super::super::test_support::{draw, draw_nesting, pictures, Drawn};
use super::weight::{LOWEST, ZERO};
use super::{ColdReason, Weighed};
use crate::cfg::test_support::config;
use crate::dialect::Nesting;
use crate::facts::{BlockFacts, Marks};
use crate::rules::Rule;
use crate::rules::RuleSet;

/// What LLVM has a cold block weigh.
const COLD: u32 = 0xFFFF;

/// The weight of the block `name`.
fn block_weight(drawn: &Drawn, name: &str) -> Option<u32> {
    drawn.estimated.of(Weighed::Block(drawn.block(name)))
}

/// The weight of the cycle around the block `name`.
fn cycle_weight(drawn: &Drawn, name: &str) -> Option<u32> {
    drawn.estimated.of(Weighed::Cycle(drawn.cycles().of(drawn.block(name))))
}

fn of_marks(marks: &[Marks]) -> Option<u32> {
    let mut facts = BlockFacts::default();
    marks.iter().for_each(|&mark| facts.marks.add(mark));
    ColdReason::of(&facts).map(|reason| reason.weight(RuleSet::llvm().estimates()))
}

/// A block's own reasons for a weight: each alone, and the lower one wins of two.
#[test]
fn the_lowest_reason_gives_the_initial_weight() {
    assert_eq!(of_marks(&[]), None);
    assert_eq!(of_marks(&[Marks::NEVER_COMPLETES]), Some(ZERO));
    assert_eq!(of_marks(&[Marks::EXCEPTION_PATH]), Some(LOWEST));
    assert_eq!(of_marks(&[Marks::COLD_CALL]), Some(COLD));
    assert_eq!(of_marks(&[Marks::COLD_CALL, Marks::NEVER_COMPLETES]), Some(ZERO));
    assert_eq!(of_marks(&[Marks::COLD_CALL, Marks::EXCEPTION_PATH]), Some(LOWEST));
    assert_eq!(of_marks(&[Marks::EXCEPTION_PATH, Marks::NEVER_COMPLETES]), Some(ZERO));
    assert_eq!(of_marks(&[Marks::COMPARES_WITH_CONSTANT]), None);
}

/// exit() and then `unreachable`: such a path runs, once. The call alone, with something after it in another
/// block, says nothing.
#[test]
fn a_call_that_does_not_return_lifts_unreachable_to_the_lowest_weight() {
    assert_eq!(of_marks(&[Marks::NEVER_COMPLETES, Marks::NORETURN_CALL]), Some(LOWEST));
    assert_eq!(of_marks(&[Marks::NORETURN_CALL]), None);
    assert_eq!(of_marks(&[Marks::NORETURN_CALL, Marks::COLD_CALL]), Some(COLD));
}

/// Nothing cold anywhere: nothing has a weight, loops included.
#[test]
fn without_an_initial_weight_there_is_none_at_all() {
    let drawn = draw("entry -> l; l -> l exit; exit");
    assert!(["entry", "l", "exit"].iter().all(|name| block_weight(&drawn, name).is_none()));
    assert_eq!(cycle_weight(&drawn, "l"), None);
}

/// A straight line: whatever leads to the cold block runs as rarely. What follows it may be reached by a call
/// that comes back, and gets nothing.
#[test]
fn a_weight_holds_for_all_that_leads_straight_to_it() {
    let drawn = draw("entry -> a; a -> b; b: cold -> c; c");
    assert_eq!(
        ["entry", "a", "b", "c"].map(|name| block_weight(&drawn, name)),
        [Some(COLD), Some(COLD), Some(COLD), None]
    );
}

/// One cold arm: it does not post-dominate the entry, since there is another way. The other arm is not cold
/// either, and with one arm unknown the entry stays so.
#[test]
fn a_cold_arm_does_not_make_its_branch_cold() {
    let drawn = draw("entry -> a b; a: cold -> end; b -> end; end");
    assert_eq!(
        ["entry", "a", "b", "end"].map(|name| block_weight(&drawn, name)),
        [None, Some(COLD), None, None]
    );
}

/// The cold block behind a diamond: the weight passes over the arms to the root. The arms get it then as well,
/// because all that they lead to is cold.
#[test]
fn a_weight_climbs_over_a_diamond() {
    let drawn = draw("root -> a b; a -> end; b -> end; end: cold");
    for name in ["root", "a", "b", "end"] {
        assert_eq!(block_weight(&drawn, name), Some(COLD), "{name}");
    }
}

/// Both arms have a weight: the branch gets the higher one, and so does the way to the branch.
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

/// A switch with two cases to the cold block and one elsewhere: each edge is looked at, the last one has no
/// weight, and nor has the switch.
#[test]
fn every_edge_of_a_switch_counts() {
    let drawn = draw("s -> a a b; a: cold; b");
    assert_eq!(block_weight(&drawn, "s"), None);
    let drawn = draw("s -> a a b; a: cold; b: exception");
    assert_eq!(block_weight(&drawn, "s"), Some(COLD));
}

/// first is cold and leads to a block that never completes. Blocks are taken from the entry on, so cold comes
/// first, and stays.
#[test]
fn the_first_weight_to_arrive_stays() {
    let drawn = draw("first: cold -> last; last: unreachable");
    assert_eq!(["first", "last"].map(|name| block_weight(&drawn, name)), [Some(COLD), Some(ZERO)]);
}

/// The weight of last stops below middle, which has one of its own. The entry got that one.
#[test]
fn a_weight_stops_where_another_one_is() {
    let drawn = draw("entry -> middle; middle: exception -> low; low -> last; last: cold");
    let weights = ["entry", "middle", "low", "last"].map(|name| block_weight(&drawn, name));
    assert_eq!(weights, [Some(LOWEST), Some(LOWEST), Some(COLD), Some(COLD)]);
}

/// A cold block in a loop is as cold as its own loop goes: the weight climbs to the header, whose every turn
/// passes the block, but not out of the loop, where things happen another number of times.
#[test]
fn a_weight_stays_in_its_loop() {
    let drawn = draw("entry -> h; h -> body; body: cold -> h exit; exit");
    assert_eq!(["h", "body"].map(|name| block_weight(&drawn, name)), [Some(COLD); 2]);
    assert_eq!(["entry", "exit"].map(|name| block_weight(&drawn, name)), [None; 2]);
    // One exit, and nothing is known of it.
    assert_eq!(cycle_weight(&drawn, "h"), None);
}

/// A loop on the way to a cold block: its blocks are passed over, but the loop as a whole is as cold as its
/// only exit, and the way to it is too.
#[test]
fn a_weight_climbs_over_a_loop_and_weighs_it() {
    let drawn = draw("entry -> h; h -> body exit; body -> h; exit: cold");
    assert_eq!(["entry", "exit"].map(|name| block_weight(&drawn, name)), [Some(COLD); 2]);
    assert_eq!(["h", "body"].map(|name| block_weight(&drawn, name)), [None; 2]);
    assert_eq!(cycle_weight(&drawn, "h"), Some(COLD));
}

/// Two exits of a loop: it is as heavy as the heavier one, and unknown if one of them is.
#[test]
fn a_loop_is_as_heavy_as_its_heaviest_exit() {
    let both = "entry -> pre other; other; pre -> h; h -> body one; body -> h two; one: exception; two: cold";
    let drawn = draw(both);
    assert_eq!(cycle_weight(&drawn, "h"), Some(COLD));
    // Neither exit post-dominates the block in front of the loop: it has its weight from the loop itself.
    assert_eq!(block_weight(&drawn, "pre"), Some(COLD));
    let drawn = draw(&both.replace("two: cold", "two"));
    assert_eq!(cycle_weight(&drawn, "h"), None);
    assert_eq!(block_weight(&drawn, "pre"), None);
}

/// All that leaves the loop never completes. Then the loop is never left, but it is entered, once.
#[test]
fn a_loop_without_a_living_exit_has_the_lowest_weight() {
    let drawn = draw("entry -> h other; h -> h exit; exit: unreachable; other");
    assert_eq!(cycle_weight(&drawn, "h"), Some(LOWEST));
    assert_eq!(block_weight(&drawn, "exit"), Some(ZERO));
}

/// An infinite loop has no exits, so no exit of it says anything.
#[test]
fn an_infinite_loop_has_no_weight() {
    let drawn = draw("entry -> forever out; forever: cold -> forever; out: cold");
    assert_eq!(cycle_weight(&drawn, "forever"), None);
    assert_eq!(block_weight(&drawn, "forever"), Some(COLD));
    assert_eq!(block_weight(&drawn, "entry"), None);
}

/// Two loops, one in the other: the outer one has the weight of the exit, the inner one that of the latch,
/// which is where it leads, if the latch has one.
#[test]
fn weights_go_out_of_a_nest_level_by_level() {
    let drawn = draw("entry -> o; o -> i; i -> i latch; latch -> o exit; exit: cold");
    // The latch turns back to o, of which nothing is known: the inner loop's exit has no weight.
    assert_eq!((cycle_weight(&drawn, "o"), cycle_weight(&drawn, "i")), (Some(COLD), None));
    let drawn = draw("entry -> o; o -> i; i -> i latch; latch: exception -> o exit; exit: cold");
    assert_eq!((cycle_weight(&drawn, "o"), cycle_weight(&drawn, "i")), (Some(COLD), Some(LOWEST)));
    assert_eq!(["o", "latch"].map(|name| block_weight(&drawn, name)), [Some(LOWEST); 2]);
    assert_eq!(block_weight(&drawn, "entry"), Some(COLD));
}

/// One loop after the other: leaving the first for the second weighs what the second does.
#[test]
fn an_exit_into_another_loop_weighs_what_that_loop_does() {
    let drawn =
        draw("entry -> a side; side; a -> a a2; a2 -> a b; b -> b one; one: cold -> two; two: exception");
    assert_eq!((cycle_weight(&drawn, "b"), cycle_weight(&drawn, "a")), (Some(COLD), None));
    let drawn = draw("entry -> a side; side; a -> a b pre; pre -> b; b -> b end; end: cold");
    assert_eq!((cycle_weight(&drawn, "b"), block_weight(&drawn, "pre")), (Some(COLD), Some(COLD)));
    assert_eq!(cycle_weight(&drawn, "a"), Some(COLD));
}

/// The end weighs b, and b would then weigh a. But the walk up from the end puts a on root of b in the list of
/// work: a is looked at first, found without a weight, and never again. So it is in LLVM.
#[test]
fn loops_in_a_row_are_looked_at_once_and_from_the_first() {
    let drawn = draw("entry -> a side; side; a -> a b; b -> b end; end: cold");
    assert_eq!((cycle_weight(&drawn, "a"), cycle_weight(&drawn, "b")), (None, Some(COLD)));
}

/// A cycle with two ways in, and a cold way out: weighed as a loop is.
#[test]
fn an_irreducible_cycle_has_the_weight_of_its_exits() {
    let drawn = draw("entry -> a b x; a -> b out; b -> a; out: cold; x");
    assert_eq!(cycle_weight(&drawn, "a"), Some(COLD));
    assert_eq!(cycle_weight(&drawn, "b"), Some(COLD));
    assert_eq!(["a", "b", "entry"].map(|name| block_weight(&drawn, name)), [None; 3]);
}

/// p leads nowhere but into the cycle {a, b}, all of whose exits are cold. With a natural loop that would
/// make p cold; LLVM looks at the blocks entered rather than at those that enter, and p gets nothing.
#[test]
fn the_way_to_an_irreducible_cycle_gets_no_weight() {
    let drawn = draw("entry -> p x; p -> a b; a -> b one; b -> a two; one: cold; two: cold; x");
    assert_eq!(cycle_weight(&drawn, "a"), Some(COLD));
    assert_eq!(block_weight(&drawn, "p"), None);
    let natural = draw("entry -> p x; p -> a; a -> b one; b -> a two; one: cold; two: cold; x");
    assert_eq!(cycle_weight(&natural, "a"), Some(COLD));
    assert_eq!(block_weight(&natural, "p"), Some(COLD));
}

/// n turns to itself inside the irreducible cycle {a, b, n}, and leaves both for a cold block. Going from n
/// to b counts as entering the irreducible cycle, as components are taken not to nest: it weighs what that
/// does, and so n has a weight on all its exits as well. That goes back to a, which leads to n alone, and on
/// to b.
#[test]
fn exits_of_a_loop_in_an_irreducible_cycle_are_exits_of_both() {
    let drawn = draw("entry -> a b; a -> n; n -> n b out; b -> a; out: cold");
    assert_eq!(cycle_weight(&drawn, "a"), Some(COLD));
    assert_eq!(cycle_weight(&drawn, "n"), Some(COLD));
    assert_eq!(["a", "b", "n"].map(|name| block_weight(&drawn, name)), [Some(COLD), Some(COLD), None]);
}

/// dead leads to the cold block, but never runs: no dominator tree, no weight. Nor does it keep the entry,
/// which is post-dominated by the cold block, from having one.
#[test]
fn blocks_that_never_run_have_no_weight() {
    let drawn = draw("entry -> end; dead -> end; end: cold; dead_end: cold");
    assert_eq!(block_weight(&drawn, "entry"), Some(COLD));
    assert_eq!(["dead", "dead_end"].map(|name| block_weight(&drawn, name)), [None; 2]);
}

/// Without a way to return the root that LLVM chooses decides what is inevitable: b, where the walk entry, a,
/// c, b ends. So the weight of b climbs to a, and that of c does not, unless c stands before b.
#[test]
fn in_an_infinite_loop_the_chosen_root_decides() {
    let drawn = draw("entry -> a; a -> b c; b: cold -> a; c -> a");
    assert_eq!(block_weight(&drawn, "a"), Some(COLD), "b is the root");
    let drawn = draw("entry -> a; a -> b c; c: cold -> a; b -> a");
    assert_eq!(block_weight(&drawn, "a"), Some(COLD), "c is the root, by its place");
    let drawn = draw("entry -> a; a -> b c; b -> a; c: cold -> a");
    assert_eq!(block_weight(&drawn, "a"), None, "c is not");
}

/// h leads to the cold latch and out of the loop, where it turns out to be cold as well. Work is a stack: if
/// out is named first, the walk meets the latch earlier, h lies under out, and is looked at when out has a
/// weight. The other way round h is looked at too early, and never again. So it is in LLVM.
#[test]
fn work_that_came_last_is_done_first() {
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

/// The targets of a switch become known one by one in the order of its edges, and each time it is scanned for
/// one that is not. The scan goes on where it stopped; from the start each time, that would be eight hundred
/// million edges, and the best part of a minute instead of a moment.
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

/// From each of many loops in a row that call something cold, the way up passes all before it. Looking at each of
/// them each time would take half a minute.
#[test]
#[cfg_attr(miri, ignore = "too large to be interpreted")]
fn loops_that_were_passed_in_vain_are_not_looked_at_again() {
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

    /// The real thing remembers how far it looked and takes short ways; the naive one does not.
    #[test]
    fn weights_are_those_found_without_short_cuts(picture in pictures(), all_cycles in any::<bool>()) {
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

    /// Weights come from the four initial ones alone: a sum or a quotient is never stored.
    #[test]
    fn weights_are_only_passed_on(picture in pictures()) {
        let drawn = draw(&picture);
        for block in drawn.function.graph.blocks() {
            let weight = drawn.estimated.of(Weighed::Block(block));
            prop_assert!(weight.is_none_or(|weight| [ZERO, LOWEST, COLD].contains(&weight)));
            let weight = drawn.estimated.of(Weighed::Cycle(drawn.cycles().of(block)));
            prop_assert!(weight.is_none_or(|weight| [LOWEST, COLD].contains(&weight)));
        }
    }
}
