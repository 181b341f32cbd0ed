//! What is made of branch weights of any size on many edges, some of which never complete, in wide arithmetic.
#![no_main]

use bpa::bpi::{BranchProbabilities, Rule};
use bpa::cfg::{Block, Graph, Rows, Workspace};
use bpa::snapshot::{BlockFacts, Marks, NoConditions, Snapshot, Terminator};
use bpa_fuzz::bpi::naive;

libfuzzer_sys::fuzz_target!(|edges: Vec<(u32, u8, bool)>| check(&edges));

/// `edges`: a weight, how far to shift it down, and whether the edge never completes.
fn check(edges: &[(u32, u8, bool)]) {
    if edges.len() < 2 {
        return;
    }
    let weights: Vec<u32> =
        edges.iter().map(|edge| edge.0.checked_shr((edge.1 % 40).into()).unwrap_or(0)).collect();
    let is_unreachable: Vec<bool> = edges.iter().map(|edge| edge.2).collect();
    let snapshot = switch(&weights, &is_unreachable);
    let mut workspace = Workspace::default();
    workspace.compute(&snapshot.graph);
    let result = BranchProbabilities::compute(&snapshot, &mut workspace, &mut NoConditions);
    assert_eq!(result.rule(snapshot.graph.entry()), Rule::Metadata);
    let numerators: Vec<u32> = result.probabilities().iter().map(|edge| edge.numerator()).collect();
    assert_eq!(numerators, naive::believed(&weights, &is_unreachable));
    naive::check_sums(&snapshot.graph, &result);
    naive::check_targets(&snapshot.graph, &result);
}

/// A switch with these weights to blocks of their own.
fn switch(weights: &[u32], is_unreachable: &[bool]) -> Snapshot {
    let mut rows = Rows::default();
    (1..=weights.len() as u32).for_each(|target| rows.push(Block::from_u32(target)));
    (0..=weights.len()).for_each(|_| rows.end_row());
    let mut snapshot = Snapshot { graph: Graph::from_successors(rows), ..Snapshot::default() };
    snapshot.blocks.push(BlockFacts { terminator: Terminator::Switch, ..BlockFacts::default() });
    for &unreachable in is_unreachable {
        let mut facts = BlockFacts::default();
        if unreachable {
            facts.marks.add(Marks::NEVER_COMPLETES);
        }
        snapshot.blocks.push(facts);
    }
    snapshot.set_weights(snapshot.graph.entry(), weights);
    snapshot
}
