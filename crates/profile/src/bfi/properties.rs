//! Property tests of block frequencies and of the arithmetic.

use proptest::collection::vec;
use proptest::prelude::*;

use super::test_function::TestFunction;
use super::{naive, BlockFrequencies, FrequencyAnalysis, FrequencyInput};
use crate::bpi::Probability;
use crate::cfg::test_support::config;
use crate::cfg::{Adjacency, Block, ControlFlow, Graph};
use crate::dialect::{Dialect, FrequencyScaling, HashProbing};

/// A function: for each block, the list of its successors with their weights.
pub(super) type Lists = Vec<Vec<(usize, u32)>>;

/// An acyclic function. Each block except the last has one to four edges to later blocks. Only the last block
/// returns.
fn acyclic() -> impl Strategy<Value = Lists> {
    vec(vec((any::<prop::sample::Index>(), 1u32..1000), 1..5), 1..16).prop_map(|choices| {
        let last = choices.len();
        let mut lists: Lists = choices
            .iter()
            .enumerate()
            .map(|(block, edges)| {
                edges.iter().map(|(later, weight)| (block + 1 + later.index(last - block), *weight)).collect()
            })
            .collect();
        lists.push(Vec::new());
        lists
    })
}

/// A function in which every loop is natural and has an exit. The strategy generates an acyclic function, and adds
/// edges u -> v, where v dominates u.
pub(super) fn reducible() -> impl Strategy<Value = Lists> {
    (acyclic(), vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 1u32..1000), 0..6)).prop_map(
        |(mut lists, backs)| {
            let graph = ControlFlow::new(graph_of(&lists));
            let dominators = graph.dominators();
            let last = lists.len() - 1;
            for (source, header, weight) in backs {
                let source = source.index(last);
                let candidates: Vec<usize> = (1..=source)
                    .filter(|&above| dominators.dominates(block_of(above), block_of(source)))
                    .collect();
                if !candidates.is_empty() {
                    lists[source].push((candidates[header.index(candidates.len())], weight));
                }
            }
            lists
        },
    )
}

/// Functions of any shape. They can have unreachable blocks, infinite loops, irreducible loops and weights of 0.
pub(super) fn any_function() -> impl Strategy<Value = Lists> {
    vec(vec((any::<prop::sample::Index>(), 0u32..20), 0..4), 2..24).prop_map(|choices| {
        let others = choices.len() - 1;
        let list = |edges: &Vec<(prop::sample::Index, u32)>| {
            let mut list: Vec<(usize, u32)> =
                edges.iter().map(|(target, weight)| (1 + target.index(others), *weight)).collect();
            if let Some(first) = list.first_mut().filter(|_| edges.iter().all(|edge| edge.1 == 0)) {
                first.1 = 1;
            }
            list
        };
        choices.iter().map(list).collect()
    })
}

fn block_of(number: usize) -> Block {
    Block::from_u32(number as u32)
}

pub(super) fn graph_of(lists: &Lists) -> Graph {
    let mut rows = Adjacency::default();
    for list in lists {
        list.iter().for_each(|&(target, _)| rows.push(block_of(target)));
        rows.end_row();
    }
    Graph::from_successors(rows)
}

pub(super) fn function_of(lists: &Lists) -> TestFunction {
    let weights: Vec<u32> = lists.iter().flatten().map(|&(_, weight)| weight).collect();
    TestFunction::weighted(graph_of(lists), &weights)
}

/// Inserts a new block into every edge. Returns the new function, and the source and target of each edge.
fn with_split_edges(lists: &Lists) -> (Lists, Vec<(usize, usize)>) {
    let mut split = lists.clone();
    let mut ends = Vec::new();
    for source in 0..lists.len() {
        for edge in 0..lists[source].len() {
            let target = lists[source][edge].0;
            split[source][edge].0 = split.len();
            split.push(vec![(target, 1)]);
            ends.push((source, target));
        }
    }
    (split, ends)
}

/// The mass of `block`, which must be outside all loops. If the mass is m units, the frequency is (m + 1) x 2^-64, and
/// full mass has the frequency 1.
fn mass(frequencies: &BlockFrequencies, block: usize) -> u128 {
    let frequency = frequencies.scaled(block_of(block));
    match (frequency.digits(), frequency.exponent()) {
        (0, _) => 0,
        (1, 0) => u64::MAX.into(),
        (units, -64) => u128::from(units) - 1,
        other => panic!("no mass has the frequency {other:?}"),
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn mass_is_conserved_across_every_cut(lists in acyclic()) {
        let (split, edges) = with_split_edges(&lists);
        let frequencies = function_of(&split).frequencies();
        for cut in 1..lists.len() {
            let crossing = (lists.len()..).zip(&edges).filter(|(_, edge)| edge.0 < cut && edge.1 >= cut);
            let total: u128 = crossing.map(|(block, _)| mass(&frequencies, block)).sum();
            prop_assert_eq!(total, u128::from(u64::MAX), "total mass of edges across the cut at block {}", cut);
        }
    }

    #[test]
    fn without_loops_the_mass_of_a_block_is_the_sum_of_its_incoming_masses(lists in acyclic()) {
        let (split, edges) = with_split_edges(&lists);
        let frequencies = function_of(&split).frequencies();
        for block in 1..lists.len() {
            let incoming = (lists.len()..).zip(&edges).filter(|(_, edge)| edge.1 == block);
            let total: u128 = incoming.map(|(middle, _)| mass(&frequencies, middle)).sum();
            prop_assert_eq!(mass(&frequencies, block), total, "mass of block {}, and its incoming mass", block);
        }
    }

    /// The functions have cycles of every kind, nested cycles, and header weights.
    #[test]
    fn frequencies_and_reference_frequencies_match_exact_arithmetic(
        lists in prop_oneof![any_function(), reducible()],
        weights in vec(prop::option::weighted(0.3, 0u64..9), 24),
        newer: bool,
    ) {
        let mut function = function_of(&lists);
        let given = (0..lists.len()).zip(weights).filter_map(|(block, weight)| Some((block_of(block), weight?)));
        function.header_weights = given.collect();
        if newer {
            function.scaling = FrequencyScaling::LargestTo54Bits;
        }
        let biases = function.biases();
        naive::check(&function.input(), &function.frequencies(), |block| biases.of(block).reference);
    }

    #[test]
    fn exactly_the_reachable_blocks_have_a_frequency(lists in any_function()) {
        let function = function_of(&lists);
        let frequencies = function.frequencies();
        prop_assert!(frequencies.entry_integer() > 0);
        for block in function.graph.blocks() {
            prop_assert_eq!(frequencies.integer(block) > 0, function.reaches(block));
            prop_assert_eq!(!frequencies.scaled(block).is_zero(), function.reaches(block));
        }
    }

    /// The order of successors determines the depth-first search, and therefore the result. The order of blocks in
    /// the function does not affect the result.
    #[test]
    fn block_numbers_do_not_affect_frequencies(
        lists in any_function(),
        places in Just((1..24).collect::<Vec<usize>>()).prop_shuffle(),
        weights in vec(prop::option::of(0u64..5), 24),
    ) {
        let others: Vec<usize> = places.into_iter().filter(|&place| place < lists.len()).collect();
        let renamed = |block: usize| if block == 0 { 0 } else { others[block - 1] };
        let mut moved = vec![Vec::new(); lists.len()];
        for (block, list) in lists.iter().enumerate() {
            moved[renamed(block)] = list.iter().map(|&(target, weight)| (renamed(target), weight)).collect();
        }
        let (mut original, mut moved) = (function_of(&lists), function_of(&moved));
        for (block, weight) in (0..lists.len()).zip(weights) {
            let Some(weight) = weight else { continue };
            original.header_weights.push((block_of(block), weight));
            moved.header_weights.push((block_of(renamed(block)), weight));
        }
        moved.header_weights.sort_unstable();
        let (before, after) = (original.frequencies(), moved.frequencies());
        let nests = [original.nest(), moved.nest()];
        for block in 0..lists.len() {
            let (old, new) = (block_of(block), block_of(renamed(block)));
            prop_assert_eq!(before.text(old).to_string(), after.text(new).to_string());
            prop_assert_eq!(before.scaled(old), after.scaled(new));
            prop_assert_eq!(nests[0].is_irreducible_header(old), nests[1].is_irreducible_header(new));
        }
    }

    /// Above 128 edges, LLVM merges parallel edges through a hash table, whose probing decides the order. The masses of
    /// all targets must add up to the mass of the entry, and each mass must be exact except for rounding.
    #[test]
    fn many_edges_share_the_mass(
        edges in vec((any::<prop::sample::Index>(), prop_oneof![0..9u32, 0..=Probability::DENOMINATOR]), 1..300),
        probing in prop_oneof![Just(HashProbing::Growing), Just(HashProbing::Linear)],
    ) {
        let star: Vec<(usize, u32)> =
            edges.iter().map(|(target, numerator)| (1 + target.index(edges.len()), *numerator)).collect();
        let mut lists = vec![star.clone()];
        lists.resize(edges.len() + 1, Vec::new());
        let graph = ControlFlow::new(graph_of(&lists));
        let probabilities: Vec<_> = star.iter().map(|edge| Probability::from_numerator(edge.1)).collect();
        let mut input = FrequencyInput::new(&graph, &probabilities, Dialect::named("16").expect("a version"));
        input.probing = probing;
        let frequencies = FrequencyAnalysis::default().compute(&input);
        let mut weights = vec![0u64; lists.len()];
        star.iter().for_each(|&(target, numerator)| weights[target] += u64::from(numerator.max(1)));
        let total: u64 = weights.iter().sum();
        let parts = weights.iter().filter(|&&weight| weight > 0).count() as u128;
        // `split` in naive/mod.rs derives this bound.
        let narrowed = if total >> 32 == 0 { 0 } else { ((parts + 1) << 64) / ((1 << 30) - parts) };
        let error = parts * ((1 << 32) + 1) + narrowed + 1;
        let masses: Vec<u128> = (1..lists.len()).map(|block| mass(&frequencies, block)).collect();
        for (&found, &weight) in masses.iter().zip(&weights[1..]) {
            let exact = (u128::from(weight) << 64) / u128::from(total);
            prop_assert!(found.abs_diff(exact) <= error, "the mass is {found}, not {exact}");
        }
        prop_assert_eq!(masses.iter().sum::<u128>(), u128::from(u64::MAX));
    }
}
