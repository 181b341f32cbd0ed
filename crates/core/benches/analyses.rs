//! Benchmarks each analysis on graphs of about 30,000 blocks.
//!
//! `cargo bench` runs these benchmarks. `scripts/dev bench` measures all analyses on real programs, in comparison with
//! LLVM.

use std::hint::black_box;

use bpa_core::bfi::{FrequencyAnalysis, FrequencyInput};
use bpa_core::bpi::BranchProbabilities;
use bpa_core::cfg::{Block, ControlFlow, Graph};
use bpa_core::dialect::Dialect;
use bpa_core::facts::{FunctionFacts, NoConditions};
use criterion::{criterion_group, criterion_main, BatchSize, Criterion};

/// The approximate number of blocks of each graph.
const BLOCKS: u32 = 30_000;

criterion_group!(analyses, cfg, bpi, bfi);
criterion_main!(analyses);

fn cfg(criterion: &mut Criterion) {
    for (name, facts) in functions() {
        criterion.bench_function(&format!("cfg/{name}"), |bencher| {
            let fresh = || ControlFlow::new(facts.graph().graph().clone());
            bencher.iter_batched(fresh, computed, BatchSize::LargeInput);
        });
    }
}

fn bpi(criterion: &mut Criterion) {
    for (name, facts) in functions() {
        criterion.bench_function(&format!("bpi/{name}"), |bencher| {
            bencher.iter(|| BranchProbabilities::compute(black_box(&facts), &mut NoConditions));
        });
    }
}

fn bfi(criterion: &mut Criterion) {
    for (name, facts) in functions() {
        let probabilities = BranchProbabilities::compute(&facts, &mut NoConditions);
        let llvm16 = Dialect::named("16").expect("a supported version");
        let input = FrequencyInput::new(facts.graph(), probabilities.probabilities(), llvm16)
            .with_header_weights(facts.header_weights());
        let mut analysis = FrequencyAnalysis::default();
        criterion.bench_function(&format!("bfi/{name}"), |bencher| {
            bencher.iter(|| analysis.compute(black_box(&input)));
        });
    }
}

/// Computes the structures that every function needs. The caller drops these structures, so the benchmark does not
/// include the time to drop them.
fn computed(control_flow: ControlFlow) -> ControlFlow {
    control_flow.dominators();
    control_flow.loops();
    control_flow.sccs();
    control_flow
}

/// One function for each kind of graph. Every hundredth block of a function is cold.
fn functions() -> [(&'static str, FunctionFacts); 3] {
    [("diamonds", diamonds()), ("nest", nest()), ("irreducible", irreducible())].map(|(name, graph)| {
        let cold: Vec<Block> = graph.blocks().filter(|block| block.as_u32() % 100 == 50).collect();
        let mut facts = FunctionFacts::builder(graph);
        cold.into_iter().for_each(|block| _ = facts.cold_call(block));
        (name, facts.build().expect("each block can contain a cold call"))
    })
}

/// A chain of `if`-`else` statements (diamonds). Each diamond has three blocks in this layout order: the block with the
/// branch, the `if` block and the `else` block. The last two blocks lead to the next diamond.
fn diamonds() -> Graph {
    let count = BLOCKS / 3;
    let diamonds = (0..count).flat_map(|diamond| {
        let head = 3 * diamond;
        [vec![head + 1, head + 2], vec![head + 3], vec![head + 3]]
    });
    graph(diamonds.chain([vec![]]))
}

/// Nested loops. All headers precede all latches, and the latch of the innermost loop is the first latch.
fn nest() -> Graph {
    let depth = BLOCKS / 2;
    let headers = (0..depth).map(|level| vec![level + 1]);
    let latches = (0..depth).rev().map(|level| vec![level, 2 * depth - level]);
    graph(headers.chain(latches).chain([vec![]]))
}

/// One irreducible region with two entries and many random edges.
fn irreducible() -> Graph {
    let end = BLOCKS;
    let tangle = (0..BLOCKS).map(|block| {
        let target = (u64::from(block) * 7_919 + 13) % u64::from(end);
        vec![block + 1, target as u32]
    });
    graph(tangle.chain([vec![]]))
}

fn graph(successors: impl Iterator<Item = Vec<u32>>) -> Graph {
    let lists = successors.map(|targets| targets.into_iter().map(Block::from_u32));
    Graph::from_successor_lists(lists).expect("all successors exist")
}
