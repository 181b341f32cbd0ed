//! The edges among the nodes of a region during elimination.

use rustc_hash::FxHashMap;

use super::real::Real;

/// An edge to or from `node`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeightedEdge {
    pub node: u32,
    pub weight: Real,
}

/// If a row has at least this many edges, a hash table also contains these edges.
const WIDE: usize = 32;

/// For each node, its outgoing edges and the sources of its incoming edges. A node has at most one edge to each target.
#[derive(Default)]
pub(super) struct EliminationGraph {
    rows: Vec<Vec<WeightedEdge>>,
    /// The sources of the edges to each node, possibly including eliminated nodes.
    sources: Vec<Vec<u32>>,
    /// For each node, the number of its sources that are not eliminated.
    source_counts: Vec<u32>,
    taken: Vec<bool>,
    /// For wide rows, the index of an edge in its row, by source and target. A row that becomes wide counts as wide
    /// until the end, even if it loses edges.
    wide: FxHashMap<(u32, u32), u32>,
    is_wide: Vec<bool>,
    /// For each node of the current row, its index in the row. The indices of other nodes are outdated: before use,
    /// check that the row has the node at this index.
    places: Vec<u32>,
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
        self.wide.clear();
        self.is_wide.clear();
        self.is_wide.resize(count, false);
        self.places.clear();
        self.places.resize(count, 0);
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
        match self.place(from, to) {
            Some(place) => self.rows[from as usize][place].weight += weight,
            None => self.push(from, to, weight),
        }
    }

    /// Multiplies the weights of the edges `on` by `factor`, and adds the result to the edges of `from`. Skips edges to
    /// `from` itself.
    pub(crate) fn add_multiple(&mut self, from: u32, factor: Real, on: &[WeightedEdge]) {
        let length = self.row(from).len();
        // If `on` has few edges, it is faster to look up each of them. Otherwise it is faster to visit the whole row
        // once.
        if self.is_wide[from as usize] && on.len() * 8 < length {
            for edge in on.iter().filter(|edge| edge.node != from) {
                self.add(from, edge.node, factor * edge.weight);
            }
            return;
        }
        for (place, edge) in self.rows[from as usize].iter().enumerate() {
            self.places[edge.node as usize] = place as u32;
        }
        for edge in on.iter().filter(|edge| edge.node != from) {
            let added = factor * edge.weight;
            let place = self.places[edge.node as usize] as usize;
            match self.rows[from as usize].get_mut(place) {
                Some(own) if own.node == edge.node => own.weight += added,
                _ => {
                    self.places[edge.node as usize] = self.row(from).len() as u32;
                    self.push(from, edge.node, added);
                }
            }
        }
    }

    /// Eliminates `node`. Returns its outgoing edges, and appends its incoming edges to `column`. In `column`, the node
    /// of each edge is the source.
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
        row.iter().for_each(|edge| self.source_counts[edge.node as usize] -= 1);
        row
    }

    /// Gives the memory of a row back to the graph.
    pub(crate) fn give_back(&mut self, node: u32, row: Vec<WeightedEdge>) {
        self.rows[node as usize] = row;
    }

    fn place(&self, from: u32, to: u32) -> Option<usize> {
        if self.is_wide[from as usize] {
            return self.wide.get(&(from, to)).map(|&place| place as usize);
        }
        self.row(from).iter().position(|edge| edge.node == to)
    }

    fn push(&mut self, from: u32, to: u32, weight: Real) {
        self.rows[from as usize].push(WeightedEdge { node: to, weight });
        self.sources[to as usize].push(from);
        self.source_counts[to as usize] += 1;
        let row = &self.rows[from as usize];
        let new = match self.is_wide[from as usize] {
            true => row.len() - 1..row.len(),
            false if row.len() >= WIDE => 0..row.len(),
            false => return,
        };
        self.is_wide[from as usize] = true;
        self.wide.extend(new.map(|place| ((from, row[place].node), place as u32)));
    }

    fn remove(&mut self, from: u32, to: u32) -> Real {
        let place = self.place(from, to).expect("the edge exists");
        let row = &mut self.rows[from as usize];
        let edge = row.swap_remove(place);
        if self.is_wide[from as usize] {
            self.wide.remove(&(from, to));
            if let Some(moved) = row.get(place) {
                self.wide.insert((from, moved.node), place as u32);
            }
        }
        edge.weight
    }
}
