//! Computes the dominator tree from a depth-first spanning tree.
//!
//! Vertices are preorder numbers of the spanning tree. The root of the tree is vertex 0. The same code computes
//! dominators and, on the reversed graph, post-dominators.
//!
//! The algorithm is the simple version of Thomas Lengauer and Robert Tarjan, "A fast algorithm for finding dominators in
//! a flowgraph" (TOPLAS 1(1), 1979). It takes O(m log n) time on every graph. LLVM uses Semi-NCA, which needs less code,
//! but takes quadratic time on long paths with many join blocks. Passes over the vertices until nothing changes (Cooper,
//! Harvey and Kennedy) are quadratic on the same graphs.

use std::sync::OnceLock;

/// The value that ends a list of vertices.
const END: u32 = u32::MAX;

/// A dominator tree over the preorder numbers `0..n`.
#[derive(Default)]
pub(super) struct DominatorTree {
    /// The immediate dominator of each vertex. The root is its own immediate dominator.
    idoms: Vec<u32>,
    /// The interval of each subtree of the dominator tree. With these intervals, `dominates` takes constant time.
    intervals: OnceLock<Vec<Interval>>,
    vertices: Vec<Vertex>,
    compression: Vec<u32>,
}

/// A subtree of the dominator tree, as a range of preorder numbers.
#[derive(Clone, Copy, Default)]
struct Interval {
    first: u32,
    size: u32,
    /// How many numbers of the range are already assigned.
    taken: u32,
}

/// The state of a vertex. One struct holds all fields because they are accessed together.
#[derive(Clone, Copy)]
struct Vertex {
    /// The parent in the spanning tree, or a higher ancestor after `eval` has compressed the path.
    ancestor: u32,
    /// On the path from this vertex up to `ancestor`, the vertex with the least semidominator. The path does not
    /// include `ancestor`.
    label: u32,
    semi: u32,
    /// The first vertex whose semidominator is this vertex.
    bucket: u32,
    /// The next vertex with the same semidominator.
    next_in_bucket: u32,
}

impl DominatorTree {
    /// Computes the immediate dominator of each vertex of a depth-first spanning tree. Vertices are preorder numbers.
    /// `parents[v]` is the parent of `v`, and the root is its own parent. `predecessors(v)` are the reached vertices
    /// with an edge to `v`.
    ///
    /// LLVM: `SemiNCAInfo::runSemiNCA`.
    pub(crate) fn compute<I: Iterator<Item = u32>>(
        &mut self,
        parents: &[u32],
        predecessors: impl Fn(u32) -> I,
    ) {
        self.start(parents);
        for vertex in (1..parents.len() as u32).rev() {
            let parent = parents[vertex as usize];
            let mut semi = parent;
            for predecessor in predecessors(vertex) {
                let best = self.eval(predecessor, vertex + 1);
                semi = semi.min(self.vertices[best as usize].semi);
            }
            let bucket = std::mem::replace(&mut self.vertices[semi as usize].bucket, vertex);
            let known = &mut self.vertices[vertex as usize];
            known.semi = semi;
            known.next_in_bucket = bucket;
            self.empty_bucket(parent, vertex);
        }
        for vertex in 1..parents.len() {
            let idom = self.idoms[vertex];
            if idom != self.vertices[vertex].semi {
                self.idoms[vertex] = self.idoms[idom as usize];
            }
        }
    }

    fn start(&mut self, parents: &[u32]) {
        self.intervals.take();
        self.idoms.clear();
        self.idoms.extend_from_slice(parents);
        self.vertices.clear();
        self.vertices.extend((0..).zip(parents).map(|(vertex, &ancestor)| Vertex {
            ancestor,
            label: vertex,
            semi: vertex,
            bucket: END,
            next_in_bucket: END,
        }));
    }

    /// For each vertex V with the semidominator `parent`, finds the immediate dominator of V, or another vertex that
    /// has the same immediate dominator as V. A vertex is linked to its parent if the number of the vertex is at least
    /// `linked`.
    fn empty_bucket(&mut self, parent: u32, linked: u32) {
        let mut vertex = std::mem::replace(&mut self.vertices[parent as usize].bucket, END);
        while vertex != END {
            let best = self.eval(vertex, linked);
            let Vertex { semi, next_in_bucket, .. } = self.vertices[vertex as usize];
            let shares = self.vertices[best as usize].semi < semi;
            self.idoms[vertex as usize] = if shares { best } else { parent };
            vertex = next_in_bucket;
        }
    }

    /// The vertex with the least semidominator on the path from `vertex` to the root of its tree. The path does not
    /// include the root. A vertex is linked to its parent if the number of the vertex is at least `linked`. These links
    /// form the trees.
    ///
    /// LLVM: `SemiNCAInfo::eval`.
    fn eval(&mut self, vertex: u32, linked: u32) -> u32 {
        let Vertex { ancestor, label, .. } = self.vertices[vertex as usize];
        if ancestor < linked {
            return label;
        }
        let mut top = vertex;
        while self.vertices[top as usize].ancestor >= linked {
            self.compression.push(top);
            top = self.vertices[top as usize].ancestor;
        }
        let Vertex { ancestor: root, label: mut best, .. } = self.vertices[top as usize];
        while let Some(below) = self.compression.pop() {
            let own = self.vertices[below as usize].label;
            if self.vertices[best as usize].semi >= self.vertices[own as usize].semi {
                best = own;
            }
            let below = &mut self.vertices[below as usize];
            below.ancestor = root;
            below.label = best;
        }
        best
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

    /// The nearest common dominator of two vertices. A dominator has a lower number than the vertices that it dominates.
    /// The search therefore replaces the vertex with the higher number by its immediate dominator, until both are equal.
    pub(crate) fn nearest_common(&self, one: u32, other: u32) -> u32 {
        let (mut one, mut other) = (one, other);
        while one != other {
            while one > other {
                one = self.idoms[one as usize];
            }
            while other > one {
                other = self.idoms[other as usize];
            }
        }
        one
    }

    /// Whether the vertex `above` dominates the vertex `below`. Every vertex dominates itself.
    pub(crate) fn dominates(&self, above: u32, below: u32) -> bool {
        let intervals = self.intervals.get_or_init(|| self.number_tree());
        let Interval { first, size, .. } = intervals[above as usize];
        intervals[below as usize].first.wrapping_sub(first) < size
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::from_picture;

    /// The blocks `p0`, `p1` and so on form a long path. Each block `pN` with N above 0 also has an edge to the join
    /// block `jN`. Block `p0` has edges to all join blocks. With Semi-NCA, this graph takes quadratic time.
    #[test]
    fn long_paths_with_many_joins() {
        let length = 5000;
        let last = format!("p{length}");
        let mut picture = String::from("p0 -> p1");
        (1..length).for_each(|place| picture += &format!(" j{place}"));
        (1..length).for_each(|place| picture += &format!("; p{place} -> p{} j{place}; j{place}", place + 1));
        let (_, control_flow, block) = from_picture(&(picture + "; " + &last));
        let dominators = control_flow.dominators();
        assert_eq!(dominators.idom(block("j4000")), Some(control_flow.entry()));
        assert_eq!(dominators.idom(block("p4000")), Some(block("p3999")));
    }
}
