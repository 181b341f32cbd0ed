//! Finds strongly connected components with Tarjan's algorithm.
//!
//! The algorithm is from Robert Tarjan, "Depth-first search and linear graph algorithms" (SIAM J. Comput. 1(2), 1972).
//! This implementation uses an explicit stack instead of recursion.

use std::sync::OnceLock;

use cranelift_entity::{entity_impl, EntityRef, PrimaryMap};

use super::scratch::refill;
use super::{Block, Graph};

/// A strongly connected component of at least two blocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scc(u32);
entity_impl!(Scc, "scc");

/// Finds the strongly connected components of any graph with the nodes `0..count`. Each call reuses the memory of the
/// previous call.
///
/// LLVM: `scc_iterator`.
#[derive(Default)]
pub struct SccFinder {
    /// The visit number of each node. The number is 0 before the visit, and [`DONE`] after the node's component is
    /// complete.
    visits: Vec<u32>,
    path: Vec<DfsFrame>,
    open: Vec<u32>,
}

/// A node on the path from the start to the current node of the depth-first walk.
struct DfsFrame {
    node: u32,
    next_edge: u32,
    /// The least visit number among the nodes that this node has reached so far.
    lowest: u32,
}

const DONE: u32 = u32::MAX;

impl SccFinder {
    /// Calls `emit` with the nodes of each component that `start` reaches. A component is emitted after the components
    /// that it reaches.
    ///
    /// `successor(node, i)` is the successor of `node` with the index `i`, or `None` after the last successor.
    ///
    /// LLVM: `scc_iterator::GetNextSCC`.
    pub fn run(
        &mut self,
        count: usize,
        start: u32,
        successor: impl Fn(u32, usize) -> Option<u32>,
        mut emit: impl FnMut(&[u32]),
    ) {
        self.visits.clear();
        self.visits.resize(count, 0);
        let mut visited = 0;
        self.enter(start, &mut visited);
        while let Some(step) = self.path.last_mut() {
            if let Some(next) = successor(step.node, step.next_edge as usize) {
                step.next_edge += 1;
                match self.visits[next as usize] {
                    0 => self.enter(next, &mut visited),
                    number => step.lowest = step.lowest.min(number),
                }
                continue;
            }
            let DfsFrame { node, lowest, .. } = *step;
            self.path.pop();
            if let Some(parent) = self.path.last_mut() {
                parent.lowest = parent.lowest.min(lowest);
            }
            if lowest == self.visits[node as usize] {
                let first = self.open.iter().rposition(|&n| n == node).expect("an open node is on the stack");
                for &member in &self.open[first..] {
                    self.visits[member as usize] = DONE;
                }
                emit(&self.open[first..]);
                self.open.truncate(first);
            }
        }
    }

    /// LLVM: `scc_iterator::DFSVisitOne`.
    fn enter(&mut self, node: u32, visited: &mut u32) {
        *visited += 1;
        self.visits[node as usize] = *visited;
        self.open.push(node);
        self.path.push(DfsFrame { node, next_edge: 0, lowest: *visited });
    }
}

/// The strongly connected components that have at least two reachable blocks.
///
/// A component that is not inside a natural loop is an irreducible cycle. Until version 23, LLVM's branch probabilities
/// use these components for blocks outside all natural loops. A component is never inside another component, so this
/// type differs from [`LoopForest`](super::LoopForest). A component can contain a natural loop. LLVM then treats an
/// edge from this loop to another block of the component as an edge that enters the component.
///
/// # Panics
///
/// Methods panic if an argument is a block or component that the graph does not have.
///
/// LLVM: `BranchProbabilityInfo::SccInfo`.
#[derive(Default)]
pub struct Sccs {
    finder: SccFinder,
    of_block: PrimaryMap<Block, Option<Scc>>,
    /// The blocks of the first component, then the blocks of the second component, and so on.
    members: Vec<Block>,
    /// For each component, the index in `members` after the last block of the component.
    ends: PrimaryMap<Scc, u32>,
}

impl Sccs {
    /// The components of a graph without cycles.
    pub fn none() -> &'static Sccs {
        static NONE: OnceLock<Sccs> = OnceLock::new();
        NONE.get_or_init(Sccs::default)
    }

    /// Computes the components of `graph`.
    pub(crate) fn compute(&mut self, graph: &Graph) {
        self.members.clear();
        self.ends.clear();
        refill(&mut self.of_block, graph.block_count(), None);
        let successor = |node: u32, edge: usize| {
            graph.successors(Block::from_u32(node)).get(edge).map(|block| block.as_u32())
        };
        self.finder.run(graph.block_count(), graph.entry().as_u32(), successor, |component| {
            if component.len() < 2 {
                return;
            }
            let scc = Scc::new(self.ends.len());
            for &node in component {
                self.of_block[Block::from_u32(node)] = Some(scc);
                self.members.push(Block::from_u32(node));
            }
            self.ends.push(self.members.len() as u32);
        });
    }

    /// The component of `block`, if it has at least two blocks.
    ///
    /// LLVM: `SccInfo::getSCCNum`.
    pub fn of(&self, block: Block) -> Option<Scc> {
        *self.of_block.get(block)?
    }

    /// The number of components.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The blocks of `scc`.
    pub fn members(&self, scc: Scc) -> &[Block] {
        let first = scc.index().checked_sub(1).map_or(0, |before| self.ends[Scc::new(before)]);
        &self.members[first as usize..self.ends[scc] as usize]
    }
}
