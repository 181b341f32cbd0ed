//! Selects the edges that need counters. All other counts can be computed from these counters, and the counted edges
//! are few and rarely taken.
//!
//! ```sh
//! cargo build --release --examples
//! opt -load-pass-plugin=target/release/examples/libcounters.so -passes=counters -disable-output my.bc
//! ```
//!
//! A block is entered as often as it is left. The edges of a spanning tree therefore need no counters, because their
//! counts follow from the counts of the other edges. If the tree consists of the most frequent edges, the number of
//! increments at run time is minimal. The graph has an additional edge from each exit to the entry. A counter on this
//! edge counts returns.
//!
//! Sources: Donald Knuth and Francis Stevenson, "Optimal measurement points for program frequency counts", BIT 13,
//! 1973; Thomas Ball and James Larus, "Optimally profiling and tracing programs", TOPLAS 16(4), 1994.
//!
//! For each function, the pass prints the number of counters and the number of increments per call. For comparison, the
//! pass also prints these numbers for counters on every edge. Then the pass prints a line for each counter.

use std::cmp::Reverse;

use bpa::cfg::Block;
use bpa::plugin::Registry;
use bpa::{BlockFrequency, Function, Profile};

bpa::plugin!("counters", register);

fn register(registry: &mut Registry) {
    registry.add_printer("counters", report);
}

/// An edge and its frequency. An edge from the returning block to the entry represents the return from the function.
#[derive(Clone, Copy)]
struct Edge {
    source: Block,
    target: Block,
    frequency: BlockFrequency,
}

fn report(function: &Function) {
    let profile = function.cached_profile();
    let edges = edges(&profile);
    let counted = outside_of_tree(edges.clone());
    let increments = |edges: &[Edge]| -> BlockFrequency { edges.iter().map(|edge| edge.frequency).sum() };
    let (some, all) = (increments(&counted), increments(&edges));
    let saved = 100.0 * (1.0 - some.to_f64() / all.to_f64());
    eprintln!(
        "{}: counters on {} of {} edges, {some} of {all} increments, {saved:.2}% saved",
        function.name(),
        counted.len(),
        edges.len(),
    );
    for Edge { source, target, frequency } in counted {
        let target = if is_entry(target) { "return".to_string() } else { profile.block_name(target) };
        eprintln!("  {} -> {target}, frequency {frequency}", profile.block_name(source));
    }
}

/// All edges, including returns, with a frequency above 0.
fn edges(profile: &Profile) -> Vec<Edge> {
    let mut edges = Vec::new();
    for source in profile.blocks().filter(|&block| profile.frequency(block) > BlockFrequency::NEVER) {
        let successors = profile.successors(source);
        for (place, &target) in successors.iter().enumerate() {
            edges.push(Edge { source, target, frequency: profile.edge_frequency(source, place) });
        }
        if successors.is_empty() {
            edges.push(Edge {
                source,
                target: profile.graph().entry(),
                frequency: profile.frequency(source),
            });
        }
    }
    edges
}

/// Returns the edges that are not in a maximum spanning tree. In this tree, the sum of the edge frequencies is greatest
/// (Joseph Kruskal, "On the shortest spanning subtree of a graph", 1956).
fn outside_of_tree(mut edges: Vec<Edge>) -> Vec<Edge> {
    edges.sort_by_key(|edge| Reverse(edge.frequency));
    let last = edges.iter().map(|edge| edge.source.max(edge.target).as_u32()).max().unwrap_or(0);
    let mut trees: Vec<u32> = (0..=last).collect();
    edges.retain(|edge| {
        let (one, other) = (tree_of(edge.source, &mut trees), tree_of(edge.target, &mut trees));
        trees[one as usize] = other;
        one == other
    });
    edges
}

/// The root of the tree that contains `block`. The search halves the path to the root.
fn tree_of(block: Block, above: &mut [u32]) -> u32 {
    let mut node = block.as_u32();
    while above[node as usize] != node {
        above[node as usize] = above[above[node as usize] as usize];
        node = above[node as usize];
    }
    node
}

/// Whether `block` is the entry block. `edges` represents each return as an edge to this block.
fn is_entry(block: Block) -> bool {
    block.as_u32() == 0
}
