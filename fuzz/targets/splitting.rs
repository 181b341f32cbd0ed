//! Checks the distribution of mass among many edges, including parallel edges. The result depends on how LLVM's hash
//! tables search for a free bucket. The fuzz target checks the result for two search methods of LLVM. The masses
//! of all targets must add up to the mass of the entry. Each mass must be exact except for rounding.
#![no_main]

use bpa_core::bfi::{BlockFrequencies, FrequencyAnalysis, FrequencyInput};
use bpa_core::bpi::Probability;
use bpa_core::cfg::{Adjacency, Block, ControlFlow, Graph};
use bpa_core::dialect::{Dialect, HashProbing};

libfuzzer_sys::fuzz_target!(|edges: Vec<(u16, u32)>| check(&edges));

/// Checks the distribution of mass over `edges`, which start at the entry. Each edge is described by its target and the
/// numerator of its probability.
fn check(edges: &[(u16, u32)]) {
    if edges.is_empty() {
        return;
    }
    let targets: Vec<u64> = edges.iter().map(|edge| 1 + u64::from(edge.0) % edges.len() as u64).collect();
    let numerators: Vec<u32> = edges.iter().map(|edge| edge.1 % (Probability::DENOMINATOR + 1)).collect();
    let graph = star(&targets);
    let mut weights = vec![0u64; graph.block_count()];
    for (&target, &numerator) in targets.iter().zip(&numerators) {
        weights[target as usize] += u64::from(numerator.max(1));
    }
    let total: u64 = weights.iter().sum();
    let parts = weights.iter().filter(|&&weight| weight > 0).count() as u128;
    // `split` in crates/profile/src/bfi/naive/mod.rs derives this bound.
    let narrowed = if total >> 32 == 0 { 0 } else { ((parts + 1) << 64) / ((1 << 30) - parts) };
    let error = parts * ((1 << 32) + 1) + narrowed + 1;
    for probing in [HashProbing::Growing, HashProbing::Linear] {
        let frequencies = frequencies(&graph, &numerators, probing);
        let mut sum = 0;
        for block in graph.blocks().skip(1) {
            let (mass, weight) = (mass(&frequencies, block), weights[block.as_u32() as usize]);
            let exact = (u128::from(weight) << 64) / u128::from(total);
            assert!(mass.abs_diff(exact) <= error, "the mass of {block} is {mass}, not {exact}");
            sum += mass;
        }
        assert_eq!(sum, u64::MAX.into(), "the sum of the masses is not u64::MAX");
    }
}

fn star(targets: &[u64]) -> ControlFlow {
    let mut rows = Adjacency::default();
    targets.iter().for_each(|&target| rows.push(Block::from_u32(target as u32)));
    (0..=targets.len()).for_each(|_| rows.end_row());
    Graph::from_successors(rows).into()
}

fn frequencies(graph: &ControlFlow, numerators: &[u32], probing: HashProbing) -> BlockFrequencies {
    let probabilities: Vec<Probability> =
        numerators.iter().copied().map(Probability::from_numerator).collect();
    let llvm16 = Dialect::named("16").expect("a supported version");
    let mut input = FrequencyInput::new(graph, &probabilities, llvm16);
    input.probing = probing;
    FrequencyAnalysis::default().compute(&input)
}

/// The mass of a block, in units of 2^-64. The frequency of a block is the mass of the block plus 2^-64. For example,
/// the entry has the mass 1 - 2^-64 and the frequency 1.
fn mass(frequencies: &BlockFrequencies, block: Block) -> u128 {
    let frequency = frequencies.scaled(block);
    match (frequency.digits(), frequency.exponent()) {
        (0, _) => 0,
        (1, 0) => u64::MAX.into(),
        (units, -64) => u128::from(units) - 1,
        other => panic!("no mass has the frequency {other:?}"),
    }
}
