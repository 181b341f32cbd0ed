use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::super::naive;
use super::super::test_support::{parse_function, parse_with_nesting, pictures, ParsedFunction};
use super::Weighed;
use crate::cfg::test_support::config;
use crate::dialect::Nesting;

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
}
