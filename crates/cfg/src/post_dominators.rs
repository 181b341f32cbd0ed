//! Post-dominators of every block, also in infinite loops.
//!
//! The children of a virtual exit are the roots. Every block without successors is a root. A part of the graph that
//! does not reach such a block needs further roots, and the choice of these roots determines the post-dominators in
//! this part. LLVM's choice is deterministic and affects its branch probabilities, so this module makes the same
//! choice:
//!
//! 1. Visit blocks in layout order. From the first block that reaches no root so far, start a depth-first walk along the
//!    edges, which visits the successors of a block from the last to the first in layout order. The block that the walk
//!    numbers last becomes a root.
//! 2. Remove each of these roots that reaches another root.

use std::sync::OnceLock;

use cranelift_entity::PrimaryMap;

use super::dominator_tree::DominatorTree;
use super::dominators::edges_up;
use super::{refill, table, Block, Graph};

/// The number of a block that has not reached a root.
const UNVISITED: u32 = u32::MAX;

/// The post-dominator tree. Block A post-dominates B if every path from B to the exit contains A.
///
/// # Panics
///
/// Methods with a block as argument panic if the graph does not have this block.
///
/// LLVM: `PostDominatorTree`.
pub struct PostDominators {
    tree: DominatorTree,
    walk: ReverseWalk,
    roots: Vec<Block>,
    as_graph: OnceLock<Graph>,
}

impl PostDominators {
    /// Memory for [`compute`](Self::compute).
    pub(crate) fn empty() -> Self {
        PostDominators {
            tree: DominatorTree::default(),
            walk: ReverseWalk::default(),
            roots: Vec::new(),
            as_graph: OnceLock::new(),
        }
    }

    /// Computes the tree of `graph`.
    ///
    /// LLVM: `SemiNCAInfo::doFullDFSWalk`, `SemiNCAInfo::addVirtualRoot`.
    pub(crate) fn compute(&mut self, graph: &Graph) {
        self.walk.start(graph);
        find_roots(graph, &mut self.walk, &mut self.roots);
        let walk = &self.walk;
        // The edge from the virtual exit to a root is the tree edge, so it is not listed here.
        self.tree.compute(&walk.parents, |vertex| {
            let block = walk.preorder[vertex as usize - 1];
            graph.successors(block).iter().map(|&successor| walk.numbers[successor])
        });
        self.as_graph.take();
    }

    /// The immediate post-dominator of `block`: the first other block on every path to the exit. `None` if it is the
    /// virtual exit.
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

    /// The tree as a graph without the virtual exit. Each block has an edge to its immediate post-dominator, so the
    /// predecessors of a block are its children.
    pub(crate) fn tree(&self) -> &Graph {
        self.as_graph.get_or_init(|| edges_up(self.walk.numbers.keys(), |block| self.ipdom(block)))
    }

    /// The nearest common post-dominator, or `None` if it is the virtual exit. The time is linear in its distance in
    /// the tree.
    ///
    /// LLVM: `DominatorTreeBase::findNearestCommonDominator`.
    pub fn nearest_common(&self, one: Block, other: Block) -> Option<Block> {
        let common = self.tree.nearest_common(self.walk.numbers[one], self.walk.numbers[other]);
        Some(self.walk.preorder[common.checked_sub(1)? as usize])
    }

    /// Whether `below`, which is later in execution, post-dominates `above`. Every block post-dominates itself.
    ///
    /// LLVM: `DominatorTreeBase::dominates`.
    pub fn post_dominates(&self, below: Block, above: Block) -> bool {
        self.tree.dominates(self.walk.numbers[below], self.walk.numbers[above])
    }

    /// The roots: the exits of the function, and one block of each part of the graph that never reaches an exit.
    ///
    /// LLVM: `DominatorTreeBase::getRoots`.
    pub fn roots(&self) -> &[Block] {
        &self.roots
    }
}

/// A depth-first walk of the reversed graph under a virtual exit.
#[derive(Default)]
struct ReverseWalk {
    /// The visited blocks. The block at index i has the number i + 1, and the virtual exit has the number 0.
    preorder: Vec<Block>,
    /// The parent of each number. The virtual exit is its own parent.
    parents: Vec<u32>,
    numbers: PrimaryMap<Block, u32>,
    pending: Vec<(Block, u32)>,
}

impl ReverseWalk {
    /// Restarts the walk. Only the virtual exit is visited.
    fn start(&mut self, graph: &Graph) {
        self.preorder.clear();
        self.parents.clear();
        self.parents.push(0);
        refill(&mut self.numbers, graph.block_count(), UNVISITED);
    }

    /// LLVM: `SemiNCAInfo::runDFS`.
    fn visit_from(&mut self, graph: &Graph, root: Block) {
        self.pending.push((root, 0));
        while let Some((block, parent)) = self.pending.pop() {
            if self.numbers[block] != UNVISITED {
                continue;
            }
            self.preorder.push(block);
            let number = self.preorder.len() as u32;
            self.numbers[block] = number;
            self.parents.push(parent);
            let unvisited = |p: &&Block| self.numbers[**p] == UNVISITED;
            self.pending.extend(graph.predecessors(block).iter().filter(unvisited).map(|&p| (p, number)));
        }
    }
}

/// Finds LLVM's roots, in any order, and walks from all of them.
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
    /// For each block, the last walk that visited it.
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

    /// Records a visit of `block`. Returns false if this walk has visited it before.
    fn visit(&mut self, block: Block) -> bool {
        std::mem::replace(&mut self.visits[block], self.current) != self.current
    }

    /// The last block that a depth-first walk from `start` numbers. The walk visits successors from the last to the
    /// first in layout order.
    ///
    /// Neither `start` nor a block that it reaches has reached a root. The walk therefore never visits a block that the
    /// reverse walk from an earlier root has visited.
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

    /// Among the roots after the first `trivial` roots, removes each root that reaches another root.
    ///
    /// The result does not depend on the order, because a removed root reaches a root that stays.
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

#[cfg(test)]
mod tests;
