//! Computes the post-dominators of every block, including blocks in infinite loops.
//!
//! A virtual exit is the root of the post-dominator tree. The children of the virtual exit are called roots. Every
//! block without successors is a root. If blocks reach no exit, some of these blocks must also become roots. The choice
//! of these roots determines the post-dominators of the blocks. LLVM's choice is deterministic and affects LLVM's
//! branch probabilities, so this module makes the same choice:
//!
//! 1. Visit blocks in layout order. If a block reaches no root so far, start a depth-first walk from this block. The
//!    walk visits the successors of a block from the last to the first in layout order. The last block of the walk
//!    becomes a root.
//! 2. If a root is not an exit, and if another root is reachable from it, remove the root.

use std::sync::OnceLock;

use cranelift_entity::PrimaryMap;

use super::dominator_tree::DominatorTree;
use super::dominators::edges_up;
use super::scratch::refill;
use super::spanning_tree::DfsFrame;
use super::{table, Block, Graph};

/// The value in `numbers` for a block that no reverse walk from a root has visited.
const UNVISITED: u32 = u32::MAX;

/// The number of the virtual exit in the reverse walk.
const VIRTUAL_EXIT: u32 = 0;

/// The post-dominator tree. Block A post-dominates B if every path from B to the exit contains A.
///
/// # Panics
///
/// Methods with a block as argument panic if the graph does not have this block.
///
/// LLVM: `PostDominatorTree`.
#[derive(Default)]
pub struct PostDominators {
    tree: DominatorTree,
    walk: ReverseWalk,
    roots: Vec<Block>,
    as_graph: OnceLock<Graph>,
}

impl PostDominators {
    /// Computes the post-dominator tree of `graph`.
    ///
    /// LLVM: `SemiNCAInfo::doFullDFSWalk`, `SemiNCAInfo::addVirtualRoot`.
    pub(crate) fn compute(&mut self, graph: &Graph) {
        self.walk.start(graph);
        find_roots(graph, &mut self.walk, &mut self.roots);
        let walk = &self.walk;
        // The virtual exit is the parent of each root in the walk. The list of predecessors therefore need not contain
        // the virtual exit.
        self.tree.compute(&walk.parents, |vertex| {
            let block = walk.preorder[vertex as usize - 1];
            graph.successors(block).iter().map(|&successor| walk.numbers[successor])
        });
        self.as_graph.take();
    }

    /// The immediate post-dominator of `block`: the first other block that is on every path to the exit. The result is
    /// `None` if only the virtual exit is on every path.
    ///
    /// LLVM: `DomTreeNodeBase::getIDom`.
    pub fn ipdom(&self, block: Block) -> Option<Block> {
        let ipdom = self.tree.idom(self.walk.numbers[block])?;
        Some(self.walk.preorder[ipdom.checked_sub(1)? as usize])
    }

    /// The blocks that `block` immediately post-dominates, in layout order. The first call builds a table for all
    /// blocks.
    ///
    /// LLVM: `DomTreeNodeBase::children`.
    pub fn children(&self, block: Block) -> &[Block] {
        self.tree().predecessors(block)
    }

    /// The children of the virtual exit, in layout order: the blocks without an [`ipdom`](Self::ipdom).
    pub fn children_of_exit(&self) -> impl Iterator<Item = Block> + '_ {
        self.walk.numbers.keys().filter(|&block| self.ipdom(block).is_none())
    }

    /// The post-dominator tree as a graph without the virtual exit. The graph has an edge from each block to its
    /// immediate post-dominator. The children of a block in the tree are therefore its predecessors in the graph.
    pub(crate) fn tree(&self) -> &Graph {
        self.as_graph.get_or_init(|| edges_up(self.walk.numbers.keys(), |block| self.ipdom(block)))
    }

    /// The nearest common post-dominator of two blocks, or `None` if only the virtual exit post-dominates both blocks.
    /// The time is linear in the number of tree edges between these blocks and the result.
    ///
    /// LLVM: `DominatorTreeBase::findNearestCommonDominator`.
    pub fn nearest_common(&self, one: Block, other: Block) -> Option<Block> {
        let common = self.tree.nearest_common(self.walk.numbers[one], self.walk.numbers[other]);
        Some(self.walk.preorder[common.checked_sub(1)? as usize])
    }

    /// Whether the block `below` post-dominates the block `above`: every path from `above` to the exit contains
    /// `below`. Every block post-dominates itself.
    ///
    /// LLVM: `DominatorTreeBase::dominates`.
    pub fn post_dominates(&self, below: Block, above: Block) -> bool {
        self.tree.dominates(self.walk.numbers[below], self.walk.numbers[above])
    }

    /// The roots of the tree: the exits of the function, and the chosen roots of infinite loops.
    ///
    /// LLVM: `DominatorTreeBase::getRoots`.
    pub fn roots(&self) -> &[Block] {
        &self.roots
    }
}

/// A depth-first walk of the reversed graph. The walk starts at a virtual exit.
#[derive(Default)]
struct ReverseWalk {
    /// The visited blocks. The block at index i has the number i + 1, and the virtual exit has the number 0.
    preorder: Vec<Block>,
    /// `parents[n]` is the number of the parent of the block with the number `n`. The virtual exit is its own parent.
    parents: Vec<u32>,
    numbers: PrimaryMap<Block, u32>,
    /// The path from a root to the current block of the walk.
    path: Vec<DfsFrame>,
}

impl ReverseWalk {
    /// Resets the walk: only the virtual exit counts as visited.
    fn start(&mut self, graph: &Graph) {
        self.preorder.clear();
        self.parents.clear();
        self.parents.push(VIRTUAL_EXIT);
        refill(&mut self.numbers, graph.block_count(), UNVISITED);
    }

    /// LLVM: `SemiNCAInfo::runDFS`.
    fn visit_from(&mut self, graph: &Graph, root: Block) {
        let mut step = self.enter(graph, root, VIRTUAL_EXIT);
        loop {
            if step.first == step.end {
                let Some(below) = self.path.pop() else { break };
                step = below;
                continue;
            }
            let predecessor = graph.source(step.first as usize);
            step.first += 1;
            if self.numbers[predecessor] == UNVISITED {
                let above = self.enter(graph, predecessor, step.number);
                self.path.push(std::mem::replace(&mut step, above));
            }
        }
    }

    /// Visits `block`, whose parent has the number `parent`.
    fn enter(&mut self, graph: &Graph, block: Block, parent: u32) -> DfsFrame {
        self.preorder.push(block);
        self.parents.push(parent);
        let number = self.preorder.len() as u32;
        self.numbers[block] = number;
        let edges = graph.incoming(block);
        DfsFrame { number, first: edges.start as u32, end: edges.end as u32 }
    }
}

/// Finds LLVM's roots, and visits all blocks backwards from these roots. The order of the roots does not matter.
///
/// LLVM: `SemiNCAInfo::FindRoots`, `SemiNCAInfo::HasForwardSuccessors`.
fn find_roots(graph: &Graph, walk: &mut ReverseWalk, roots: &mut Vec<Block>) {
    roots.clear();
    for block in graph.blocks().filter(|&block| graph.successors(block).is_empty()) {
        roots.push(block);
        walk.visit_from(graph, block);
    }
    if walk.preorder.len() == graph.block_count() {
        return;
    }
    let trivial = roots.len();
    let mut forward = ForwardWalk::new(graph);
    for block in graph.blocks() {
        if walk.numbers[block] == UNVISITED {
            let root = forward.furthest_away(graph, block);
            roots.push(root);
            walk.visit_from(graph, root);
        }
    }
    forward.drop_redundant(graph, roots, trivial);
    walk.start(graph);
    roots.iter().for_each(|&root| walk.visit_from(graph, root));
}

/// Repeated forward walks over a graph.
struct ForwardWalk {
    /// For each block, the index of the last walk that visited the block.
    visits: PrimaryMap<Block, u32>,
    current: u32,
    pending: Vec<Block>,
}

impl ForwardWalk {
    fn new(graph: &Graph) -> Self {
        ForwardWalk { visits: table(graph.block_count(), 0), current: 0, pending: Vec::new() }
    }

    fn start(&mut self, block: Block) {
        self.current += 1;
        self.pending.clear();
        self.pending.push(block);
    }

    /// Records a visit of `block`. Returns false if this walk has already visited `block`.
    fn visit(&mut self, block: Block) -> bool {
        std::mem::replace(&mut self.visits[block], self.current) != self.current
    }

    /// The last block that a depth-first walk from `start` visits. The walk visits successors from the last to the
    /// first in layout order.
    ///
    /// Neither `start` nor any block that is reachable from `start` can reach an earlier root. This walk and the
    /// reverse walks from earlier roots therefore have no block in common.
    ///
    /// LLVM: `SemiNCAInfo::runDFS`.
    fn furthest_away(&mut self, graph: &Graph, start: Block) -> Block {
        self.start(start);
        let mut last = start;
        while let Some(block) = self.pending.pop() {
            if self.visit(block) {
                last = block;
                let first_pushed = self.pending.len();
                self.pending.extend_from_slice(graph.successors(block));
                self.pending[first_pushed..].sort_unstable();
            }
        }
        last
    }

    /// Removes each root that reaches another root. The blocks without successors are the first elements of `roots`,
    /// and are never removed. `trivial` is the number of these blocks.
    ///
    /// The result does not depend on the order of the roots, because every removed root reaches a root that is kept.
    ///
    /// LLVM: `SemiNCAInfo::RemoveRedundantRoots`.
    fn drop_redundant(&mut self, graph: &Graph, roots: &mut Vec<Block>, trivial: usize) {
        let mut is_root = table(graph.block_count(), false);
        roots.iter().for_each(|&root| is_root[root] = true);
        let chosen = roots.split_off(trivial);
        roots.extend(chosen.into_iter().filter(|&root| !self.reaches_other_root(graph, root, &is_root)));
    }

    fn reaches_other_root(&mut self, graph: &Graph, root: Block, is_root: &PrimaryMap<Block, bool>) -> bool {
        self.start(root);
        while let Some(block) = self.pending.pop() {
            if self.visit(block) {
                if block != root && is_root[block] {
                    return true;
                }
                self.pending.extend_from_slice(graph.successors(block));
            }
        }
        false
    }
}
