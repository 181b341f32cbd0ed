//! The dominator tree over a depth-first spanning tree.
//!
//! Vertices are preorder numbers of the spanning tree, 0 the root; both the forward and the reversed graph fit that shape.
//!
//! Mostly few passes over the vertices are enough (Keith Cooper, Timothy Harvey and Ken Kennedy, "A simple, fast dominance
//! algorithm", 2001): in reverse postorder, of each vertex the nearest common dominator of its predecessors, in the first
//! pass of those that come before it. The edges that were left out are looked at then: if they would change nothing, the
//! tree is right. That is so after one pass where all cycles are natural loops, as almost everywhere, since a path that
//! takes such an edge has been where it leads. In the reversed graph of a loop with several exits, it takes two or three.
//! If it takes more, or if the ways up the tree get long, the tree is computed [the other
//! way](super::lengauer_tarjan).

use std::sync::OnceLock;

use super::lengauer_tarjan::LengauerTarjan;

/// The immediate dominator of a vertex that has none yet.
const UNKNOWN: u32 = u32::MAX;

/// So many steps up the tree are taken for each vertex and edge before the other algorithm takes over. On real programs
/// there are fewer than two.
const STEPS: usize = 8;

/// So many passes are made before it does.
const MOST_PASSES: usize = 4;

/// A dominator tree over the preorder numbers `0..n`.
#[derive(Default)]
pub(super) struct DominatorTree {
    /// Immediate dominator of each vertex; the root is its own.
    idoms: Vec<u32>,
    /// Preorder of the dominator tree and size of each subtree, for constant-time queries.
    intervals: OnceLock<Vec<Interval>>,
    order: Order,
    /// Edges that one pass leaves out: source and target.
    retreating_edges: Vec<(u32, u32)>,
    fallback: LengauerTarjan,
}

/// A dominator subtree as a range of dominator-tree preorder numbers.
#[derive(Clone, Copy, Default)]
struct Interval {
    first: u32,
    size: u32,
    /// The place after the subtrees that have theirs, from `first` on.
    taken: u32,
}

impl DominatorTree {
    /// Computes the tree. `parents[v]` is v's parent in the spanning tree; `predecessors(v)` are the reached vertices
    /// with an edge to v.
    pub fn compute<I: Iterator<Item = u32>>(&mut self, parents: &[u32], predecessors: impl Fn(u32) -> I) {
        self.order.compute(parents);
        self.compute_in_order(parents, predecessors);
    }

    /// The same where the spanning tree's reverse postorder is at hand.
    pub fn compute_with_order<I: Iterator<Item = u32>>(
        &mut self,
        parents: &[u32],
        reverse_postorder: impl Iterator<Item = u32>,
        predecessors: impl Fn(u32) -> I,
    ) {
        self.order.reverse_postorder.clear();
        self.order.reverse_postorder.extend(reverse_postorder);
        self.compute_in_order(parents, predecessors);
    }

    fn compute_in_order<I: Iterator<Item = u32>>(
        &mut self,
        parents: &[u32],
        predecessors: impl Fn(u32) -> I,
    ) {
        self.intervals.take();
        if !self.compute_in_passes(parents, &predecessors, MOST_PASSES) {
            self.fallback.compute(parents, predecessors, &mut self.idoms);
        }
    }

    /// False if that takes many passes, or long.
    fn compute_in_passes<I: Iterator<Item = u32>>(
        &mut self,
        parents: &[u32],
        predecessors: &impl Fn(u32) -> I,
        most_passes: usize,
    ) -> bool {
        self.retreating_edges.clear();
        self.idoms.clear();
        self.idoms.resize(parents.len(), UNKNOWN);
        self.idoms[0] = 0;
        let mut steps_left = STEPS * parents.len();
        for _ in 0..most_passes {
            if self.pass(parents, predecessors, &mut steps_left).is_none() {
                return false;
            }
            if self.retreating_edges_hold(&mut steps_left) {
                return true;
            }
        }
        false
    }

    /// Raises immediate dominators, once each, to where the edges demand that come from vertices with one; none if that
    /// takes long.
    fn pass<I: Iterator<Item = u32>>(
        &mut self,
        parents: &[u32],
        predecessors: &impl Fn(u32) -> I,
        steps_left: &mut usize,
    ) -> Option<()> {
        for &vertex in &self.order.reverse_postorder[1..] {
            let mut idom = self.idoms[vertex as usize];
            if idom == UNKNOWN {
                // The parent comes before, and is a predecessor.
                idom = parents[vertex as usize];
            }
            for predecessor in predecessors(vertex) {
                *steps_left += STEPS;
                if self.idoms[predecessor as usize] == UNKNOWN {
                    self.retreating_edges.push((predecessor, vertex));
                    continue;
                }
                idom = nearest_common(&self.idoms, idom, predecessor, steps_left)?;
            }
            self.idoms[vertex as usize] = idom;
        }
        Some(())
    }

    /// Whether the edges that the first pass left out demand nothing more. It may be false where that takes long.
    fn retreating_edges_hold(&self, steps_left: &mut usize) -> bool {
        self.retreating_edges.iter().all(|&(source, target)| {
            let idom = self.idoms[target as usize];
            nearest_common(&self.idoms, source, idom, steps_left) == Some(idom)
        })
    }

    /// Gives every subtree of the dominator tree an interval. A dominator's number is below those of the
    /// vertices it dominates, so two sweeps do it.
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

    /// The immediate dominator of `vertex`; none for the root.
    pub fn idom(&self, vertex: u32) -> Option<u32> {
        (vertex != 0).then(|| self.idoms[vertex as usize])
    }

    /// The vertex furthest down that dominates both.
    pub fn nearest_common(&self, one: u32, other: u32) -> u32 {
        let mut steps_left = usize::MAX;
        nearest_common(&self.idoms, one, other, &mut steps_left).expect("no tree is that deep")
    }

    /// Whether `above` dominates `below`; every vertex dominates itself.
    pub fn dominates(&self, above: u32, below: u32) -> bool {
        let intervals = self.intervals.get_or_init(|| self.number_tree());
        let Interval { first, size, .. } = intervals[above as usize];
        intervals[below as usize].first.wrapping_sub(first) < size
    }
}

/// The vertex furthest down that dominates both; none if it is more steps away than are left. A dominator's number is
/// below those of the vertices it dominates, so that of two vertices the one with the higher number is never it, unless
/// they are one.
fn nearest_common(idoms: &[u32], mut one: u32, mut other: u32, steps_left: &mut usize) -> Option<u32> {
    while one != other {
        *steps_left = steps_left.checked_sub(1)?;
        if one < other {
            std::mem::swap(&mut one, &mut other);
        }
        one = idoms[one as usize];
    }
    Some(one)
}

/// Reverse postorder, from preorder numbers and parents alone.
#[derive(Default)]
struct Order {
    reverse_postorder: Vec<u32>,
    /// Of each vertex, how many are below it in the spanning tree, itself included, and how many above it.
    places: Vec<(u32, u32)>,
}

impl Order {
    /// When the walk leaves a vertex, it has left all with lower numbers but those above, and all below it.
    fn compute(&mut self, parents: &[u32]) {
        let count = parents.len();
        self.places.clear();
        self.places.resize(count, (1, 0));
        for vertex in (1..count).rev() {
            self.places[parents[vertex] as usize].0 += self.places[vertex].0;
        }
        self.reverse_postorder.clear();
        self.reverse_postorder.resize(count, 0);
        for (vertex, &parent) in parents.iter().enumerate() {
            let above = if vertex == 0 { 0 } else { self.places[parent as usize].1 + 1 };
            self.places[vertex].1 = above;
            let left_before = vertex as u32 - above + self.places[vertex].0 - 1;
            self.reverse_postorder[count - 1 - left_before as usize] = vertex as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::drawn;
    use super::super::ControlFlow;
    use super::DominatorTree;

    /// Whether that many passes are enough for the dominators of `control_flow`.
    fn are_enough(passes: usize, control_flow: &ControlFlow) -> bool {
        let walk = control_flow.tree();
        let mut tree = DominatorTree::default();
        tree.order.compute(walk.parents());
        let predecessors = |vertex| {
            let block = walk.preorder()[vertex as usize];
            control_flow.predecessors(block).iter().filter_map(|&predecessor| walk.number(predecessor))
        };
        tree.compute_in_passes(walk.parents(), &predecessors, passes)
    }

    #[test]
    fn one_pass_is_enough_for_natural_loops() {
        let (_, control_flow, _) = drawn("entry -> a; a -> b exit; b -> b c; c -> a exit; dead -> b; exit");
        assert!(are_enough(1, &control_flow));
        let (_, control_flow, _) = drawn("entry -> x y; x -> a; y -> b; a -> b; b -> a exit; exit");
        assert!(!are_enough(1, &control_flow));
        assert!(are_enough(2, &control_flow));
    }

    /// From each block of a long path there is a way to a block of its own that the path's first block leads to as well.
    #[test]
    fn long_paths_up_the_tree_use_the_fallback() {
        let length = 5000;
        let last = format!("p{length}");
        let mut picture = String::from("p0 -> p1");
        (1..length).for_each(|place| picture += &format!(" j{place}"));
        (1..length).for_each(|place| picture += &format!("; p{place} -> p{} j{place}; j{place}", place + 1));
        let (_, control_flow, block) = drawn(&(picture + "; " + &last));
        assert!(!are_enough(9, &control_flow));
        let dominators = control_flow.dominators();
        assert_eq!(dominators.idom(block("j4000")), Some(control_flow.entry()));
        assert_eq!(dominators.idom(block("p4000")), Some(block("p3999")));
    }
}
