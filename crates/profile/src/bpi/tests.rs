use proptest::collection::vec;
use proptest::prelude::*;

use super::branch_probabilities::BranchProbabilities;
use super::naive;
use super::probability::Probability;
use super::test_support::{draw, draw_nesting, pictures, Drawn, DrawnConditions};
use crate::cfg::test_support::config;
use crate::cfg::{table, Adjacency, Block, ControlFlow, Graph};
use crate::dialect::Nesting;
use crate::facts::FunctionFacts;
use crate::rules::Rule;

/// Every rule applies to one block: it is in a loop, compares pointers, and has branch weights. Removing the facts one
/// by one shows the order of the rules.
#[test]
fn rules_are_tried_in_their_order() {
    let l = |line: &str| draw(&format!("entry -> l; {line}; a -> l; exit"));
    let drawn = l("l: ptr_eq 7:8 -> a exit");
    assert_eq!((drawn.rule("l"), drawn.weights("l")), (Rule::Metadata, &[7, 8][..]));
    let drawn = l("l: ptr_eq -> a exit");
    assert_eq!((drawn.rule("l"), drawn.weights("l")), (Rule::EstimatedWeights, &[1_048_575, 33_825][..]));
    // b and a both stay in the loop: nothing is estimated.
    let drawn = draw("entry -> l; l: ptr_eq -> a b; a -> m; b -> m; m -> l exit; exit");
    assert_eq!((drawn.rule("l"), drawn.weights("l")), (Rule::Pointer, &[12, 20][..]));
    let drawn = draw("entry -> l; l -> a b; a -> m; b -> m; m -> l exit; exit");
    assert_eq!((drawn.rule("l"), drawn.weights("l")), (Rule::Even, &[1, 1][..]));
}

/// Conditions that a rule applies to, without other facts. 12/32 is 37.50%.
#[test]
fn conditions_decide_without_other_facts() {
    let branch = |word: &str| draw(&format!("entry: {word} -> a b; a; b"));
    assert_eq!(branch("ptr_eq").numerators("entry"), [12 << 26, 20 << 26]);
    assert_eq!(branch("ptr_ne").numerators("entry"), [20 << 26, 12 << 26]);
    assert_eq!(branch("eq_zero").rule("entry"), Rule::Constant);
    assert_eq!(branch("eq_zero").numerators("entry"), [12 << 26, 20 << 26]);
    assert_eq!(branch("uno").rule("entry"), Rule::FloatingPoint);
    assert_eq!(branch("uno").numerators("entry"), [2_048, (1 << 31) - 2_048]); // 1 : 2^20 - 1
}

/// A switch has a condition too, but no edges for true and false.
#[test]
fn rules_about_conditions_apply_only_to_branches() {
    assert_eq!(draw("entry: switch ptr_eq -> a b; a; b").rule("entry"), Rule::Even);
    assert_eq!(draw("entry: ptr_eq -> a b c; a; b; c").numerators("entry"), [715_827_883; 3]);
}

/// If all estimated weights are zero, the condition decides.
#[test]
fn the_condition_decides_between_two_dead_ends() {
    let drawn = draw("entry: ptr_eq -> a b; a: unreachable; b: unreachable");
    assert_eq!((drawn.rule("entry"), drawn.weights("entry")), (Rule::Pointer, &[12, 20][..]));
}

/// Metadata for an edge to a block that never completes: one unit of 2^31 is left of 8/15. A block with a call that
/// does not return runs once, so its metadata is used.
#[test]
fn metadata_is_overruled_by_unreachable_blocks_alone() {
    let drawn = draw("entry: 7:8 -> a b; a; b: unreachable");
    assert_eq!(drawn.numerators("entry"), [(1 << 31) - 1, 1]);
    assert_eq!((drawn.rule("entry"), drawn.weights("entry")), (Rule::Metadata, &[7, 8][..]));
    let drawn = draw("entry: 7:8 -> a b; a; b: unreachable noreturn");
    assert_eq!(drawn.numerators("entry"), [1_002_159_036, 1_145_324_612]);
}

/// The only successor of b never completes, so b never completes either. A loop whose exit never completes is entered
/// once, so its edge is not capped.
#[test]
fn metadata_is_overruled_at_a_distance_but_not_across_a_loop() {
    let drawn = draw("entry: 7:8 -> a b; a; b -> c; c: unreachable");
    assert_eq!(drawn.numerators("entry"), [(1 << 31) - 1, 1]);
    let drawn = draw("entry: 7:8 -> a l; a; l -> l c; c: unreachable");
    assert_eq!(drawn.numerators("entry"), [1_002_159_036, 1_145_324_612]);
}

/// The block that loops to itself: 96.88% for the back edge, 3.12% for the exit.
#[test]
fn a_loop_iterates_31_times() {
    assert_eq!(draw("entry -> l; l -> l exit; exit").numerators("l"), [31 << 26, 1 << 26]);
}

/// A loop that a switch leaves for a cold block: 2114 : 1048575 : 1048575.
#[test]
fn a_cold_exit_of_a_loop_by_switch() {
    let picture = "bb1 -> bb2; bb2 -> bb6 bb3 bb4; bb3 -> bb5; bb4 -> bb5; bb5 -> bb2; bb6: cold";
    assert_eq!(draw(picture).weights("bb2"), [2_114, 1_048_575, 1_048_575]);
    let weights = "bb2: 1503238554:322122548:322122548 ->";
    let drawn = draw(&picture.replace("bb2 -> bb6", &format!("{weights} bb6")));
    // 70%, 15%, 15% of 2^31: 1503238553.6 and 322122547.2 of the sum 2147483650, which is two more than 2^31.
    assert_eq!(drawn.numerators("bb2"), [1_503_238_553, 322_122_548, 322_122_548]);
}

/// A block with one successor has probability 1, whatever its facts.
#[test]
fn a_single_successor_is_certain() {
    let drawn = draw("entry: 0 -> a; a: cold -> b; b");
    assert_eq!(drawn.numerators("entry"), [1 << 31]);
    assert_eq!(drawn.weights("a"), [1]);
    assert_eq!(drawn.rule("entry"), Rule::Even);
}

/// LLVM prints unreachable blocks too, but applies no rule to them, not even metadata.
#[test]
fn blocks_that_never_run_are_even() {
    let drawn = draw("entry; dead: ptr_eq 7:8 -> dead end; end: cold");
    assert_eq!((drawn.rule("dead"), drawn.numerators("dead")), (Rule::Even, vec![1 << 30, 1 << 30]));
    assert_eq!(drawn.weights("dead"), [1, 1]);
}

/// Live conditions are queried in natural loops only, and only without metadata; the innermost loop is passed.
#[test]
fn conditions_are_queried_only_in_natural_loops_without_metadata() {
    let drawn = draw(
        "entry -> before/2 x; before -> o; x -> o; o -> i; i -> i/2 latch; latch: 1:1 -> o/2 exit; exit",
    );
    let i = drawn.block("i");
    assert_eq!(drawn.conditions.asked, [(i, vec![i])]);
    let drawn = draw("entry -> o; o -> i; i -> i latch; latch -> o/2 exit; exit");
    let inside = ["o", "i", "latch"].map(|name| drawn.block(name)).to_vec();
    assert_eq!(drawn.conditions.asked, [(drawn.block("latch"), inside)]);
}

/// Each edge of a block with the sum of the edges to its target.
fn targets(drawn: &Drawn, name: &str) -> Vec<(Block, u32)> {
    let graph = &drawn.function.graph;
    let mut totals = table(graph.block_count(), 0);
    let mut found = Vec::new();
    let block = drawn.block(name);
    drawn
        .result
        .for_each_target(graph, block, &mut totals, |target, sum| found.push((target, sum.numerator())));
    assert!(totals.values().all(|&total| total == 0), "the memory is given back clean");
    found
}

/// Three edges, two of them to x: without weights, LLVM rounds 2/3 once, which is 1431655765.33. With weights of a
/// third each, LLVM rounds each up to 715827883, and adds.
#[test]
fn parallel_edges_are_rounded_once_if_even_and_each_if_weighed() {
    let drawn = draw("a -> x y x; x; y");
    let (x, y) = (drawn.block("x"), drawn.block("y"));
    assert_eq!(targets(&drawn, "a"), [(x, 1_431_655_765), (y, 715_827_883), (x, 1_431_655_765)]);
    let drawn = draw("a: 1:1:1 -> x y x; x; y");
    assert_eq!(targets(&drawn, "a"), [(x, 1_431_655_766), (y, 715_827_883), (x, 1_431_655_766)]);
}

/// Three thirds, each rounded up, exceed one: the sum is limited to one.
#[test]
fn sums_of_parallel_edges_stop_at_one() {
    let drawn = draw("a: 1:1:1 -> x x x; x");
    assert_eq!(targets(&drawn, "a"), [(drawn.block("x"), 1 << 31); 3]);
    let drawn = draw("a -> x x x; x");
    assert_eq!(targets(&drawn, "a"), [(drawn.block("x"), 1 << 31); 3]);
}

/// 12,288 edges to one block, of 100% each: LLVM's result for a sum above 32 bits (see `edge_weights`). Together they
/// are 6,144 * 2^32 units; the sum is limited to one and does not wrap around.
#[test]
#[cfg_attr(miri, ignore = "too large to be interpreted")]
fn sums_of_parallel_edges_do_not_wrap_around() {
    let (living, dead) = ("b ".repeat(12_288), "dead ".repeat(4_500));
    let drawn = draw(&format!("entry -> s; s -> {living}{dead}; b; dead: unreachable"));
    assert_eq!(drawn.numerators("s")[0], 1 << 31);
    assert_eq!(targets(&drawn, "s")[0], (drawn.block("b"), 1 << 31));
}

/// Without parallel edges, each target has the probability of its edge.
#[test]
fn sums_of_single_edges_are_their_probability() {
    let drawn = draw("a -> b; b: 0:5 -> c d; c; d");
    assert_eq!(targets(&drawn, "a"), [(drawn.block("b"), 1 << 31)]);
    assert_eq!(targets(&drawn, "b"), [(drawn.block("c"), 0), (drawn.block("d"), 1 << 31)]);
    assert_eq!(targets(&drawn, "c"), []);
}

/// The function of `drawn` with its blocks in another order; `places` are the new positions.
fn rearranged(
    function: &FunctionFacts,
    conditions: &DrawnConditions,
    places: &[Block],
) -> (FunctionFacts, DrawnConditions) {
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
        graph: Graph::new(row_of(Graph::successors), row_of(Graph::predecessors)).expect("mirrored").into(),
        blocks: old.iter().map(|&block| function.blocks[block]).collect(),
        ..function.clone()
    };
    let halved = conditions.halved.iter().map(|&(block, halved)| (at(block), halved)).collect();
    let mut moved_conditions = conditions.clone();
    moved_conditions.halved = halved;
    (moved, moved_conditions)
}

fn computed(function: &FunctionFacts, mut conditions: DrawnConditions) -> BranchProbabilities {
    BranchProbabilities::compute(function, &mut conditions)
}

/// The results for `block`.
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
    fn decisions_are_those_of_the_naive_rules(picture in pictures()) {
        let drawn = draw(&picture);
        naive::check_decisions(&drawn.function, |block| drawn.conditions.halved(block), &drawn.result);
    }

    #[test]
    fn decisions_by_nested_cycles_are_those_of_the_naive_rules(picture in pictures()) {
        let drawn = draw_nesting(&picture, Nesting::Cycles);
        naive::check_decisions(&drawn.function, |block| drawn.conditions.halved(block), &drawn.result);
    }

    #[test]
    fn the_edges_of_a_block_sum_to_one(picture in pictures()) {
        let drawn = draw(&picture);
        naive::check_sums(&drawn.function.graph, &drawn.result);
    }

    #[test]
    fn targets_get_the_sum_of_their_edges(picture in pictures()) {
        let drawn = draw(&picture);
        naive::check_targets(&drawn.function.graph, &drawn.result);
    }

    /// Reused scratch memory gives the same results as new memory.
    #[test]
    fn scratch_memory_does_not_affect_results(picture in pictures(), before in pictures()) {
        let drawn = draw(&picture);
        drop(draw(&before));
        let again = computed(&drawn.function.clone(), drawn.conditions.clone());
        let graph = &drawn.function.graph;
        for block in graph.blocks() {
            prop_assert_eq!(results(&again, graph, block), results(&drawn.result, graph, block));
        }
    }

    /// The order of blocks has no effect, with one exception: in infinite loops it decides which block is the
    /// post-dominator root.
    #[test]
    fn layout_matters_only_to_infinite_loops(picture in pictures(), seed in any::<u64>()) {
        let drawn = draw(&picture);
        let graph = &drawn.function.graph;
        let places = shuffled(graph.block_count(), seed);
        let (moved, conditions) = rearranged(&drawn.function, &drawn.conditions, &places);
        let at = |block: Block| places[block.as_u32() as usize];
        let mut expected_roots: Vec<Block> = post_dominator_roots(graph).into_iter().map(at).collect();
        expected_roots.sort();
        prop_assume!(post_dominator_roots(&moved.graph) == expected_roots);
        let result = computed(&moved, conditions);
        for block in graph.blocks() {
            prop_assert_eq!(
                results(&result, &moved.graph, at(block)), results(&drawn.result, graph, block), "{}", block
            );
        }
    }

    /// An unreachable block at the end changes no other block, whatever its successors are.
    #[test]
    fn dead_code_changes_nothing(picture in pictures(), ends in vec(any::<u8>(), 0..4)) {
        let drawn = draw(&picture);
        let graph = &drawn.function.graph;
        let count = graph.block_count();
        let dead: Vec<String> = ends.iter().map(|&end| (usize::from(end) % count).to_string()).collect();
        let with_dead = draw(&format!("{picture}; dead: cold -> {}", dead.join(" ")));
        for block in graph.blocks() {
            prop_assert_eq!(
                results(&with_dead.result, &with_dead.function.graph, block),
                results(&drawn.result, graph, block),
                "{}", block
            );
        }
    }
}

/// A permutation of `count` blocks that keeps the entry first.
fn shuffled(count: usize, mut seed: u64) -> Vec<Block> {
    let mut places: Vec<Block> = (0..count as u32).map(Block::from_u32).collect();
    for place in (2..count).rev() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        places.swap(place, 1 + (seed >> 33) as usize % place);
    }
    places
}
