//! Checks the probabilities that result from branch weights of any size on many edges. Some of the edges lead to
//! `unreachable`. The expected values are computed with wide integers.
#![no_main]

use bpa_core::bpi::{naive, BranchProbabilities, Rule};
use bpa_core::cfg::{Block, Graph};
use bpa_core::facts::{FunctionFacts, NoConditions, Terminator};

libfuzzer_sys::fuzz_target!(|edges: Vec<(u32, u8, bool)>| check(&edges));

/// Checks `edges`. An edge has three parts: a weight, the number of bits by which the weight is shifted to the right,
/// and whether the target ends in `unreachable`.
fn check(edges: &[(u32, u8, bool)]) {
    if edges.len() < 2 {
        return;
    }
    let weights: Vec<u32> =
        edges.iter().map(|edge| edge.0.checked_shr((edge.1 % 40).into()).unwrap_or(0)).collect();
    let is_unreachable: Vec<bool> = edges.iter().map(|edge| edge.2).collect();
    let facts = switch(&weights, &is_unreachable);
    let result = BranchProbabilities::compute(&facts, &mut NoConditions);
    assert_eq!(result.rule(facts.graph().entry()), Rule::Metadata);
    let numerators: Vec<u32> = result.probabilities().iter().map(|edge| edge.numerator()).collect();
    assert_eq!(numerators, naive::metadata_numerators(&weights, &is_unreachable));
    naive::check_sums(facts.graph(), &result);
    naive::check_targets(facts.graph(), &result);
}

/// A switch with the given weights. Different edges have different targets.
fn switch(weights: &[u32], is_unreachable: &[bool]) -> FunctionFacts {
    let targets = || (1..=weights.len() as u32).map(Block::from_u32);
    let lists = std::iter::once(targets().collect()).chain(weights.iter().map(|_| Vec::new()));
    let graph = Graph::from_successor_lists(lists).expect("all successors exist");
    let entry = graph.entry();
    let mut facts = FunctionFacts::builder(graph);
    facts.terminator(entry, Terminator::Switch).weights(entry, weights);
    for (target, _) in targets().zip(is_unreachable).filter(|&(_, &is_unreachable)| is_unreachable) {
        facts.unreachable(target);
    }
    facts.build().expect("the facts are consistent")
}
