//! Dominators of any flow graph.
//!
//! Thomas Lengauer and Robert Tarjan, "A fast algorithm for finding dominators in a flowgraph" (TOPLAS 1(1), 1979),
//! in its simple form, which takes O(m log n) on every graph. Semi-NCA, which LLVM uses, is a little shorter and
//! quadratic on long chains with many joins. Vertices are preorder numbers of a depth-first spanning tree, 0 the
//! root; both the forward and the reversed graph fit that shape.

/// No vertex: the end of a list.
const END: u32 = u32::MAX;

/// A dominator tree over the preorder numbers `0..n`.
#[derive(Default)]
pub(super) struct DominatorTree {
    /// Immediate dominator of each vertex; the root is its own.
    idoms: Vec<u32>,
    semis: Vec<u32>,
    labels: Vec<u32>,
    /// Tree parents, shortened as `eval` compresses paths.
    ancestors: Vec<u32>,
    compression: Vec<u32>,
    /// For each vertex, the first of those whose semidominator it is.
    buckets: Vec<u32>,
    /// The next vertex in the same bucket.
    next_in_bucket: Vec<u32>,
    /// Preorder of the dominator tree and size of each subtree, for constant-time queries.
    intervals: Vec<Interval>,
}

/// A dominator subtree as a range of dominator-tree preorder numbers.
#[derive(Clone, Copy, Default)]
struct Interval {
    first: u32,
    size: u32,
}

impl DominatorTree {
    /// Computes the tree. `parents[v]` is v's parent in the spanning tree; `predecessors(v)` are the reached vertices
    /// with an edge to v.
    pub fn compute<I: Iterator<Item = u32>>(&mut self, parents: &[u32], predecessors: impl Fn(u32) -> I) {
        self.start(parents);
        for vertex in (1..parents.len() as u32).rev() {
            let parent = parents[vertex as usize];
            let mut semi = parent;
            for predecessor in predecessors(vertex) {
                let best = self.eval(predecessor, vertex + 1);
                semi = semi.min(self.semis[best as usize]);
            }
            self.semis[vertex as usize] = semi;
            self.next_in_bucket[vertex as usize] = self.buckets[semi as usize];
            self.buckets[semi as usize] = vertex;
            self.empty_bucket(parent, vertex);
        }
        for vertex in 1..parents.len() {
            let idom = self.idoms[vertex];
            if idom != self.semis[vertex] {
                self.idoms[vertex] = self.idoms[idom as usize];
            }
        }
        self.number_tree();
    }

    fn start(&mut self, parents: &[u32]) {
        let count = parents.len();
        for (entries, values) in [(&mut self.idoms, parents), (&mut self.ancestors, parents)] {
            entries.clear();
            entries.extend_from_slice(values);
        }
        for entries in [&mut self.semis, &mut self.labels] {
            entries.clear();
            entries.extend(0..count as u32);
        }
        for entries in [&mut self.buckets, &mut self.next_in_bucket] {
            entries.clear();
            entries.resize(count, END);
        }
    }

    /// Finds, for the vertices whose semidominator is `parent`, the dominator or a vertex that shares it. All vertices
    /// from `linked` on are linked to their parents.
    fn empty_bucket(&mut self, parent: u32, linked: u32) {
        let mut vertex = std::mem::replace(&mut self.buckets[parent as usize], END);
        while vertex != END {
            let best = self.eval(vertex, linked);
            let shares = self.semis[best as usize] < self.semis[vertex as usize];
            self.idoms[vertex as usize] = if shares { best } else { parent };
            vertex = self.next_in_bucket[vertex as usize];
        }
    }

    /// The vertex with the least semidominator on the path from `vertex` up to, but not including, the root
    /// of its tree in the forest of vertices from `linked` on.
    fn eval(&mut self, vertex: u32, linked: u32) -> u32 {
        if self.ancestors[vertex as usize] < linked {
            return self.labels[vertex as usize];
        }
        let mut top = vertex;
        while self.ancestors[top as usize] >= linked {
            self.compression.push(top);
            top = self.ancestors[top as usize];
        }
        let root = self.ancestors[top as usize];
        let mut best = self.labels[top as usize];
        while let Some(below) = self.compression.pop() {
            self.ancestors[below as usize] = root;
            let own = self.labels[below as usize];
            if self.semis[best as usize] < self.semis[own as usize] {
                self.labels[below as usize] = best;
            } else {
                best = own;
            }
        }
        self.labels[vertex as usize]
    }

    /// Gives every subtree of the dominator tree an interval. A dominator's number is below those of the
    /// vertices it dominates, so two sweeps do it.
    fn number_tree(&mut self) {
        self.intervals.clear();
        self.intervals.resize(self.idoms.len(), Interval { first: 0, size: 1 });
        for vertex in (1..self.idoms.len()).rev() {
            self.intervals[self.idoms[vertex] as usize].size += self.intervals[vertex].size;
        }
        // `labels` is free now: it holds the next unassigned number within each subtree.
        self.labels.iter_mut().for_each(|next| *next = 1);
        for vertex in 1..self.idoms.len() {
            let next = &mut self.labels[self.idoms[vertex] as usize];
            let first = *next;
            *next += self.intervals[vertex].size;
            self.intervals[vertex].first = first;
            self.labels[vertex] = first + 1;
        }
    }

    /// The immediate dominator of `vertex`; none for the root.
    pub fn idom(&self, vertex: u32) -> Option<u32> {
        (vertex != 0).then(|| self.idoms[vertex as usize])
    }

    /// Whether `above` dominates `below`; every vertex dominates itself.
    pub fn dominates(&self, above: u32, below: u32) -> bool {
        let Interval { first, size } = self.intervals[above as usize];
        self.intervals[below as usize].first.wrapping_sub(first) < size
    }
}
