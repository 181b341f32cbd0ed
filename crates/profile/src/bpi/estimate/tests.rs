use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::super::naive;
use super::super::test_support::{parse_function, parse_with_nesting, pictures, ParsedFunction};
use super::weight::{LOWEST, ZERO};
use super::{cold_reason, initial_weight, Weighed};
use crate::cfg::test_support::config;
use crate::dialect::Nesting;
use crate::facts::{BlockFacts, BlockProperties};
use crate::rules::{Rule, RuleSet};

/// LLVM's weight for a block with a cold call.
const COLD: u32 = 0xFFFF;

/// The weight of the block `name`.
fn block_weight(parsed: &ParsedFunction, name: &str) -> Option<u32> {
    parsed.estimated.of(Weighed::Block(parsed.block(name)))
}

/// The weight of the cycle around the block `name`.
fn cycle_weight(parsed: &ParsedFunction, name: &str) -> Option<u32> {
    parsed.estimated.of(Weighed::Cycle(parsed.cycles().of(parsed.block(name))))
}

fn of_properties(properties: &[BlockProperties]) -> Option<u32> {
    let mut facts = BlockFacts::default();
    properties.iter().for_each(|&property| facts.properties.add(property));
    cold_reason(&facts).map(|reason| initial_weight(reason, RuleSet::llvm().estimates()))
}

/// The initial weights of blocks with one property and with two properties. If a block has two properties, its weight
/// is the lower of the two properties' weights.
#[test]
fn a_block_has_the_lowest_weight_of_its_properties() {
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

/// A block that calls `exit` and ends in `unreachable` can run once, so its weight is above 0. If the block with the
/// call does not end in `unreachable`, the call has no effect on the weight.
#[test]
fn a_call_that_does_not_return_raises_unreachable_to_the_lowest_weight() {
    assert_eq!(
        of_properties(&[BlockProperties::NEVER_COMPLETES, BlockProperties::NORETURN_CALL]),
        Some(LOWEST)
    );
    assert_eq!(of_properties(&[BlockProperties::NORETURN_CALL]), None);
    assert_eq!(of_properties(&[BlockProperties::NORETURN_CALL, BlockProperties::COLD_CALL]), Some(COLD));
}

/// Without a cold block, no block or loop has a weight.
#[test]
fn without_an_initial_weight_nothing_has_a_weight() {
    let parsed = parse_function("entry -> l; l -> l exit; exit");
    assert!(["entry", "l", "exit"].iter().all(|name| block_weight(&parsed, name).is_none()));
    assert_eq!(cycle_weight(&parsed, "l"), None);
}

/// In straight-line code, every block before the cold block gets the same weight. The block after the cold block gets
/// no weight.
#[test]
fn a_weight_spreads_up_straight_line_code() {
    let parsed = parse_function("entry -> a; a -> b; b: cold -> c; c");
    assert_eq!(
        ["entry", "a", "b", "c"].map(|name| block_weight(&parsed, name)),
        [Some(COLD), Some(COLD), Some(COLD), None]
    );
}

/// The cold block `a` does not post-dominate the entry, because a path leads through `b`. Block `b` has no weight, so
/// the entry has no weight.
#[test]
fn a_cold_arm_does_not_make_its_branch_cold() {
    let parsed = parse_function("entry -> a b; a: cold -> end; b -> end; end");
    assert_eq!(
        ["entry", "a", "b", "end"].map(|name| block_weight(&parsed, name)),
        [None, Some(COLD), None, None]
    );
}

/// The block after an if-else (`end`) is cold. The equivalence class of `end` has the root `root`, so `root` gets the
/// weight of `end`.
/// The blocks `a` and `b` also get this weight, because their only successor is cold.
#[test]
fn a_weight_spreads_over_a_diamond() {
    let parsed = parse_function("root -> a b; a -> end; b -> end; end: cold");
    for name in ["root", "a", "b", "end"] {
        assert_eq!(block_weight(&parsed, name), Some(COLD), "weight of {name}");
    }
}

/// If both successors of `root` have a weight, `root` and its predecessor get the higher weight.
#[test]
fn a_branch_gets_the_highest_weight_of_its_arms() {
    let parsed = parse_function("entry -> root; root -> a b; a: exception -> end; b: cold -> end; end");
    assert_eq!(block_weight(&parsed, "root"), Some(COLD));
    assert_eq!(block_weight(&parsed, "entry"), Some(COLD));
    let parsed = parse_function("entry -> root; root -> a b; a: unreachable; b: exception -> end; end");
    assert_eq!(block_weight(&parsed, "root"), Some(LOWEST));
    let parsed = parse_function("entry -> root; root -> a b; a: unreachable; b: unreachable");
    assert_eq!(block_weight(&parsed, "entry"), Some(ZERO));
}

/// Two cases of the switch lead to the cold block, and the default edge has no weight. The switch therefore has no
/// weight.
#[test]
fn a_switch_has_a_weight_only_if_all_its_edges_have_weights() {
    let parsed = parse_function("s -> a a b; a: cold; b");
    assert_eq!(block_weight(&parsed, "s"), None);
    let parsed = parse_function("s -> a a b; a: cold; b: exception");
    assert_eq!(block_weight(&parsed, "s"), Some(COLD));
}

/// The first block is cold, and its successor never completes. Blocks are visited from the entry. The weight of the
/// cold block is therefore assigned first, and is final.
#[test]
fn the_first_weight_is_final() {
    let parsed = parse_function("first: cold -> last; last: unreachable");
    assert_eq!(["first", "last"].map(|name| block_weight(&parsed, name)), [Some(COLD), Some(ZERO)]);
}

/// The weight of block `last` is propagated to `low`, but not to `middle`, which already has a weight. The weight of
/// `middle` is propagated to the entry.
#[test]
fn a_weight_stops_at_a_block_with_a_weight() {
    let parsed = parse_function("entry -> middle; middle: exception -> low; low -> last; last: cold");
    let weights = ["entry", "middle", "low", "last"].map(|name| block_weight(&parsed, name));
    assert_eq!(weights, [Some(LOWEST), Some(LOWEST), Some(COLD), Some(COLD)]);
}

/// A block in a loop is cold. The header of the loop gets the weight of the block, because every iteration runs the
/// block. Blocks outside the loop do not get this weight, because these blocks run less often.
#[test]
fn a_weight_stays_in_its_loop() {
    let parsed = parse_function("entry -> h; h -> body; body: cold -> h exit; exit");
    assert_eq!(["h", "body"].map(|name| block_weight(&parsed, name)), [Some(COLD); 2]);
    assert_eq!(["entry", "exit"].map(|name| block_weight(&parsed, name)), [None; 2]);
    // The loop has one exit, which has no weight.
    assert_eq!(cycle_weight(&parsed, "h"), None);
}

/// A cold block follows a loop. The blocks of the loop do not get the weight of the cold block. The loop and the
/// predecessor of the loop get the weight of the loop's only exit.
#[test]
fn a_weight_spreads_over_a_loop_and_to_the_loop() {
    let parsed = parse_function("entry -> h; h -> body exit; body -> h; exit: cold");
    assert_eq!(["entry", "exit"].map(|name| block_weight(&parsed, name)), [Some(COLD); 2]);
    assert_eq!(["h", "body"].map(|name| block_weight(&parsed, name)), [None; 2]);
    assert_eq!(cycle_weight(&parsed, "h"), Some(COLD));
}

/// A loop with two exits gets the higher of the two exits' weights. If one exit has no weight, the loop has no weight.
#[test]
fn a_loop_gets_the_highest_weight_of_its_exits() {
    let both = "entry -> pre other; other; pre -> h; h -> body one; body -> h two; one: exception; two: cold";
    let parsed = parse_function(both);
    assert_eq!(cycle_weight(&parsed, "h"), Some(COLD));
    // No exit of the loop post-dominates the block `pre`, so `pre` gets the weight of the loop.
    assert_eq!(block_weight(&parsed, "pre"), Some(COLD));
    let parsed = parse_function(&both.replace("two: cold", "two"));
    assert_eq!(cycle_weight(&parsed, "h"), None);
    assert_eq!(block_weight(&parsed, "pre"), None);
}

/// The loop exits only to a block that never completes. The loop can be entered once, so its weight is above 0.
#[test]
fn a_loop_whose_exits_never_complete_has_the_lowest_weight() {
    let parsed = parse_function("entry -> h other; h -> h exit; exit: unreachable; other");
    assert_eq!(cycle_weight(&parsed, "h"), Some(LOWEST));
    assert_eq!(block_weight(&parsed, "exit"), Some(ZERO));
}

/// An infinite loop has no exits and therefore no weight.
#[test]
fn an_infinite_loop_has_no_weight() {
    let parsed = parse_function("entry -> forever out; forever: cold -> forever; out: cold");
    assert_eq!(cycle_weight(&parsed, "forever"), None);
    assert_eq!(block_weight(&parsed, "forever"), Some(COLD));
    assert_eq!(block_weight(&parsed, "entry"), None);
}

/// The outer loop has the weight of its exit. The exit of the inner loop leads to the latch. If the latch has a weight,
/// the inner loop has the same weight.
#[test]
fn each_loop_of_a_nest_gets_the_weight_of_its_exits() {
    let parsed = parse_function("entry -> o; o -> i; i -> i latch; latch -> o exit; exit: cold");
    // The latch leads to `o`, which has no weight. The exit of the inner loop therefore has no weight.
    assert_eq!((cycle_weight(&parsed, "o"), cycle_weight(&parsed, "i")), (Some(COLD), None));
    let parsed = parse_function("entry -> o; o -> i; i -> i latch; latch: exception -> o exit; exit: cold");
    assert_eq!((cycle_weight(&parsed, "o"), cycle_weight(&parsed, "i")), (Some(COLD), Some(LOWEST)));
    assert_eq!(["o", "latch"].map(|name| block_weight(&parsed, name)), [Some(LOWEST); 2]);
    assert_eq!(block_weight(&parsed, "entry"), Some(COLD));
}

/// Two loops follow each other. The exit of the first loop has the weight of the second loop.
#[test]
fn an_exit_into_another_loop_has_the_weight_of_that_loop() {
    let parsed = parse_function(
        "entry -> a side; side; a -> a a2; a2 -> a b; b -> b one; one: cold -> two; two: exception",
    );
    assert_eq!((cycle_weight(&parsed, "b"), cycle_weight(&parsed, "a")), (Some(COLD), None));
    let parsed = parse_function("entry -> a side; side; a -> a b pre; pre -> b; b -> b end; end: cold");
    assert_eq!((cycle_weight(&parsed, "b"), block_weight(&parsed, "pre")), (Some(COLD), Some(COLD)));
    assert_eq!(cycle_weight(&parsed, "a"), Some(COLD));
}

/// Loop `b` gets the weight of block `end`. Then loop `a` could get the weight of loop `b`. However, the walk from
/// `end` up the dominator tree reaches `b` before `a`, and pending cycles are evaluated in the reverse order. Loop `a`
/// is therefore evaluated before `b` has a weight. Loop `a` gets no weight, and is never evaluated again, as in LLVM.
#[test]
fn successive_loops_are_evaluated_once_in_order() {
    let parsed = parse_function("entry -> a side; side; a -> a b; b -> b end; end: cold");
    assert_eq!((cycle_weight(&parsed, "a"), cycle_weight(&parsed, "b")), (None, Some(COLD)));
}

/// An irreducible cycle with a cold exit gets a weight, as a natural loop does.
#[test]
fn an_irreducible_cycle_has_the_weight_of_its_exits() {
    let parsed = parse_function("entry -> a b x; a -> b out; b -> a; out: cold; x");
    assert_eq!(cycle_weight(&parsed, "a"), Some(COLD));
    assert_eq!(cycle_weight(&parsed, "b"), Some(COLD));
    assert_eq!(["a", "b", "entry"].map(|name| block_weight(&parsed, name)), [None; 3]);
}

/// The only successors of `p` are in the cycle of `a` and `b`. All exits of this cycle are cold. If the cycle were a
/// natural loop, `p` would be cold. For an irreducible cycle, LLVM evaluates the entries of the cycle, but not the
/// predecessors of the entries. Therefore `p` gets no weight.
#[test]
fn predecessors_of_an_irreducible_cycle_get_no_weight() {
    let parsed = parse_function("entry -> p x; p -> a b; a -> b one; b -> a two; one: cold; two: cold; x");
    assert_eq!(cycle_weight(&parsed, "a"), Some(COLD));
    assert_eq!(block_weight(&parsed, "p"), None);
    let natural = parse_function("entry -> p x; p -> a; a -> b one; b -> a two; one: cold; two: cold; x");
    assert_eq!(cycle_weight(&natural, "a"), Some(COLD));
    assert_eq!(block_weight(&natural, "p"), Some(COLD));
}

/// Block `n` is a loop inside the irreducible cycle of `a`, `b` and `n`. An edge leads from `n` out of both cycles to a
/// cold block. LLVM assumes that components do not nest. In LLVM, the edge from `n` to `b` therefore enters the
/// irreducible cycle, and has the weight of this cycle. As a result, all exits of the loop of `n` have a weight, so the
/// loop gets a weight too. The weight is propagated to `a` and to `b`. The weight is propagated to `a` because `n` is
/// the only successor of `a`.
#[test]
fn an_exit_of_a_loop_in_an_irreducible_cycle_leaves_both() {
    let parsed = parse_function("entry -> a b; a -> n; n -> n b out; b -> a; out: cold");
    assert_eq!(cycle_weight(&parsed, "a"), Some(COLD));
    assert_eq!(cycle_weight(&parsed, "n"), Some(COLD));
    assert_eq!(["a", "b", "n"].map(|name| block_weight(&parsed, name)), [Some(COLD), Some(COLD), None]);
}

/// Block `dead` is a predecessor of the cold block, but is unreachable. Block `dead` is not in the dominator tree, and
/// has no weight. The cold block still post-dominates the entry, so the entry gets a weight.
#[test]
fn unreachable_blocks_have_no_weight() {
    let parsed = parse_function("entry -> end; dead -> end; end: cold; dead_end: cold");
    assert_eq!(block_weight(&parsed, "entry"), Some(COLD));
    assert_eq!(["dead", "dead_end"].map(|name| block_weight(&parsed, name)), [None; 2]);
}

/// If no path returns, LLVM chooses a post-dominator root. In the first function, the root is `b`: the search visits
/// the entry, `a`, `c` and `b`, and ends at `b`. Therefore `a` gets the weight of `b`. If `c` were the
/// root, `a` would get the weight of `c`.
#[test]
fn weights_in_an_infinite_loop_depend_on_the_post_dominator_root() {
    let parsed = parse_function("entry -> a; a -> b c; b: cold -> a; c -> a");
    assert_eq!(block_weight(&parsed, "a"), Some(COLD), "b is the root");
    let parsed = parse_function("entry -> a; a -> b c; c: cold -> a; b -> a");
    assert_eq!(block_weight(&parsed, "a"), Some(COLD), "c is the root if it is the last successor");
    let parsed = parse_function("entry -> a; a -> b c; b -> a; c: cold -> a");
    assert_eq!(block_weight(&parsed, "a"), None, "c is not the root");
}

/// The successors of `h` are the cold latch and `out`, which becomes cold. Pending blocks are on a stack. If `out` is
/// the first successor, the search visits the latch before `out`. Block `h` is then below `out` on the stack, so `out`
/// is evaluated first. When `h` is evaluated, `out` has a weight. In the other order, `h` is evaluated before `out`,
/// and never again. LLVM evaluates these blocks in the same order as bpa.
#[test]
fn pending_blocks_are_a_stack() {
    let picture = |successors: &str| {
        format!(
            "entry -> g; g -> h x; x -> g end; h -> {successors}; latch: cold -> g;
             out -> a b; a: cold; b: cold; end"
        )
    };
    let parsed = parse_function(&picture("out latch"));
    assert_eq!((block_weight(&parsed, "h"), parsed.weights("g")), (Some(COLD), &[65_535, 1_048_575][..]));
    let parsed = parse_function(&picture("latch out"));
    assert_eq!((block_weight(&parsed, "h"), parsed.rule("g")), (None, Rule::Even));
}

/// The targets of a switch get weights one after another, in the order of the edges. After each new weight, the
/// propagation needs the number of edges without a weight. If the propagation scanned all edges to count them, it would
/// visit 800 million edges, and take almost a minute.
#[test]
#[cfg_attr(miri, ignore = "too large for Miri")]
fn a_wide_switch_is_scanned_once() {
    let cases = 40_000;
    let names: Vec<String> = (0..cases).map(|case| format!("c{case}")).collect();
    let lines: Vec<String> = names.iter().map(|name| format!("{name} -> d e")).collect();
    let last_first: Vec<&str> = names.iter().rev().map(String::as_str).collect();
    let picture = format!("s -> {}; {}; d: cold; e: cold", last_first.join(" "), lines.join("; "));
    let start = Instant::now();
    assert_eq!(block_weight(&parse_function(&picture), "s"), Some(COLD));
    assert!(start.elapsed() < Duration::from_secs(10), "took {:?}", start.elapsed());
}

/// In a long sequence of loops, each loop contains a cold call. For each loop, the search visits all earlier loops. The
/// test would take half a minute if each visit evaluated the loop again.
#[test]
#[cfg_attr(miri, ignore = "too large for Miri")]
fn passed_loops_are_evaluated_once() {
    let loops = 20_000;
    let line = |i: usize| format!("l{i}: cold -> l{i} l{}; ", i + 1);
    let picture = format!("entry -> l0; {} l{loops}", (0..loops).map(line).collect::<String>());
    let start = Instant::now();
    let parsed = parse_function(&picture);
    assert_eq!((block_weight(&parsed, "l0"), cycle_weight(&parsed, "l0")), (Some(COLD), None));
    assert!(start.elapsed() < Duration::from_secs(10), "took {:?}", start.elapsed());
}

proptest! {
    #![proptest_config(config())]

    /// The tested implementation records evaluated cycles, and skips evaluations that have no effect. The simple
    /// implementation skips no evaluation.
    #[test]
    fn weights_match_the_naive_definition(picture in pictures(), all_cycles in any::<bool>()) {
        let nesting = if all_cycles { Nesting::Cycles } else { Nesting::LoopsAndComponents };
        let parsed = parse_with_nesting(&picture, nesting);
        let expected = naive::Estimated::of(&parsed.function);
        for block in parsed.function.graph.blocks() {
            let own = expected.blocks.get(&block).copied();
            prop_assert_eq!(parsed.estimated.of(Weighed::Block(block)), own, "weight of {}", block);
            let around = expected.weighed.get(expected.cycle_of(block)).copied();
            let found = parsed.estimated.of(Weighed::Cycle(parsed.cycles().of(block)));
            prop_assert_eq!(found, around, "weight of the cycle around {}", block);
        }
    }

    /// Every estimated weight equals the initial weight of a block, because no sum or quotient of weights is stored.
    #[test]
    fn weights_are_initial_weights(picture in pictures()) {
        let parsed = parse_function(&picture);
        for block in parsed.function.graph.blocks() {
            let weight = parsed.estimated.of(Weighed::Block(block));
            prop_assert!(weight.is_none_or(|weight| [ZERO, LOWEST, COLD].contains(&weight)));
            let weight = parsed.estimated.of(Weighed::Cycle(parsed.cycles().of(block)));
            prop_assert!(weight.is_none_or(|weight| [LOWEST, COLD].contains(&weight)));
        }
    }
}
