use proptest::collection::vec;
use proptest::prelude::*;

use super::branch_probabilities::BranchProbabilities;
use super::naive;
use super::probability::Probability;
use super::test_support::{parse_function, parse_with_nesting, pictures, ParsedConditions, ParsedFunction};
use crate::cfg::test_support::config;
use crate::cfg::{table, Adjacency, Block, ControlFlow, Graph};
use crate::dialect::Nesting;
use crate::facts::FunctionFacts;
use crate::rules::Rule;

/// A single successor has the probability 1, regardless of all facts.
#[test]
fn a_single_successor_has_probability_1() {
    let parsed = parse_function("entry: 0 -> a; a: cold -> b; b");
    assert_eq!(parsed.numerators("entry"), [1 << 31]);
    assert_eq!(parsed.weights("a"), [1]);
    assert_eq!(parsed.rule("entry"), Rule::Even);
}

/// Loop conditions are queried only if a branch is in a natural loop and has no metadata. The second argument
/// of the query is the innermost loop around the branch.
#[test]
fn conditions_are_queried_only_in_natural_loops_without_metadata() {
    let parsed = parse_function(
        "entry -> before/2 x; before -> o; x -> o; o -> i; i -> i/2 latch; latch: 1:1 -> o/2 exit; exit",
    );
    let i = parsed.block("i");
    assert_eq!(parsed.conditions.queries, [(i, vec![i])]);
    let parsed = parse_function("entry -> o; o -> i; i -> i latch; latch -> o/2 exit; exit");
    let inside = ["o", "i", "latch"].map(|name| parsed.block(name)).to_vec();
    assert_eq!(parsed.conditions.queries, [(parsed.block("latch"), inside)]);
}

/// For each edge of the block `name`: the target, and the sum of the probabilities of all edges to this target.
fn targets(parsed: &ParsedFunction, name: &str) -> Vec<(Block, u32)> {
    let graph = &parsed.function.graph;
    let mut totals = table(graph.block_count(), 0);
    let mut found = Vec::new();
    let block = parsed.block(name);
    parsed
        .result
        .for_each_target(graph, block, &mut totals, |target, sum| found.push((target, sum.numerator())));
    assert!(totals.values().all(|&total| total == 0), "the scratch memory is not reset");
    found
}

/// 12,288 parallel edges lead to block `b`. LLVM computes the probability 1 for each edge to `b`, because a sum of
/// weights exceeds 32 bits (see `edge_weights`). The sum of the numerators, 12,288 * 2^31, needs more than 32 bits.
/// The sum of the probabilities must be limited to 1, without overflow.
#[test]
#[cfg_attr(miri, ignore = "too large for Miri")]
fn sums_of_parallel_edges_do_not_overflow() {
    let (living, dead) = ("b ".repeat(12_288), "dead ".repeat(4_500));
    let parsed = parse_function(&format!("entry -> s; s -> {living}{dead}; b; dead: unreachable"));
    assert_eq!(parsed.numerators("s")[0], 1 << 31);
    assert_eq!(targets(&parsed, "s")[0], (parsed.block("b"), 1 << 31));
}

/// The function with its blocks in a different order. `places` has the new position of each block.
fn rearranged(
    function: &FunctionFacts,
    conditions: &ParsedConditions,
    places: &[Block],
) -> (FunctionFacts, ParsedConditions) {
    let at = |block: Block| places[block.as_u32() as usize];
    let mut old = function.graph.blocks().collect::<Vec<_>>();
    old.sort_by_key(|&block| at(block));
    let row_of = |row: fn(&Graph, Block) -> &[Block]| {
        let mut rows = Adjacency::default();
        for &block in &old {
            row(&function.graph, block).iter().for_each(|&other| rows.push(at(other)));
            rows.end_row();
        }
        rows
    };
    let moved = FunctionFacts {
        graph: Graph::new(row_of(Graph::successors), row_of(Graph::predecessors))
            .expect("predecessors mirror successors")
            .into(),
        blocks: old.iter().map(|&block| function.blocks[block]).collect(),
        ..function.clone()
    };
    let halved = conditions.halved.iter().map(|&(block, halved)| (at(block), halved)).collect();
    let mut moved_conditions = conditions.clone();
    moved_conditions.halved = halved;
    (moved, moved_conditions)
}

fn computed(function: &FunctionFacts, mut conditions: ParsedConditions) -> BranchProbabilities {
    BranchProbabilities::compute(function, &mut conditions)
}

/// The rule, weights and probabilities of `block`.
fn results(result: &BranchProbabilities, graph: &Graph, block: Block) -> (Rule, Vec<u32>, Vec<Probability>) {
    let edges = graph.edges(block);
    (result.rule(block), result.weights()[edges.clone()].to_vec(), result.probabilities()[edges].to_vec())
}

fn post_dominator_roots(graph: &Graph) -> Vec<Block> {
    let mut roots = ControlFlow::new(graph.clone()).post_dominators().roots().to_vec();
    roots.sort();
    roots
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn decisions_match_the_naive_rules(picture in pictures()) {
        let parsed = parse_function(&picture);
        naive::check_decisions(&parsed.function, |block| parsed.conditions.halved(block), &parsed.result);
    }

    #[test]
    fn decisions_with_nested_cycles_match_the_naive_rules(picture in pictures()) {
        let parsed = parse_with_nesting(&picture, Nesting::Cycles);
        naive::check_decisions(&parsed.function, |block| parsed.conditions.halved(block), &parsed.result);
    }

    #[test]
    fn the_edges_of_a_block_sum_to_one(picture in pictures()) {
        let parsed = parse_function(&picture);
        naive::check_sums(&parsed.function.graph, &parsed.result);
    }

    #[test]
    fn targets_get_the_sum_of_their_edges(picture in pictures()) {
        let parsed = parse_function(&picture);
        naive::check_targets(&parsed.function.graph, &parsed.result);
    }

    /// Reused scratch memory gives the same results as new memory.
    #[test]
    fn scratch_memory_does_not_affect_results(picture in pictures(), before in pictures()) {
        let parsed = parse_function(&picture);
        drop(parse_function(&before));
        let again = computed(&parsed.function.clone(), parsed.conditions.clone());
        let graph = &parsed.function.graph;
        for block in graph.blocks() {
            prop_assert_eq!(results(&again, graph, block), results(&parsed.result, graph, block));
        }
    }

    /// The order of blocks has no effect, with one exception: in infinite loops, the order determines the
    /// post-dominator root.
    #[test]
    fn block_order_affects_only_infinite_loops(picture in pictures(), seed in any::<u64>()) {
        let parsed = parse_function(&picture);
        let graph = &parsed.function.graph;
        let places = shuffled(graph.block_count(), seed);
        let (moved, conditions) = rearranged(&parsed.function, &parsed.conditions, &places);
        let at = |block: Block| places[block.as_u32() as usize];
        let mut expected_roots: Vec<Block> = post_dominator_roots(graph).into_iter().map(at).collect();
        expected_roots.sort();
        prop_assume!(post_dominator_roots(&moved.graph) == expected_roots);
        let result = computed(&moved, conditions);
        for block in graph.blocks() {
            prop_assert_eq!(
                results(&result, &moved.graph, at(block)),
                results(&parsed.result, graph, block),
                "results for {}",
                block
            );
        }
    }

    /// If an unreachable block with any successors is added, the results for all other blocks stay the same.
    #[test]
    fn unreachable_code_does_not_change_other_blocks(picture in pictures(), ends in vec(any::<u8>(), 0..4)) {
        let parsed = parse_function(&picture);
        let graph = &parsed.function.graph;
        let count = graph.block_count();
        let dead: Vec<String> = ends.iter().map(|&end| (usize::from(end) % count).to_string()).collect();
        let with_dead = parse_function(&format!("{picture}; dead: cold -> {}", dead.join(" ")));
        for block in graph.blocks() {
            prop_assert_eq!(
                results(&with_dead.result, &with_dead.function.graph, block),
                results(&parsed.result, graph, block),
                "results for {}", block
            );
        }
    }
}

/// A random permutation of `count` blocks. The entry remains the first block.
fn shuffled(count: usize, mut seed: u64) -> Vec<Block> {
    let mut places: Vec<Block> = (0..count as u32).map(Block::from_u32).collect();
    for place in (2..count).rev() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        places.swap(place, 1 + (seed >> 33) as usize % place);
    }
    places
}
