//! Computes the dominators of any flow graph.
//!
//! This is the simple version of the algorithm in Thomas Lengauer and Robert Tarjan, "A fast algorithm for finding
//! dominators in a flowgraph" (TOPLAS 1(1), 1979). The algorithm takes O(m log n) time on every graph. LLVM uses
//! Semi-NCA. Semi-NCA needs less code, but takes quadratic time on long paths with many join blocks.

/// The value that ends a list of vertices.
const END: u32 = u32::MAX;

/// The tables of the algorithm.
#[derive(Default)]
pub(super) struct LengauerTarjan {
    vertices: Vec<Vertex>,
    compression: Vec<u32>,
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

impl LengauerTarjan {
    /// Computes the immediate dominator of each vertex of a depth-first spanning tree. Vertices are preorder numbers.
    /// `parents[v]` is the parent of `v`, and the root is its own parent. `predecessors(v)` are the reached vertices
    /// with an edge to `v`.
    ///
    /// LLVM: `SemiNCAInfo::runSemiNCA`.
    pub(crate) fn compute<I: Iterator<Item = u32>>(
        &mut self,
        parents: &[u32],
        predecessors: impl Fn(u32) -> I,
        idoms: &mut Vec<u32>,
    ) {
        self.start(parents);
        idoms.clear();
        idoms.extend_from_slice(parents);
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
            self.empty_bucket(parent, vertex, idoms);
        }
        for vertex in 1..parents.len() {
            let idom = idoms[vertex];
            if idom != self.vertices[vertex].semi {
                idoms[vertex] = idoms[idom as usize];
            }
        }
    }

    fn start(&mut self, parents: &[u32]) {
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
    fn empty_bucket(&mut self, parent: u32, linked: u32, idoms: &mut [u32]) {
        let mut vertex = std::mem::replace(&mut self.vertices[parent as usize].bucket, END);
        while vertex != END {
            let best = self.eval(vertex, linked);
            let Vertex { semi, next_in_bucket, .. } = self.vertices[vertex as usize];
            let shares = self.vertices[best as usize].semi < semi;
            idoms[vertex as usize] = if shares { best } else { parent };
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
}
