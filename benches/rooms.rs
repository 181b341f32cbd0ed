//! The pure rooms one by one, on graphs of about 30,000 blocks: what a change to one of them gives.
//!
//! `cargo bench` runs them; `scripts/dev bench` measures the whole, on real programs and against LLVM.

use std::hint::black_box;

use bpa::bfi::{FrequencyAnalysis, FrequencyInput};
use bpa::bpi::BranchProbabilities;
use bpa::cfg::{Block, Graph, Rows, Workspace};
use bpa::dialect::FrequencyScaling;
use bpa::snapshot::{BlockFacts, Marks, NoConditions, Snapshot};
use criterion::{criterion_group, criterion_main, Criterion};

/// Blocks of each graph, give or take a few.
const BLOCKS: u32 = 30_000;

criterion_group!(rooms, cfg, bpi, bfi);
criterion_main!(rooms);

fn cfg(criterion: &mut Criterion) {
    for (name, snapshot) in snapshots() {
        let mut workspace = Workspace::default();
        criterion.bench_function(&format!("cfg/{name}"), |bencher| {
            bencher.iter(|| workspace.compute(black_box(&snapshot.graph)));
        });
    }
}

fn bpi(criterion: &mut Criterion) {
    for (name, snapshot) in snapshots() {
        let mut workspace = Workspace::default();
        workspace.compute(&snapshot.graph);
        criterion.bench_function(&format!("bpi/{name}"), |bencher| {
            bencher.iter(|| {
                BranchProbabilities::compute(black_box(&snapshot), &mut workspace, &mut NoConditions)
            });
        });
    }
}

fn bfi(criterion: &mut Criterion) {
    for (name, snapshot) in snapshots() {
        let mut workspace = Workspace::default();
        workspace.compute(&snapshot.graph);
        let probabilities = BranchProbabilities::compute(&snapshot, &mut workspace, &mut NoConditions);
        let input = FrequencyInput {
            graph: &snapshot.graph,
            tree: &workspace.tree,
            loops: &workspace.loops,
            probabilities: probabilities.probabilities(),
            header_weights: &snapshot.header_weights,
            scaling: FrequencyScaling::SmallestToEight,
            probing: bpa::dialect::HashProbing::Growing,
        };
        let mut analysis = FrequencyAnalysis::default();
        criterion.bench_function(&format!("bfi/{name}"), |bencher| {
            bencher.iter(|| analysis.compute(black_box(&input)));
        });
    }
}

/// No branch defeats itself.
/// The graphs, one block in a hundred cold.
fn snapshots() -> [(&'static str, Snapshot); 3] {
    [("diamonds", diamonds()), ("nest", nest()), ("irreducible", irreducible())].map(|(name, graph)| {
        let mut snapshot = Snapshot::default();
        for block in graph.blocks() {
            let mut facts = BlockFacts::default();
            if block.as_u32() % 100 == 50 {
                facts.marks.add(Marks::COLD_CALL);
            }
            snapshot.blocks.push(facts);
        }
        snapshot.graph = graph;
        (name, snapshot)
    })
}

/// A chain of diamonds: head, left, right, and on to the next head.
fn diamonds() -> Graph {
    let count = BLOCKS / 3;
    let diamonds = (0..count).flat_map(|diamond| {
        let head = 3 * diamond;
        [vec![head + 1, head + 2], vec![head + 3], vec![head + 3]]
    });
    graph(diamonds.chain([vec![]]))
}

/// Loops inside one another: all headers, then all latches, the innermost one's first.
fn nest() -> Graph {
    let depth = BLOCKS / 2;
    let headers = (0..depth).map(|level| vec![level + 1]);
    let latches = (0..depth).rev().map(|level| vec![level, 2 * depth - level]);
    graph(headers.chain(latches).chain([vec![]]))
}

/// One region that is entered at two places, with edges from everywhere to everywhere.
fn irreducible() -> Graph {
    let end = BLOCKS;
    let tangle = (0..BLOCKS).map(|block| {
        let target = (u64::from(block) * 7_919 + 13) % u64::from(end);
        vec![block + 1, target as u32]
    });
    graph(tangle.chain([vec![]]))
}

fn graph(successors: impl Iterator<Item = Vec<u32>>) -> Graph {
    let mut rows = Rows::default();
    for targets in successors {
        targets.into_iter().for_each(|target| rows.push(Block::from_u32(target)));
        rows.end_row();
    }
    Graph::from_successors(rows)
}
