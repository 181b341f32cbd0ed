//! What is left of a region that is too much to eliminate, by iteration.
//!
//! Two steps take iterations. One goes through the nodes, and lets each have what comes to it by what the others have at the
//! time (Gauss and Seidel). That soon has neighbours right, and takes long to have right what is far apart, or is rarely
//! gone between. So the other puts nodes into a few groups, of nodes that much goes between, solves the flow between
//! groups by elimination, and scales the nodes of each (J. Koury, David McAllister and William Stewart, "Iterative
//! methods for computing stationary distributions of nearly completely decomposable Markov chains", SIAM Journal on
//! Algebraic and Discrete Methods 5(2), 1984). After it as much leaves the region as enters it.
//!
//! It ends when nothing has changed by more than one part in 2^48 in the course of a step, or after 200 rounds. What
//! changed at most is what each equation is residual by at most, as a part of the node's own.

use super::elimination::Elimination;
use super::elimination_graph::WeightedEdge;
use super::real::Real;

/// How many groups there are at most: so many are solved in no time. Of few nodes eight make a group.
const GROUPS: usize = 64;
/// After so many rounds it ends, however much changes.
const ROUNDS: usize = 200;
/// A change of less than one part in 2^48 is none.
const SETTLED: Real = Real::power(-48);

/// The nodes that are left, from 0 on, while they are solved.
#[derive(Default)]
pub(super) struct Iteration {
    /// The edges to each node, by their sources, and where those of each end.
    columns: Vec<WeightedEdge>,
    column_ends: Vec<u32>,
    leaving: Vec<Real>,
    inflow: Vec<Real>,
    /// 1 over the weight of all edges out of each node.
    per_weight: Vec<Real>,
    groups: Groups,
    coarse: Elimination,
    solution: Vec<Real>,
}

impl Iteration {
    /// Starts with no nodes.
    pub fn start(&mut self) {
        self.columns.clear();
        self.column_ends.clear();
        self.leaving.clear();
        self.inflow.clear();
        self.per_weight.clear();
        self.solution.clear();
    }

    /// Adds the next node: the edges to it, what of it leaves, what comes to it first, and the weight of all edges out
    /// of it.
    pub fn add(
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

    /// How much comes to each node, and by how much of a node's own each equation is residual at most.
    pub fn solve(&mut self) -> (&[Real], Real) {
        self.put_into_groups();
        let mut change = Real::ONE;
        for _ in 0..ROUNDS {
            self.scale_groups();
            self.sweep(true);
            change = self.sweep(false);
            if change < SETTLED {
                break;
            }
        }
        (&self.solution, change)
    }

    fn column(&self, node: usize) -> &[WeightedEdge] {
        let first = node.checked_sub(1).map_or(0, |before| self.column_ends[before] as usize);
        &self.columns[first..self.column_ends[node] as usize]
    }

    /// Lets each node have what comes to it. The most that any has changed, as a part of what it had.
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

    /// Scales the nodes of each group so that flow between groups is right.
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

    /// Joins nodes that much goes between: first into groups of about the same size, and then, if those are too many,
    /// into fewer.
    fn put_into_groups(&mut self) {
        let count = self.solution.len();
        let mut edges: Vec<(i32, u32, u32)> = Vec::with_capacity(self.columns.len());
        for target in 0..count {
            edges.extend(self.column(target).iter().map(|edge| {
                let share = edge.weight * self.per_weight[edge.node as usize];
                (-share.log2_floor(), edge.node, target as u32)
            }));
        }
        // The order among those of about the same share is theirs in the region.
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
    /// A node nearer to the one that stands for the group; in the end the group's number.
    parents: Vec<u32>,
    sizes: Vec<u32>,
    count: usize,
}

impl Groups {
    /// Starts with each of `count` nodes by itself.
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

    /// Joins the groups of two nodes, unless there would be more than `most` in it.
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

    /// Numbers the groups, which are final.
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

    /// The number of a node's group.
    fn of(&self, node: usize) -> u32 {
        self.parents[node]
    }
}
