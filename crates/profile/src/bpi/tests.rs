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

/// Block `l` is in a loop, compares pointers, and has branch weights. Every rule applies to block `l`. The test removes
/// these facts one by one.
#[test]
fn rules_are_applied_in_order() {
    let l = |line: &str| parse_function(&format!("entry -> l; {line}; a -> l; exit"));
    let parsed = l("l: ptr_eq 7:8 -> a exit");
    assert_eq!((parsed.rule("l"), parsed.weights("l")), (Rule::Metadata, &[7, 8][..]));
    let parsed = l("l: ptr_eq -> a exit");
    assert_eq!((parsed.rule("l"), parsed.weights("l")), (Rule::EstimatedWeights, &[1_048_575, 33_825][..]));
    // Both `a` and `b` are in the loop, so no weight is estimated.
    let parsed = parse_function("entry -> l; l: ptr_eq -> a b; a -> m; b -> m; m -> l exit; exit");
    assert_eq!((parsed.rule("l"), parsed.weights("l")), (Rule::Pointer, &[12, 20][..]));
    let parsed = parse_function("entry -> l; l -> a b; a -> m; b -> m; m -> l exit; exit");
    assert_eq!((parsed.rule("l"), parsed.weights("l")), (Rule::Even, &[1, 1][..]));
}

/// The prediction depends only on the condition of the branch, and not on the blocks. The probability 12/32 is 37.50%.
#[test]
fn conditions_predict_branches_if_no_other_rule_applies() {
    let branch = |word: &str| parse_function(&format!("entry: {word} -> a b; a; b"));
    assert_eq!(branch("ptr_eq").numerators("entry"), [12 << 26, 20 << 26]);
    assert_eq!(branch("ptr_ne").numerators("entry"), [20 << 26, 12 << 26]);
    assert_eq!(branch("eq_zero").rule("entry"), Rule::Constant);
    assert_eq!(branch("eq_zero").numerators("entry"), [12 << 26, 20 << 26]);
    assert_eq!(branch("uno").rule("entry"), Rule::FloatingPoint);
    assert_eq!(branch("uno").numerators("entry"), [2_048, (1 << 31) - 2_048]); // 1 : 2^20 - 1
}

/// A switch can have a condition, but has no edges for true and false.
#[test]
fn rules_about_conditions_apply_only_to_branches() {
    assert_eq!(parse_function("entry: switch ptr_eq -> a b; a; b").rule("entry"), Rule::Even);
    assert_eq!(parse_function("entry: ptr_eq -> a b c; a; b; c").numerators("entry"), [715_827_883; 3]);
}

/// If all estimated weights are 0, the condition determines the probabilities.
#[test]
fn the_condition_predicts_a_branch_to_two_unreachable_blocks() {
    let parsed = parse_function("entry: ptr_eq -> a b; a: unreachable; b: unreachable");
    assert_eq!((parsed.rule("entry"), parsed.weights("entry")), (Rule::Pointer, &[12, 20][..]));
}

/// An edge to a block that never completes gets the probability 2^-31 instead of 8/15. A call that does not
/// return can be executed. An edge to a block with a `noreturn` call therefore keeps the probability 8/15 of
/// the metadata.
#[test]
fn only_blocks_that_never_complete_override_metadata() {
    let parsed = parse_function("entry: 7:8 -> a b; a; b: unreachable");
    assert_eq!(parsed.numerators("entry"), [(1 << 31) - 1, 1]);
    assert_eq!((parsed.rule("entry"), parsed.weights("entry")), (Rule::Metadata, &[7, 8][..]));
    let parsed = parse_function("entry: 7:8 -> a b; a; b: unreachable noreturn");
    assert_eq!(parsed.numerators("entry"), [1_002_159_036, 1_145_324_612]);
}

/// The only successor of `b` never completes, so `b` never completes. The edge to `b` gets the probability 2^-31. The
/// only exit of the loop `l` also leads to a block that never completes. However, one call of the function can enter
/// the loop, so the edge to `l` keeps its probability.
#[test]
fn metadata_is_overridden_before_unreachable_blocks_but_not_before_loops() {
    let parsed = parse_function("entry: 7:8 -> a b; a; b -> c; c: unreachable");
    assert_eq!(parsed.numerators("entry"), [(1 << 31) - 1, 1]);
    let parsed = parse_function("entry: 7:8 -> a l; a; l -> l c; c: unreachable");
    assert_eq!(parsed.numerators("entry"), [1_002_159_036, 1_145_324_612]);
}

/// A block has an edge to itself. The back edge has the probability 96.88%, and the exit has 3.12%.
#[test]
fn a_loop_iterates_31_times() {
    assert_eq!(parse_function("entry -> l; l -> l exit; exit").numerators("l"), [31 << 26, 1 << 26]);
}

/// A switch in a loop has an edge to a cold block outside the loop. The weights are 2114 : 1048575 : 1048575.
#[test]
fn a_cold_exit_of_a_loop_by_switch() {
    let picture = "bb1 -> bb2; bb2 -> bb6 bb3 bb4; bb3 -> bb5; bb4 -> bb5; bb5 -> bb2; bb6: cold";
    assert_eq!(parse_function(picture).weights("bb2"), [2_114, 1_048_575, 1_048_575]);
    let weights = "bb2: 1503238554:322122548:322122548 ->";
    let parsed = parse_function(&picture.replace("bb2 -> bb6", &format!("{weights} bb6")));
    // The weights are 70%, 15% and 15% of 2^31, rounded up. The sum of the weights is 2147483650, which is 2^31 + 2.
    // The numerators before rounding are therefore 1503238552.6 and 322122547.7.
    assert_eq!(parsed.numerators("bb2"), [1_503_238_553, 322_122_548, 322_122_548]);
}

/// A single successor has the probability 1, regardless of all facts.
#[test]
fn a_single_successor_has_probability_1() {
    let parsed = parse_function("entry: 0 -> a; a: cold -> b; b");
    assert_eq!(parsed.numerators("entry"), [1 << 31]);
    assert_eq!(parsed.weights("a"), [1]);
    assert_eq!(parsed.rule("entry"), Rule::Even);
}

/// LLVM prints unreachable blocks, but does not apply any rule to them. LLVM also ignores the metadata of unreachable
/// blocks.
#[test]
fn edges_of_unreachable_blocks_are_equally_likely() {
    let parsed = parse_function("entry; dead: ptr_eq 7:8 -> dead end; end: cold");
    assert_eq!((parsed.rule("dead"), parsed.numerators("dead")), (Rule::Even, vec![1 << 30, 1 << 30]));
    assert_eq!(parsed.weights("dead"), [1, 1]);
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

/// Two of three edges lead to `x`. Without weights, LLVM rounds 2/3 of 2^31 (1431655765.33) only once. With weights,
/// LLVM rounds 1/3 of 2^31 up to 715827883 for each edge, and then adds the two rounded numbers.
#[test]
fn equally_likely_parallel_edges_are_rounded_once() {
    let parsed = parse_function("a -> x y x; x; y");
    let (x, y) = (parsed.block("x"), parsed.block("y"));
    assert_eq!(targets(&parsed, "a"), [(x, 1_431_655_765), (y, 715_827_883), (x, 1_431_655_765)]);
    let parsed = parse_function("a: 1:1:1 -> x y x; x; y");
    assert_eq!(targets(&parsed, "a"), [(x, 1_431_655_766), (y, 715_827_883), (x, 1_431_655_766)]);
}

/// Each of the three probabilities (1/3) is rounded up. The sum of the three rounded probabilities exceeds 1, so the
/// sum is limited to 1.
#[test]
fn sums_of_parallel_edges_are_at_most_one() {
    let parsed = parse_function("a: 1:1:1 -> x x x; x");
    assert_eq!(targets(&parsed, "a"), [(parsed.block("x"), 1 << 31); 3]);
    let parsed = parse_function("a -> x x x; x");
    assert_eq!(targets(&parsed, "a"), [(parsed.block("x"), 1 << 31); 3]);
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

/// Without parallel edges, each target has the probability of its edge.
#[test]
fn sums_of_single_edges_are_their_probability() {
    let parsed = parse_function("a -> b; b: 0:5 -> c d; c; d");
    assert_eq!(targets(&parsed, "a"), [(parsed.block("b"), 1 << 31)]);
    assert_eq!(targets(&parsed, "b"), [(parsed.block("c"), 0), (parsed.block("d"), 1 << 31)]);
    assert_eq!(targets(&parsed, "c"), []);
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
