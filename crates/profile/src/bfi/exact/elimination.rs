//! Solves one irreducible region by eliminating one node after another.
//!
//! The flow into a node continues to the node's successors in proportion to the weights. The elimination of a node N
//! replaces each edge P -> N by edges from P to all successors of N other than P. The flow into the last node follows
//! from the flow that enters the region. Back substitution computes the flow into the other nodes.
//!
//! This is Gaussian elimination in the form of Winfried Grassmann, Michael Taksar and Daniel Heyman ("Regenerative
//! analysis and steady state distributions for Markov chains", Operations Research 33(5), 1985). The pivot is the part
//! of a node's flow that does not return directly to the node. The pivot is computed as the sum of the flow to other
//! nodes, instead of 1 minus the returning flow. Without subtraction, no digits are lost, even if the flow rarely
//! leaves the region (Colm O'Cinneide, "Entrywise perturbation theory and error analysis for Markov chains", Numerische
//! Mathematik 65, 1993).
//!
//! The next node to eliminate is the node with the fewest pairs of an incoming and an outgoing edge. The source of this
//! order is Harry Markowitz, "The elimination form of the inverse and its application to linear programming",
//! Management Science 3(3), 1957.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::real::Real;

/// The region that is being solved. The memory is reused for the next region.
#[derive(Default)]
pub(crate) struct Elimination {
    rows: EliminationGraph,
    /// For each node, the sum of the weights of its edges out of the region.
    leaving: Vec<Real>,
    /// The flow into each node from outside the region and from eliminated nodes.
    inflow: Vec<Real>,
    /// The nodes, ordered by their numbers of [pairs](EliminationGraph::pairs). An entry is outdated if its node was
    /// eliminated, or if the number of pairs of its node has changed.
    queue: BinaryHeap<(Reverse<u64>, u32)>,
    /// For each node, the number of pairs in its newest entry in `queue`.
    queued: Vec<Option<u64>>,
    /// The eliminated nodes, in the order of elimination.
    steps: Vec<EliminatedNode>,
    /// For each eliminated node, its incoming edges at the time of its elimination.
    columns: Vec<WeightedEdge>,
    solution: Vec<Real>,
}

struct EliminatedNode {
    node: u32,
    first_column: usize,
    /// 1 divided by the sum of the weights of the node's outgoing edges.
    per_weight: Real,
}

impl Elimination {
    /// Prepares `self` for a new region with `count` nodes. At first, the nodes have no edges, and no flow enters them.
    pub(crate) fn start(&mut self, count: usize) {
        self.rows.start(count);
        for numbers in [&mut self.leaving, &mut self.inflow, &mut self.solution] {
            numbers.clear();
            numbers.resize(count, Real::ZERO);
        }
        self.steps.clear();
        self.columns.clear();
    }

    /// Adds flow that enters the region at `node`.
    pub(crate) fn add_inflow(&mut self, node: u32, inflow: Real) {
        self.inflow[node as usize] += inflow;
    }

    /// Adds an edge that starts at `node` and leaves the region.
    pub(crate) fn add_leaving(&mut self, node: u32, weight: Real) {
        self.leaving[node as usize] += weight;
    }

    /// Adds an edge between two different nodes of the region.
    pub(crate) fn add_edge(&mut self, from: u32, to: u32, weight: Real) {
        self.rows.add(from, to, weight);
    }

    /// Whether no edge leaves the region.
    pub(crate) fn is_infinite(&self) -> bool {
        self.leaving.iter().all(|weight| weight.is_zero())
    }

    /// Moves weight from edges inside the region to edges that leave the region. An edge inside the region loses
    /// 1/2^`power` of its weight if its target also gets flow from outside. This part of the weight then leads out of
    /// the region.
    pub(crate) fn leak(&mut self, power: u32) {
        for node in 0..self.inflow.len() {
            for edge in self.rows.row_mut(node as u32) {
                if !self.inflow[edge.node as usize].is_zero() {
                    self.leaving[node] += edge.weight.shifted(-(power as i32));
                    edge.weight = edge.weight.times((1 << power) - 1, -(power as i32));
                }
            }
        }
    }

    /// Computes the flow into each node. Each node must have a path out of the region.
    pub(crate) fn solve(&mut self) {
        self.queue.clear();
        self.queued.clear();
        self.queued.resize(self.inflow.len(), None);
        (0..self.inflow.len() as u32).for_each(|node| self.enqueue(node));
        while let Some((Reverse(pairs), node)) = self.queue.pop() {
            if !self.rows.is_taken(node) && self.rows.pairs(node) == pairs {
                self.take_out(node);
            }
        }
        self.substitute();
    }

    /// The flow into each node, after a call of [`solve`](Self::solve).
    pub(crate) fn solution(&self) -> &[Real] {
        &self.solution
    }

    /// Adds an entry for `node`. If the number of pairs has not changed, the queue still contains an entry for `node`.
    fn enqueue(&mut self, node: u32) {
        let pairs = self.rows.pairs(node);
        if self.queued[node as usize].replace(pairs) != Some(pairs) {
            self.queue.push((Reverse(pairs), node));
        }
    }

    fn take_out(&mut self, node: u32) {
        let first_column = self.columns.len();
        let mut row = self.rows.take_out(node, &mut self.columns);
        let leaving = self.leaving[node as usize];
        let total = row.iter().fold(leaving, |sum, edge| sum + edge.weight);
        let per_weight = Real::ONE / total;
        self.steps.push(EliminatedNode { node, first_column, per_weight });
        let leaving = leaving * per_weight;
        row.iter_mut().for_each(|edge| edge.weight = edge.weight * per_weight);

        for &WeightedEdge { node: source, weight } in &self.columns[first_column..] {
            self.leaving[source as usize] += weight * leaving;
            self.rows.add_multiple(source, weight, &row);
        }
        let inflow = self.inflow[node as usize];
        for edge in &row {
            self.inflow[edge.node as usize] += inflow * edge.weight;
            self.enqueue(edge.node);
        }
        for place in first_column..self.columns.len() {
            self.enqueue(self.columns[place].node);
        }
        self.rows.give_back(node, row);
    }

    /// Computes the flow into each node, in reverse order of elimination.
    fn substitute(&mut self) {
        let mut end = self.columns.len();
        for step in self.steps.iter().rev() {
            let column = &self.columns[step.first_column..end];
            let sum = column.iter().fold(self.inflow[step.node as usize], |sum, edge| {
                sum + self.solution[edge.node as usize] * edge.weight
            });
            self.solution[step.node as usize] = sum * step.per_weight;
            end = step.first_column;
        }
    }
}

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
