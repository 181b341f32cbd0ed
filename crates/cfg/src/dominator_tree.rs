//! Computes the dominator tree from a depth-first spanning tree.
//!
//! Vertices are preorder numbers of the spanning tree. The root of the tree is vertex 0. The same code computes
//! dominators and, on the reversed graph, post-dominators.
//!
//! For most graphs, a few passes over the vertices suffice (Keith Cooper, Timothy Harvey and Ken Kennedy, "A simple,
//! fast dominance algorithm", 2001). A pass visits the vertices in reverse postorder, and computes the nearest common
//! dominator of the predecessors of each vertex. The first pass omits retreating edges, because their sources do not
//! have a dominator yet. If adding these edges changes nothing, the tree is complete. If all cycles are natural loops,
//! one pass suffices. In this case, every path from the root visits the target of a retreating edge before it takes the
//! edge. If a loop has several exits, its reversed graph needs two or three passes over the vertices. If more than
//! [`MOST_PASSES`] passes or too many steps are needed,
//! [Lengauer and Tarjan's algorithm](super::lengauer_tarjan) computes the tree.

use std::sync::OnceLock;

use super::lengauer_tarjan::LengauerTarjan;

/// The value for an immediate dominator that is not known yet.
const UNKNOWN: u32 = u32::MAX;

/// On average, each vertex and each visited edge may take this number of steps up the tree. Graphs of real programs
/// need fewer than two steps on average. If a graph exceeds the limit, Lengauer and Tarjan's algorithm computes the
/// tree.
const STEPS: usize = 8;

/// The maximum number of passes. If the tree is incomplete after these passes, Lengauer and Tarjan's algorithm computes
/// the tree.
const MOST_PASSES: usize = 4;

/// A dominator tree over the preorder numbers `0..n`.
#[derive(Default)]
pub(super) struct DominatorTree {
    /// The immediate dominator of each vertex. The root is its own immediate dominator.
    idoms: Vec<u32>,
    /// The interval of each subtree of the dominator tree. With these intervals, `dominates` takes constant time.
    intervals: OnceLock<Vec<Interval>>,
    reverse_postorder: Vec<u32>,
    /// The vertices with a predecessor other than their parent in the spanning tree, in reverse postorder. All other
    /// vertices have their parent as immediate dominator.
    joins: Vec<u32>,
    /// The source and the target of each edge that the first pass omits.
    retreating_edges: Vec<(u32, u32)>,
    fallback: LengauerTarjan,
}

/// A subtree of the dominator tree, as a range of preorder numbers.
#[derive(Clone, Copy, Default)]
struct Interval {
    first: u32,
    size: u32,
    /// How many numbers of the range are already assigned.
    taken: u32,
}

impl DominatorTree {
    /// Computes the tree. `parents[v]` is the parent of `v` in the spanning tree, `reverse_postorder` is the reverse
    /// postorder of the spanning tree, and `predecessors(v)` are the reached vertices with an edge to `v`.
    pub(crate) fn compute<I: Iterator<Item = u32>>(
        &mut self,
        parents: &[u32],
        reverse_postorder: impl Iterator<Item = u32>,
        predecessors: impl Fn(u32) -> I,
    ) {
        self.reverse_postorder.clear();
        self.reverse_postorder.extend(reverse_postorder);
        self.intervals.take();
        if !self.compute_in_passes(parents, &predecessors, MOST_PASSES) {
            self.fallback.compute(parents, predecessors, &mut self.idoms);
        }
    }

    /// Computes the tree in passes. Returns false if the tree needs more passes or more steps than allowed.
    fn compute_in_passes<I: Iterator<Item = u32>>(
        &mut self,
        parents: &[u32],
        predecessors: &impl Fn(u32) -> I,
        most_passes: usize,
    ) -> bool {
        self.retreating_edges.clear();
        self.joins.clear();
        self.idoms.clear();
        self.idoms.resize(parents.len(), UNKNOWN);
        self.idoms[0] = 0;
        let mut steps_left = STEPS * parents.len();
        for number in 0..most_passes {
            let is_complete = match number {
                0 => self.first_pass(parents, predecessors, &mut steps_left),
                _ => self.pass(parents, predecessors, &mut steps_left),
            };
            if is_complete.is_none() {
                return false;
            }
            if self.retreating_edges_hold(&mut steps_left) {
                return true;
            }
        }
        false
    }

    /// Sets the immediate dominator of each vertex to the nearest common dominator of those predecessors that precede
    /// the vertex in reverse postorder. Returns `None` if the pass needs more steps than allowed.
    fn first_pass<I: Iterator<Item = u32>>(
        &mut self,
        parents: &[u32],
        predecessors: &impl Fn(u32) -> I,
        steps_left: &mut usize,
    ) -> Option<()> {
        for &vertex in &self.reverse_postorder[1..] {
            // The parent in the spanning tree is a predecessor that this pass has already visited.
            let parent = parents[vertex as usize];
            let (mut idom, mut is_join) = (parent, false);
            for predecessor in predecessors(vertex) {
                *steps_left += STEPS;
                if predecessor == parent {
                    continue;
                }
                is_join = true;
                if self.idoms[predecessor as usize] == UNKNOWN {
                    self.retreating_edges.push((predecessor, vertex));
                    continue;
                }
                idom = nearest_common(&self.idoms, idom, predecessor, steps_left)?;
            }
            self.idoms[vertex as usize] = idom;
            if is_join {
                self.joins.push(vertex);
            }
        }
        Some(())
    }

    /// Replaces the immediate dominator of each join by the nearest common dominator of the join's predecessors.
    /// Returns `None` if the pass needs more steps than allowed.
    fn pass<I: Iterator<Item = u32>>(
        &mut self,
        parents: &[u32],
        predecessors: &impl Fn(u32) -> I,
        steps_left: &mut usize,
    ) -> Option<()> {
        for &vertex in &self.joins {
            let mut idom = parents[vertex as usize];
            for predecessor in predecessors(vertex) {
                *steps_left += STEPS;
                idom = nearest_common(&self.idoms, idom, predecessor, steps_left)?;
            }
            self.idoms[vertex as usize] = idom;
        }
        Some(())
    }

    /// Checks the dominator tree against the edges that the first pass skipped. Returns false if one of these edges
    /// contradicts the tree, or if the check needs more steps than allowed.
    fn retreating_edges_hold(&self, steps_left: &mut usize) -> bool {
        self.retreating_edges.iter().all(|&(source, target)| {
            let idom = self.idoms[target as usize];
            nearest_common(&self.idoms, source, idom, steps_left) == Some(idom)
        })
    }

    /// Assigns an interval to every subtree of the dominator tree. A dominator has a lower number than the vertices
    /// that it dominates. Two passes over the vertices therefore suffice: one in descending order and one in ascending
    /// order.
    ///
    /// LLVM: `DominatorTreeBase::updateDFSNumbers`.
    fn number_tree(&self) -> Vec<Interval> {
        let mut intervals = vec![Interval { first: 0, size: 1, taken: 1 }; self.idoms.len()];
        for vertex in (1..self.idoms.len()).rev() {
            intervals[self.idoms[vertex] as usize].size += intervals[vertex].size;
        }
        for vertex in 1..self.idoms.len() {
            let size = intervals[vertex].size;
            let idom = &mut intervals[self.idoms[vertex] as usize];
            let first = idom.first + idom.taken;
            idom.taken += size;
            intervals[vertex].first = first;
        }
        intervals
    }

    /// The immediate dominator of `vertex`, or `None` for the root.
    pub(crate) fn idom(&self, vertex: u32) -> Option<u32> {
        (vertex != 0).then(|| self.idoms[vertex as usize])
    }

    /// The nearest common dominator of `one` and `other`.
    pub(crate) fn nearest_common(&self, one: u32, other: u32) -> u32 {
        let mut steps_left = usize::MAX;
        nearest_common(&self.idoms, one, other, &mut steps_left)
            .expect("no tree has more than usize::MAX levels")
    }

    /// Whether the vertex `above` dominates the vertex `below`. Every vertex dominates itself.
    pub(crate) fn dominates(&self, above: u32, below: u32) -> bool {
        let intervals = self.intervals.get_or_init(|| self.number_tree());
        let Interval { first, size, .. } = intervals[above as usize];
        intervals[below as usize].first.wrapping_sub(first) < size
    }
}

/// The nearest common dominator of two vertices, or `None` if the search took more than `steps_left` steps. A dominator
/// has a lower number than the vertices that it dominates. The search therefore replaces the vertex with the higher
/// number by its immediate dominator, until both vertices are equal.
fn nearest_common(idoms: &[u32], mut one: u32, mut other: u32, steps_left: &mut usize) -> Option<u32> {
    let mut steps = 0;
    while one != other {
        while one > other {
            one = idoms[one as usize];
            steps += 1;
        }
        while other > one {
            other = idoms[other as usize];
            steps += 1;
        }
    }
    *steps_left = steps_left.checked_sub(steps)?;
    Some(one)
}

#[cfg(test)]
mod tests {
    use super::super::test_support::from_picture;
    use super::super::ControlFlow;
    use super::DominatorTree;

    /// Whether the dominator tree of `control_flow` is complete after the number of passes in `passes`.
    fn are_enough(passes: usize, control_flow: &ControlFlow) -> bool {
        let walk = control_flow.tree();
        let mut tree = DominatorTree::default();
        tree.reverse_postorder.extend(walk.postorder().iter().rev().filter_map(|&block| walk.number(block)));
        let predecessors = |vertex| {
            let block = walk.preorder()[vertex as usize];
            control_flow.predecessors(block).iter().filter_map(|&predecessor| walk.number(predecessor))
        };
        tree.compute_in_passes(walk.parents(), &predecessors, passes)
    }

    #[test]
    fn one_pass_is_enough_for_natural_loops() {
        let (_, control_flow, _) =
            from_picture("entry -> a; a -> b exit; b -> b c; c -> a exit; dead -> b; exit");
        assert!(are_enough(1, &control_flow));
        let (_, control_flow, _) = from_picture("entry -> x y; x -> a; y -> b; a -> b; b -> a exit; exit");
        assert!(!are_enough(1, &control_flow));
        assert!(are_enough(2, &control_flow));
    }

    /// The blocks `p0`, `p1` and so on form a long path. Each block `pN` with N above 0 also has an edge to the join
    /// block `jN`. Block `p0` has edges to all join blocks.
    #[test]
    fn long_paths_up_the_tree_use_the_fallback() {
        let length = 5000;
        let last = format!("p{length}");
        let mut picture = String::from("p0 -> p1");
        (1..length).for_each(|place| picture += &format!(" j{place}"));
        (1..length).for_each(|place| picture += &format!("; p{place} -> p{} j{place}; j{place}", place + 1));
        let (_, control_flow, block) = from_picture(&(picture + "; " + &last));
        assert!(!are_enough(9, &control_flow));
        let dominators = control_flow.dominators();
        assert_eq!(dominators.idom(block("j4000")), Some(control_flow.entry()));
        assert_eq!(dominators.idom(block("p4000")), Some(block("p3999")));
    }
}
