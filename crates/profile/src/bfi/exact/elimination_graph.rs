//! The edges among the nodes of a region during elimination.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::real::Real;

/// An edge to or from `node`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeightedEdge {
    pub node: u32,
    pub weight: Real,
}

/// For each node, its outgoing edges and the sources of its incoming edges. A node has at most one edge to each target.
#[derive(Default)]
pub(super) struct EliminationGraph {
    rows: Vec<Vec<WeightedEdge>>,
    /// The sources of the edges to each node, possibly including eliminated nodes.
    sources: Vec<Vec<u32>>,
    /// For each node, the number of its sources that are not eliminated.
    source_counts: Vec<u32>,
    taken: Vec<bool>,
    /// The index of each edge in the row of its source. The table has no edges of eliminated nodes.
    places: FxHashMap<EdgeKey, u32>,
}

/// The source and the target of an edge. One number is hashed faster than two.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct EdgeKey(u64);

impl EdgeKey {
    fn new(from: u32, to: u32) -> Self {
        EdgeKey(u64::from(from) << 32 | u64::from(to))
    }
}

impl EliminationGraph {
    /// Starts with `count` nodes without edges.
    pub(crate) fn start(&mut self, count: usize) {
        if self.rows.len() < count {
            self.rows.resize_with(count, Vec::new);
            self.sources.resize_with(count, Vec::new);
        }
        self.rows[..count].iter_mut().for_each(Vec::clear);
        self.sources[..count].iter_mut().for_each(Vec::clear);
        self.source_counts.clear();
        self.source_counts.resize(count, 0);
        self.taken.clear();
        self.taken.resize(count, false);
        self.places.clear();
    }

    /// The edges of `node` to nodes that are not eliminated.
    pub(crate) fn row(&self, node: u32) -> &[WeightedEdge] {
        &self.rows[node as usize]
    }

    /// The edges of `node` to nodes that are not eliminated, with mutable weights.
    pub(crate) fn row_mut(&mut self, node: u32) -> &mut [WeightedEdge] {
        &mut self.rows[node as usize]
    }

    /// Whether `node` has been eliminated.
    pub(crate) fn is_taken(&self, node: u32) -> bool {
        self.taken[node as usize]
    }

    /// The number of incoming edges of `node` times the number of its outgoing edges.
    pub(crate) fn pairs(&self, node: u32) -> u64 {
        u64::from(self.source_counts[node as usize]) * self.row(node).len() as u64
    }

    /// Adds `weight` to the edge between two different nodes. Creates the edge if it does not exist.
    pub(crate) fn add(&mut self, from: u32, to: u32, weight: Real) {
        debug_assert_ne!(from, to);
        let row = &mut self.rows[from as usize];
        match self.places.entry(EdgeKey::new(from, to)) {
            Entry::Occupied(place) => row[*place.get() as usize].weight += weight,
            Entry::Vacant(place) => {
                place.insert(row.len() as u32);
                row.push(WeightedEdge { node: to, weight });
                self.sources[to as usize].push(from);
                self.source_counts[to as usize] += 1;
            }
        }
    }

    /// Adds each edge in the list `on` as an outgoing edge of the node `from`, with its weight multiplied by `factor`.
    /// The weights of edges with equal targets are added. Skips edges to `from` itself.
    pub(crate) fn add_multiple(&mut self, from: u32, factor: Real, on: &[WeightedEdge]) {
        for edge in on.iter().filter(|edge| edge.node != from) {
            self.add(from, edge.node, factor * edge.weight);
        }
    }

    /// Eliminates `node`. Returns the outgoing edges of `node`, and appends the incoming edges of `node` to `column`.
    /// Each edge in `column` stores its source node, not its target node.
    pub(crate) fn take_out(&mut self, node: u32, column: &mut Vec<WeightedEdge>) -> Vec<WeightedEdge> {
        self.taken[node as usize] = true;
        let row = std::mem::take(&mut self.rows[node as usize]);
        let sources = std::mem::take(&mut self.sources[node as usize]);
        for &source in &sources {
            if !self.taken[source as usize] {
                let weight = self.remove(source, node);
                column.push(WeightedEdge { node: source, weight });
            }
        }
        self.sources[node as usize] = sources;
        for edge in &row {
            self.places.remove(&EdgeKey::new(node, edge.node));
            self.source_counts[edge.node as usize] -= 1;
        }
        row
    }

    /// Gives the memory of a row back to the graph.
    pub(crate) fn give_back(&mut self, node: u32, row: Vec<WeightedEdge>) {
        self.rows[node as usize] = row;
    }

    fn remove(&mut self, from: u32, to: u32) -> Real {
        let row = &mut self.rows[from as usize];
        let place = self.places.remove(&EdgeKey::new(from, to)).expect("the edge exists");
        let removed = row.swap_remove(place as usize);
        if let Some(moved) = row.get(place as usize) {
            self.places.insert(EdgeKey::new(from, moved.node), place);
        }
        removed.weight
    }
}
