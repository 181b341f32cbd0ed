//! Dominators of any flow graph.
//!
//! Thomas Lengauer and Robert Tarjan, "A fast algorithm for finding dominators in a flowgraph" (TOPLAS 1(1), 1979),
//! in its simple form, which takes O(m log n) on every graph. Semi-NCA, which LLVM uses, is a little shorter and
//! quadratic on long paths with many joins. Vertices are preorder numbers of a depth-first spanning tree, 0 the
//! root; both the forward and the reversed graph fit that shape.

/// No vertex: the end of a list.
const END: u32 = u32::MAX;

/// A dominator tree over the preorder numbers `0..n`.
#[derive(Default)]
pub(super) struct DominatorTree {
    /// Immediate dominator of each vertex; the root is its own.
    idoms: Vec<u32>,
    /// Preorder of the dominator tree and size of each subtree, for constant-time queries.
    intervals: Vec<Interval>,
    vertices: Vec<Vertex>,
    compression: Vec<u32>,
}

/// What is known of a vertex while the tree is computed: together, because it is looked at together.
#[derive(Clone, Copy)]
struct Vertex {
    /// The tree parent, or an ancestor further up, as `eval` compresses paths.
    ancestor: u32,
    /// The vertex with the least semidominator between this one and the ancestor.
    label: u32,
    semi: u32,
    /// The first of the vertices whose semidominator this is.
    bucket: u32,
    /// The next vertex in the same bucket.
    next_in_bucket: u32,
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
    ///
    /// LLVM: `SemiNCAInfo::runSemiNCA`.
    pub fn compute<I: Iterator<Item = u32>>(&mut self, parents: &[u32], predecessors: impl Fn(u32) -> I) {
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
        self.number_tree();
    }

    fn start(&mut self, parents: &[u32]) {
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

    /// Finds, for the vertices whose semidominator is `parent`, the dominator or a vertex that shares it. All vertices
    /// from `linked` on are linked to their parents.
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

    /// The vertex with the least semidominator on the path from `vertex` up to, but not including, the root
    /// of its tree in the forest of vertices from `linked` on.
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

    /// Gives every subtree of the dominator tree an interval. A dominator's number is below those of the
    /// vertices it dominates, so two sweeps do it.
    ///
    /// LLVM: `DominatorTreeBase::updateDFSNumbers`.
    fn number_tree(&mut self) {
        self.intervals.clear();
        self.intervals.resize(self.idoms.len(), Interval { first: 0, size: 1 });
        for vertex in (1..self.idoms.len()).rev() {
            self.intervals[self.idoms[vertex] as usize].size += self.intervals[vertex].size;
        }
        // Buckets are empty now: they hold the place after the subtrees that have theirs, the root's own first.
        for vertex in 1..self.idoms.len() {
            let idom = self.idoms[vertex] as usize;
            let size = self.intervals[vertex].size;
            let taken = &mut self.vertices[idom].bucket;
            *taken = if *taken == END { 1 } else { *taken };
            self.intervals[vertex].first = self.intervals[idom].first + *taken;
            *taken += size;
        }
    }

    /// The immediate dominator of `vertex`; none for the root.
    pub fn idom(&self, vertex: u32) -> Option<u32> {
        (vertex != 0).then(|| self.idoms[vertex as usize])
    }

    /// The vertex furthest down that dominates both. A dominator's number is below those of the vertices it
    /// dominates, so that of two vertices the one with the higher number is never it, unless they are one.
    pub fn nearest_common(&self, mut one: u32, mut other: u32) -> u32 {
        while one != other {
            if one < other {
                std::mem::swap(&mut one, &mut other);
            }
            one = self.idoms[one as usize];
        }
        one
    }

    /// Whether `above` dominates `below`; every vertex dominates itself.
    pub fn dominates(&self, above: u32, below: u32) -> bool {
        let Interval { first, size } = self.intervals[above as usize];
        self.intervals[below as usize].first.wrapping_sub(first) < size
    }
}
