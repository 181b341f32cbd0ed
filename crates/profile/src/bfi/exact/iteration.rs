//! Solves a region by iteration, if too many nodes remain to be eliminated.
//!
//! Two steps alternate:
//!
//! 1. Gauss-Seidel: for each node, compute the flow into the node from the current flow into the other nodes. The ratio
//!    between the flows of neighbouring nodes converges fast. The ratio between the flows of distant nodes converges
//!    slowly, and so does the flow along rare edges.
//! 2. Aggregation: put nodes with much flow between them into a few groups. Compute the flow between groups by
//!    elimination, and scale the flow of the nodes in each group (J. Koury, David McAllister and William Stewart,
//!    "Iterative methods for computing stationary distributions of nearly completely decomposable Markov chains", SIAM
//!    Journal on Algebraic and Discrete Methods 5(2), 1984). After this step, the flow that leaves the region equals
//!    the flow that enters it.
//!
//! A round is one aggregation, followed by two passes of Gauss-Seidel: forwards and backwards through the nodes. The
//! iteration ends if the second pass changes each value by less than 2^-48 of the value, and at the latest after 200
//! rounds. The greatest relative change in the last pass is the residual of the equations.

use super::elimination::Elimination;
use super::elimination_graph::WeightedEdge;
use super::real::Real;

/// The greatest number of groups. A small region has one group for every eight nodes.
const GROUPS: usize = 64;
/// The greatest number of rounds.
const ROUNDS: usize = 200;
/// The iteration has converged if all relative changes are smaller than this number.
const CONVERGED: Real = Real::power(-48);

/// The nodes that remain after elimination, numbered from 0.
#[derive(Default)]
pub(super) struct Iteration {
    /// The incoming edges of all nodes, grouped by node. The field `node` of an edge is the edge's source.
    /// `column_ends` has the index at which the edges of each node end.
    columns: Vec<WeightedEdge>,
    column_ends: Vec<u32>,
    leaving: Vec<Real>,
    inflow: Vec<Real>,
    /// For each node, 1 divided by the sum of the weights of its outgoing edges.
    per_weight: Vec<Real>,
    groups: Groups,
    coarse: Elimination,
    solution: Vec<Real>,
}

impl Iteration {
    /// Removes all nodes of the previous region.
    pub(crate) fn start(&mut self) {
        self.columns.clear();
        self.column_ends.clear();
        self.leaving.clear();
        self.inflow.clear();
        self.per_weight.clear();
        self.solution.clear();
    }

    /// Adds the next node. `leaving` is the sum of the weights of its edges out of the region. `weight` is the sum of
    /// the weights of all its outgoing edges.
    pub(crate) fn add(
        &mut self,
        column: impl Iterator<Item = WeightedEdge>,
        leaving: Real,
        inflow: Real,
        weight: Real,
    ) {
        self.columns.extend(column);
        self.column_ends.push(self.columns.len() as u32);
        self.leaving.push(leaving);
        self.inflow.push(inflow);
        self.per_weight.push(Real::ONE / weight);
        self.solution.push(Real::ONE);
    }

    /// Computes the flow into each node, and the greatest relative residual.
    pub(crate) fn solve(&mut self) -> (&[Real], Real) {
        self.put_into_groups();
        let mut change = Real::ONE;
        for _ in 0..ROUNDS {
            self.scale_groups();
            self.sweep(true);
            change = self.sweep(false);
            if change < CONVERGED {
                break;
            }
        }
        (&self.solution, change)
    }

    fn column(&self, node: usize) -> &[WeightedEdge] {
        let first = node.checked_sub(1).map_or(0, |before| self.column_ends[before] as usize);
        &self.columns[first..self.column_ends[node] as usize]
    }

    /// Computes the flow into each node from the flow into the other nodes. Returns the greatest relative change.
    fn sweep(&mut self, forwards: bool) -> Real {
        let count = self.solution.len();
        let mut most = Real::ZERO;
        for step in 0..count {
            let node = if forwards { step } else { count - 1 - step };
            let passed = |sum, edge: &WeightedEdge| sum + self.solution[edge.node as usize] * edge.weight;
            let sum = self.column(node).iter().fold(self.inflow[node], passed);
            let (old, new) = (self.solution[node], sum * self.per_weight[node]);
            most = most.max(new.distance(old) / old);
            self.solution[node] = new;
        }
        most
    }

    /// Scales the flow of each group so that the flow between groups is balanced.
    fn scale_groups(&mut self) {
        let mut coarse = std::mem::take(&mut self.coarse);
        coarse.start(self.groups.count);
        for node in 0..self.solution.len() {
            let (group, here) = (self.groups.of(node), self.solution[node]);
            coarse.add_inflow(group, self.inflow[node]);
            coarse.add_leaving(group, here * self.leaving[node]);
            for edge in self.column(node) {
                let from = self.groups.of(edge.node as usize);
                if from != group {
                    coarse.add_edge(from, group, self.solution[edge.node as usize] * edge.weight);
                }
            }
        }
        coarse.eliminate(u64::MAX);
        coarse.substitute();
        for (node, solution) in self.solution.iter_mut().enumerate() {
            *solution = *solution * coarse.solution()[self.groups.of(node) as usize];
        }
        self.coarse = coarse;
    }

    /// Joins nodes with much flow between them into groups. The first pass limits the size of a group. If there are
    /// still too many groups, the second pass joins groups without this limit.
    fn put_into_groups(&mut self) {
        let count = self.solution.len();
        let mut edges: Vec<(i32, u32, u32)> = Vec::with_capacity(self.columns.len());
        for target in 0..count {
            edges.extend(self.column(target).iter().map(|edge| {
                let share = edge.weight * self.per_weight[edge.node as usize];
                (-share.log2_floor(), edge.node, target as u32)
            }));
        }
        // Edges whose shares have the same logarithm are ordered by source and target.
        edges.sort_unstable();
        self.groups.start(count);
        let groups = GROUPS.min(1 + count / 8);
        for most in [2 * count / groups, count] {
            for &(_, source, target) in &edges {
                if self.groups.count > groups {
                    self.groups.join(source, target, most as u32);
                }
            }
        }
        self.groups.number();
    }
}

/// Disjoint sets of nodes (Bernard Galler and Michael Fischer, "An improved equivalence algorithm", CACM 7(5), 1964).
#[derive(Default)]
struct Groups {
    /// The parent of each node in the tree of its group. After a call of `number`: the index of each node's group.
    parents: Vec<u32>,
    sizes: Vec<u32>,
    count: usize,
}

impl Groups {
    /// Starts with `count` groups of one node each.
    fn start(&mut self, count: usize) {
        self.parents.clear();
        self.parents.extend(0..count as u32);
        self.sizes.clear();
        self.sizes.resize(count, 1);
        self.count = count;
    }

    fn root(&mut self, mut node: u32) -> u32 {
        while self.parents[node as usize] != node {
            let above = self.parents[self.parents[node as usize] as usize];
            self.parents[node as usize] = above;
            node = above;
        }
        node
    }

    /// Joins the groups of two nodes, if the joined group has at most `most` nodes.
    fn join(&mut self, one: u32, other: u32, most: u32) {
        let (one, other) = (self.root(one), self.root(other));
        let together = self.sizes[one as usize] + self.sizes[other as usize];
        if one == other || together > most {
            return;
        }
        let (above, below) =
            if self.sizes[one as usize] < self.sizes[other as usize] { (other, one) } else { (one, other) };
        self.parents[below as usize] = above;
        self.sizes[above as usize] = together;
        self.count -= 1;
    }

    /// Numbers the groups. Must be called after the last call of `join`.
    fn number(&mut self) {
        let roots: Vec<u32> = (0..self.parents.len() as u32).map(|node| self.root(node)).collect();
        let mut numbers = vec![u32::MAX; roots.len()];
        let mut next = 0;
        for (parent, &root) in self.parents.iter_mut().zip(&roots) {
            let number = &mut numbers[root as usize];
            if *number == u32::MAX {
                *number = next;
                next += 1;
            }
            *parent = *number;
        }
    }

    /// The index of the group of `node`.
    fn of(&self, node: usize) -> u32 {
        self.parents[node]
    }
}
