//! Property tests. An update of a profile must give the same result as an analysis from scratch. A query must give the
//! same result as its definition.

mod structure;

use cranelift_entity::EntityRef;
use proptest::prelude::*;
use proptest::sample::Index;

use super::{BlockFrequency, Profile, UpdateError};
use crate::bfi::Scaled;
use crate::bpi::test_support::{parse_function, pictures, ParsedConditions, ParsedFunction};
use crate::bpi::{Probability, Rule};
use crate::cfg::test_support::config;
use crate::cfg::{Adjacency, Block, ControlFlow, Graph};
use crate::dialect::Dialect;
use crate::facts::{Condition, FloatPredicate, FunctionFacts, Predicate};

fn llvm16() -> &'static Dialect {
    Dialect::named("16").expect("supported")
}

fn profile(function: &FunctionFacts, conditions: &ParsedConditions) -> Profile {
    Profile::builder(function.clone(), llvm16()).build_with(&mut conditions.clone())
}

fn profile_of(parsed: &ParsedFunction) -> Profile {
    profile(&parsed.function, &parsed.conditions)
}

/// One of the blocks for which `wanted` is true, or `None` if there is no such block.
fn pick(profile: &Profile, place: Index, wanted: impl Fn(Block) -> bool) -> Option<Block> {
    let blocks: Vec<Block> = profile.blocks().filter(|&block| wanted(block)).collect();
    (!blocks.is_empty()).then(|| *place.get(&blocks))
}

/// A block with at least two and at most `MOST_WEIGHTS` successors.
fn pick_branch(profile: &Profile, place: Index) -> Option<Block> {
    pick(profile, place, |block| (2..=MOST_WEIGHTS).contains(&profile.successors(block).len()))
}

fn is_entry(block: Block) -> bool {
    block == Block::from_u32(0)
}

/// Asserts that two profiles have equal results. A result is not compared if it follows from other compared results.
fn assert_same(one: &Profile, other: &Profile) {
    assert_eq!(one.blocks().len(), other.blocks().len());
    for block in one.blocks() {
        assert_eq!(one.successors(block), other.successors(block), "successors of {block}");
        assert_eq!(one.probabilities(block), other.probabilities(block), "probabilities of {block}");
        assert_eq!(one.frequency(block), other.frequency(block), "frequency of {block}");
        let integers = [one, other].map(|profile| profile.integer_frequency(block));
        assert_eq!(integers[0], integers[1], "integer frequency of {block}");
        let biases = [one, other].map(|profile| profile.bias(block).map(|bias| bias.to_string()));
        assert_eq!(biases[0], biases[1], "bias of {block}");
        assert_eq!(one.dominators().idom(block), other.dominators().idom(block), "idom of {block}");
        assert_eq!(
            one.post_dominators().ipdom(block),
            other.post_dominators().ipdom(block),
            "ipdom of {block}"
        );
        assert_eq!(one.loops().innermost(block), other.loops().innermost(block), "loop of {block}");
        assert_eq!(one.sccs().of(block).is_some(), other.sccs().of(block).is_some(), "component of {block}");
    }
    assert_eq!(scales(one), scales(other));
}

/// Returns the first header and the scale of each loop.
fn scales(profile: &Profile) -> Vec<(Block, Scaled)> {
    let nest = profile.nest();
    nest.loops().map(|nested| (nest.headers(nested)[0], nest.scale(nested))).collect()
}

/// Returns a copy of the function in which two successors of `block` are swapped. The branch weights of these two
/// successors are also swapped, and the condition of the branch is inverted.
fn swapped(
    parsed: &ParsedFunction,
    block: Block,
    one: usize,
    other: usize,
) -> (FunctionFacts, ParsedConditions) {
    let ParsedFunction { function, conditions, .. } = parsed;
    let mut swapped = function.clone();
    swapped.graph = ControlFlow::new(Graph::from_successors(rewired(&function.graph, |source, row| {
        if source == block {
            row.swap(one, other);
        }
    })));
    if let Some(start) = function.blocks[block].weights.expand() {
        swapped.weight_pool.swap(start.index() + one, start.index() + other);
    }
    let mut conditions = conditions.clone();
    if one != other {
        let condition = &mut swapped.blocks[block].condition;
        *condition = inverted(*condition);
        let halved = conditions.halved.iter_mut().find(|(branch, _)| *branch == block);
        halved.into_iter().for_each(|(_, halved)| halved.swap(one, other));
    }
    (swapped, conditions)
}

/// The inverse of a condition. `condition` must be of a kind that the test generates.
fn inverted(condition: Condition) -> Condition {
    match condition {
        Condition::Pointer { unequal } => Condition::Pointer { unequal: !unequal },
        Condition::Integer { predicate: Predicate::Equal, operand, constant } => {
            Condition::Integer { predicate: Predicate::Unequal, operand, constant }
        }
        Condition::Float { predicate: FloatPredicate::Unordered } => {
            Condition::Float { predicate: FloatPredicate::Ordered }
        }
        other => other,
    }
}

/// The edges of `graph`, changed by `rewire`.
fn rewired(graph: &Graph, rewire: impl Fn(Block, &mut Vec<Block>)) -> Adjacency {
    let mut rows = Adjacency::default();
    for block in graph.blocks() {
        let mut row = graph.successors(block).to_vec();
        rewire(block, &mut row);
        row.into_iter().for_each(|successor| rows.push(successor));
        rows.end_row();
    }
    rows
}

/// Probabilities in proportion to weights.
fn shares(weights: &[u32]) -> Vec<Probability> {
    let total = weights.iter().sum();
    weights.iter().map(|&weight| Probability::ratio(weight, total)).collect()
}

const MOST_WEIGHTS: usize = 5;

fn weights() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(1..1000u32, MOST_WEIGHTS)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn recomputing_an_unchanged_profile_changes_nothing(picture in pictures()) {
        let parsed = parse_function(&picture);
        let mut recomputed = profile_of(&parsed);
        recomputed.recompute().expect("no edge leads to a removed block");
        assert_same(&recomputed, &profile_of(&parsed));
    }

    /// Probabilities alone, without the properties of blocks, determine the frequencies.
    #[test]
    fn a_profile_built_from_probabilities_has_the_same_frequencies(picture in pictures()) {
        let parsed = parse_function(&picture);
        let predicted = profile_of(&parsed);
        let mut facts = FunctionFacts::builder((**predicted.graph()).clone());
        for &(block, weight) in parsed.function.header_weights() {
            facts.header_weight(block, weight);
        }
        let probabilities = predicted.branch_probabilities().probabilities().to_vec();
        let built = Profile::builder(facts.build().unwrap(), llvm16()).build_from(probabilities);
        for block in built.blocks() {
            prop_assert_eq!(built.probabilities(block), predicted.probabilities(block));
            prop_assert_eq!(built.integer_frequency(block), predicted.integer_frequency(block));
        }
    }

    /// If two successors are swapped, the updated profile equals a new analysis of the changed function.
    /// Irreducible loops are an exception: there, LLVM's estimates depend on the order of the depth-first search, and
    /// therefore on the order of successors.
    #[test]
    fn swapping_successors_equals_an_analysis_of_the_swapped_function(
        picture in pictures(),
        block: Index,
        one: Index,
        other: Index,
    ) {
        let parsed = parse_function(&picture);
        let mut updated = profile_of(&parsed);
        let Some(block) = pick_branch(&updated, block) else { return Ok(()) };
        let count = updated.successors(block).len();
        let (one, other) = (one.index(count), other.index(count));
        updated.swap_successors(block, one, other).unwrap();
        let (function, conditions) = swapped(&parsed, block, one, other);
        let mut fresh = profile(&function, &conditions);
        for block in fresh.blocks() {
            if fresh.loops().is_reducible() {
                prop_assert_eq!(updated.probabilities(block), fresh.probabilities(block));
                prop_assert_eq!(updated.rule(block), fresh.rule(block));
            } else {
                fresh.set_probabilities(block, updated.probabilities(block)).unwrap();
            }
        }
        updated.recompute().expect("no edge leads to a removed block");
        fresh.recompute().expect("no edge leads to a removed block");
        assert_same(&updated, &fresh);
    }

    /// Setting the probabilities of a branch gives the same results as a new analysis with branch-weight metadata on
    /// the branch.
    #[test]
    fn setting_probabilities_equals_an_analysis_with_branch_weights(
        picture in pictures(),
        block: Index,
        weights in weights(),
    ) {
        let parsed = parse_function(&picture);
        let mut updated = profile_of(&parsed);
        let Some(block) = pick_branch(&updated, block) else { return Ok(()) };
        let count = updated.successors(block).len();
        let mut function = parsed.function.clone();
        function.set_weights(block, &weights[..count]);
        let fresh = profile(&function, &parsed.conditions);
        updated.set_probabilities(block, fresh.probabilities(block)).unwrap();
        prop_assert_eq!(updated.rule(block), Some(Rule::Update));
        updated.recompute().expect("no edge leads to a removed block");
        assert_same(&updated, &fresh);
    }

    /// Copies the probabilities of one branch to another branch. The result equals the result of a new analysis in
    /// which both branches have the same branch-weight metadata.
    #[test]
    fn copying_probabilities_equals_an_analysis_with_copied_weights(
        picture in pictures(),
        from: Index,
        to: Index,
        weights in weights(),
    ) {
        let mut parsed = parse_function(&picture);
        let before = profile_of(&parsed);
        let Some(from) = pick_branch(&before, from) else { return Ok(()) };
        let count = before.successors(from).len();
        let Some(to) = pick(&before, to, |block| before.successors(block).len() == count) else { return Ok(()) };
        // The blocks `from` and `to` get the same metadata. If a successor is unreachable, another rule overrides the
        // metadata, so the probabilities of `from` and `to` can differ.
        parsed.function.set_weights(from, &weights[..count]);
        let mut updated = profile_of(&parsed);
        parsed.function.set_weights(to, &weights[..count]);
        let fresh = profile_of(&parsed);
        if fresh.probabilities(from) != fresh.probabilities(to) {
            return Ok(());
        }
        updated.copy_probabilities(from, to).unwrap();
        prop_assert_eq!(updated.rule(to), updated.rule(from));
        updated.recompute().expect("no edge leads to a removed block");
        assert_same(&updated, &fresh);
    }

    /// Removing a block without predecessors does not change the other blocks.
    #[test]
    fn removing_an_unreachable_block_changes_no_other_block(picture in pictures(), block: Index) {
        let parsed = parse_function(&picture);
        let graph = &parsed.function.graph;
        let Some(block) = pick(&profile_of(&parsed), block, |block| !is_entry(block)) else { return Ok(()) };
        // Redirects each edge that leads to the block: the edge then leads back to its own source.
        let mut function = parsed.function.clone();
        function.graph = ControlFlow::new(Graph::from_successors(rewired(graph, |source, row| {
            row.iter_mut().filter(|successor| **successor == block).for_each(|successor| *successor = source);
        })));
        let mut updated = profile(&function, &parsed.conditions);
        updated.forget(block).unwrap();
        prop_assert!(updated.successors(block).is_empty());
        prop_assert_eq!(updated.frequency(block), BlockFrequency::NEVER);
        let before: Vec<_> = updated.blocks().map(|block| updated.frequency(block)).collect();
        updated.recompute().expect("no edge leads to a removed block");
        for other in updated.blocks() {
            prop_assert_eq!(updated.frequency(other), before[other.as_u32() as usize]);
            prop_assert!(!updated.dominators().dominates(block, other));
        }
    }

    /// Splitting an edge gives the same results as a new analysis of the function with one more block.
    #[test]
    fn splitting_an_edge_equals_an_analysis_with_one_more_block(picture in pictures(), block: Index, place: Index) {
        let parsed = parse_function(&picture);
        let mut updated = profile_of(&parsed);
        let Some(source) = pick(&updated, block, |block| !updated.successors(block).is_empty()) else {
            return Ok(());
        };
        let place = place.index(updated.successors(source).len());
        let old: Vec<_> = updated.blocks().map(|block| updated.frequency(block)).collect();

        let middle = updated.add_block(updated.edge_frequency(source, place));
        let target = updated.successors(source)[place];
        updated.set_successors(middle, &[(target, Probability::ONE)]).unwrap();
        let mut edges: Vec<(Block, Probability)> =
            updated.successors(source).iter().copied().zip(updated.probabilities(source).to_vec()).collect();
        edges[place].0 = middle;
        updated.set_successors(source, &edges).unwrap();
        prop_assert_eq!(updated.successor_probability(source, middle), edges[place].1);

        let mut rows = rewired(&parsed.function.graph, |from, row| {
            if from == source {
                row[place] = middle;
            }
        });
        rows.push(target);
        rows.end_row();
        let facts = FunctionFacts {
            header_weights: parsed.function.header_weights.clone(),
            ..FunctionFacts::from(Graph::from_successors(rows))
        };
        let mut fresh = Profile::new(facts, llvm16());
        for block in updated.blocks() {
            fresh.set_probabilities(block, updated.probabilities(block)).unwrap();
        }
        fresh.recompute().expect("no edge leads to a removed block");
        // If LLVM's algorithm conserves the flow, the new block has the correct frequency, except for rounding errors,
        // even before recomputation. LLVM's algorithm does not conserve the flow in irreducible loops and in loops with
        // very many iterations. After recomputation, the frequencies are equal to the frequencies of a new profile.
        let is_infinite = |&(_, scale): &(Block, Scaled)| scale >= Scaled::new(4096, 0);
        let keeps_balance = |profile: &Profile| {
            profile.loops().is_reducible() && !scales(profile).iter().any(is_infinite)
        };
        if keeps_balance(&updated) && keeps_balance(&fresh) {
            let greatest = fresh.blocks().map(|block| fresh.frequency(block)).max().expect("the function has blocks");
            for block in updated.blocks() {
                assert_close(updated.frequency(block), fresh.frequency(block), greatest);
            }
        }
        prop_assert!(updated.blocks().zip(old).all(|(block, old)| updated.frequency(block) == old));
        updated.recompute().expect("no edge leads to a removed block");
        assert_same(&updated, &fresh);
    }

    #[test]
    fn setting_a_frequency_changes_no_other_block(
        picture in pictures(),
        block: Index,
        numerator in 0..=Probability::DENOMINATOR,
    ) {
        let parsed = parse_function(&picture);
        let mut updated = profile_of(&parsed);
        let Some(block) = pick(&updated, block, |block| !is_entry(block)) else { return Ok(()) };
        let frequency = BlockFrequency::UNITY * Probability::from_numerator(numerator);
        updated.set_frequency(block, frequency).unwrap();
        let before = profile_of(&parsed);
        for other in updated.blocks() {
            let expected = if other == block { frequency } else { before.frequency(other) };
            prop_assert_eq!(updated.frequency(other), expected);
            prop_assert_eq!(updated.probabilities(other), before.probabilities(other));
        }
        updated.recompute().expect("no edge leads to a removed block");
        assert_same(&updated, &before);
    }

    /// The hot successor is the only successor with a probability above 80%. The probabilities of parallel edges are
    /// added.
    #[test]
    fn the_hot_successor_has_a_probability_above_four_fifths(picture in pictures()) {
        let profile = profile_of(&parse_function(&picture));
        for block in profile.blocks() {
            let hot = |successor: &Block| profile.successor_probability(block, *successor) > Probability::ratio(4, 5);
            prop_assert_eq!(profile.hot_successor(block), profile.successors(block).iter().copied().find(hot));
        }
    }

    #[test]
    fn failed_updates_change_nothing(picture in pictures(), block: Index, weights in weights()) {
        let parsed = parse_function(&picture);
        let mut updated = profile_of(&parsed);
        let block = pick(&updated, block, |_| true).expect("every function has an entry block");
        let count = updated.successors(block).len();
        let missing = Block::from_u32(updated.blocks().len() as u32);
        let five = shares(&weights);
        if count != five.len() {
            let error = UpdateError::Count { block, successors: count, given: five.len() };
            prop_assert_eq!(updated.set_probabilities(block, &five), Err(error));
        }
        prop_assert_eq!(updated.set_probabilities(missing, &five), Err(UpdateError::NoBlock(missing)));
        prop_assert_eq!(
            updated.set_successors(block, &[(missing, Probability::ONE)]),
            Err(UpdateError::NoBlock(missing))
        );
        let half = Probability::ratio(1, 2);
        prop_assert_eq!(updated.set_successors(block, &[(block, half)]), Err(UpdateError::Sum { block, sum: 1 << 30 }));
        let error = UpdateError::Count { block, successors: count, given: count + 1 };
        prop_assert_eq!(updated.swap_successors(block, 0, count), Err(error));
        prop_assert_eq!(updated.forget(Block::from_u32(0)), Err(UpdateError::Entry));
        assert_same(&updated, &profile_of(&parsed));
    }
}

/// Asserts that two frequencies are equal up to rounding. An edge of probability 0 gets 1 / 2^31 of the flow. The
/// tolerance therefore includes the greatest frequency times 16 / 2^31.
fn assert_close(given: BlockFrequency, computed: BlockFrequency, greatest: BlockFrequency) {
    let unit = greatest * Probability::from_numerator(16);
    let slack = |frequency: BlockFrequency| frequency + frequency * Probability::ratio(1, 1 << 16) + unit;
    assert!(given <= slack(computed) && computed <= slack(given), "given {given}, computed {computed}");
}

/// The results of a profile are the same in another thread and in a clone of the profile.
#[test]
fn profiles_can_be_shared_and_cloned() {
    let parsed = parse_function("entry -> l; l -> l exit; exit");
    let profile = profile_of(&parsed);
    let fresh = profile_of(&parsed);
    std::thread::scope(|scope| {
        scope.spawn(|| assert_same(&profile, &fresh)).join().expect("no panic");
    });
    let mut clone = profile.clone();
    assert_same(&clone, &profile);
    clone.forget(parsed.block("exit")).expect("the block is not the entry");
    assert_same(&profile, &profile_of(&parsed));
}

#[test]
fn errors_name_the_problem() {
    let mut profile =
        Profile::new(FunctionFacts::from(crate::cfg::parse_graph("a -> b c; b; c").unwrap().0), llvm16());
    let (a, b) = (Block::from_u32(0), Block::from_u32(1));
    let text = |result: Result<(), UpdateError>| result.unwrap_err().to_string();
    assert_eq!(
        text(profile.set_frequency(a, BlockFrequency::NEVER)),
        "the entry cannot be removed, and its frequency cannot be set"
    );
    assert_eq!(text(profile.set_probabilities(a, &[Probability::ONE])), "bb0 has 2 successors, not 1");
    assert_eq!(text(profile.copy_probabilities(a, b)), "bb1 has 0 successors, not 2");
    assert_eq!(
        text(profile.set_probabilities(a, &[Probability::ONE, Probability::ONE])),
        "the probabilities of bb0 add up to 4294967296 / 2147483648, not to 1"
    );
    assert_eq!(text(profile.forget(Block::from_u32(3))), "the function has no block bb3");
    profile.forget(b).expect("the block is not the entry");
    assert_eq!(text(profile.recompute()), "an edge leads from bb0 to bb1, which was removed");
    assert_eq!(profile.frequency(b), BlockFrequency::NEVER);
    profile.set_successors(a, &[(Block::from_u32(2), Probability::ONE)]).expect("the edges are valid");
    assert_eq!((profile.recompute(), profile.frequency(b)), (Ok(()), BlockFrequency::NEVER));
}
