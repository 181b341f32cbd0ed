//! Dominators of any flow graph, by Semi-NCA.
//!
//! Loukas Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems" (Princeton, 2005),
//! chapter 2: semidominators as Lengauer and Tarjan compute them, then each immediate dominator as the
//! nearest common ancestor of the semidominator and the tree parent. Vertices are preorder numbers of a
//! depth-first spanning tree, 0 the root; both the forward and the reversed graph fit that shape.

/// A dominator tree over the preorder numbers `0..n`.
#[derive(Default)]
pub(super) struct SemiNca {
    /// Immediate dominator of each vertex; the root is its own.
    idoms: Vec<u32>,
    semis: Vec<u32>,
    labels: Vec<u32>,
    /// Tree parents, shortened as `eval` compresses paths.
    ancestors: Vec<u32>,
    compression: Vec<u32>,
    /// Preorder of the dominator tree and size of each subtree, for constant-time queries.
    intervals: Vec<Interval>,
}

/// A dominator subtree as a range of dominator-tree preorder numbers.
#[derive(Clone, Copy, Default)]
struct Interval {
    first: u32,
    size: u32,
}

impl SemiNca {
    /// Computes the tree. `parents[v]` is v's parent in the spanning tree; `for_each_predecessor(v, visit)`
    /// calls `visit` with every reached vertex that has an edge to v.
    pub fn compute(
        &mut self,
        parents: &[u32],
        mut for_each_predecessor: impl FnMut(u32, &mut dyn FnMut(u32)),
    ) {
        let count = parents.len() as u32;
        self.idoms.clear();
        self.idoms.extend_from_slice(parents);
        self.ancestors.clear();
        self.ancestors.extend_from_slice(parents);
        self.semis.clear();
        self.semis.extend(0..count);
        self.labels.clear();
        self.labels.extend(0..count);

        for vertex in (1..count).rev() {
            let mut semi = parents[vertex as usize];
            for_each_predecessor(vertex, &mut |predecessor| {
                let best = self.eval(predecessor, vertex + 1);
                semi = semi.min(self.semis[best as usize]);
            });
            self.semis[vertex as usize] = semi;
        }
        for vertex in 1..count as usize {
            let mut candidate = self.idoms[vertex];
            while candidate > self.semis[vertex] {
                candidate = self.idoms[candidate as usize];
            }
            self.idoms[vertex] = candidate;
        }
        self.number_tree();
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
