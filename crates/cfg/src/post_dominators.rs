//! Post-dominators of every block, infinite loops included.
//!
//! All blocks that leave the function hang under one virtual exit. A part of the graph that cannot reach
//! any of them needs roots of its own, and which block becomes one decides what post-dominates what there.
//! LLVM's choice is definite and visible in its branch probabilities, so it is made the same way here:
//!
//! 1. Blocks are looked at in layout order. From the first block that reaches no root so far, a
//!    depth-first walk along the edges, which takes each block's successors from the last in layout order
//!    to the first, goes as far as it can; the block it numbers last becomes a root.
//! 2. A root that reaches another root is dropped again.

use std::sync::OnceLock;

use cranelift_entity::PrimaryMap;

use super::dominator_tree::DominatorTree;
use super::dominators::edges_up;
use super::{refill, table, Block, Graph};

/// The number of a block that no root is reached from yet.
const UNVISITED: u32 = u32::MAX;

/// The post-dominator tree. Block A post-dominates B if every path from B to the exit passes A.
///
/// # Panics
///
/// Methods that are given a block panic if the graph does not have it, or nothing has been computed yet.
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
    /// Computes the tree of `graph`.
    ///
    /// LLVM: `SemiNCAInfo::doFullDFSWalk`, `SemiNCAInfo::addVirtualRoot`.
    pub fn compute(&mut self, graph: &Graph) {
        self.walk.start(graph);
        find_roots(graph, &mut self.walk, &mut self.roots);
        let walk = &self.walk;
        // The edge from the virtual exit to a root is the tree edge.
        self.tree.compute(&walk.parents, |vertex| {
            let block = walk.preorder[vertex as usize - 1];
            graph.successors(block).iter().map(|&successor| walk.numbers[successor])
        });
        self.as_graph.take();
    }

    /// The immediate post-dominator of `block`: the first block that every path from it to the exit passes. None if
    /// paths meet at the virtual exit alone.
    ///
    /// LLVM: `DomTreeNodeBase::getIDom`.
    pub fn ipdom(&self, block: Block) -> Option<Block> {
        let ipdom = self.tree.idom(self.walk.numbers[block])?;
        Some(self.walk.preorder[ipdom.checked_sub(1)? as usize])
    }

    /// The blocks that `block` post-dominates immediately, in layout order. The first question makes a table for all
    /// blocks.
    ///
    /// LLVM: `DomTreeNodeBase::children`.
    pub fn children(&self, block: Block) -> &[Block] {
        self.tree().predecessors(block)
    }

    /// The blocks directly under the virtual exit, in layout order: those without an [`ipdom`](Self::ipdom).
    pub fn children_of_exit(&self) -> impl Iterator<Item = Block> + '_ {
        self.walk.numbers.keys().filter(|&block| self.ipdom(block).is_none())
    }

    /// The tree as a graph: an edge from each block to its immediate post-dominator, so that the predecessors of a
    /// block are its children. The virtual exit is not in it.
    pub fn tree(&self) -> &Graph {
        self.as_graph.get_or_init(|| edges_up(self.walk.numbers.keys(), |block| self.ipdom(block)))
    }

    /// The first block that every path from `one` to the exit and every path from `other` passes; none if that is the
    /// virtual exit alone. Takes as many steps as it is away in the tree.
    ///
    /// LLVM: `DominatorTreeBase::findNearestCommonDominator`.
    pub fn nearest_common(&self, one: Block, other: Block) -> Option<Block> {
        let common = self.tree.nearest_common(self.walk.numbers[one], self.walk.numbers[other]);
        Some(self.walk.preorder[common.checked_sub(1)? as usize])
    }

    /// Whether `below` (later in execution) post-dominates `above`; every block post-dominates itself.
    ///
    /// LLVM: `DominatorTreeBase::dominates`.
    pub fn post_dominates(&self, below: Block, above: Block) -> bool {
        self.tree.dominates(self.walk.numbers[below], self.walk.numbers[above])
    }

    /// The blocks directly under the virtual exit by choice: exits of the function, and one block of each
    /// part of the graph that never leaves.
    ///
    /// LLVM: `DominatorTreeBase::getRoots`.
    pub fn roots(&self) -> &[Block] {
        &self.roots
    }
}

/// A depth-first walk of the reversed graph under a virtual exit.
#[derive(Default)]
struct ReverseWalk {
    /// Visited blocks; the block at place i has number i + 1. The virtual exit is number 0.
    preorder: Vec<Block>,
    /// Parent of each number, the virtual exit's first.
    parents: Vec<u32>,
    numbers: PrimaryMap<Block, u32>,
    pending: Vec<(Block, u32)>,
}

impl ReverseWalk {
    /// Leaves the virtual exit alone visited.
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

/// Finds the roots that LLVM chooses, as a set, and walks from all of them.
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

/// Forward walks, many of them, each from a fresh start.
struct ForwardWalk {
    /// The last walk that visited each block.
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

    /// Marks `block` as visited by this walk; false if it was already.
    fn visit(&mut self, block: Block) -> bool {
        std::mem::replace(&mut self.visits[block], self.current) != self.current
    }

    /// The block that a depth-first walk from `start` numbers last, successors taken from the last in layout
    /// order to the first.
    ///
    /// `start` reaches no root so far, hence neither does any block it reaches: the walk never meets a block
    /// that an earlier root's reverse walk has visited.
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

    /// Drops each root after the first `trivial` ones that reaches another root.
    ///
    /// Whether it does cannot depend on the order of dropping: a dropped root leads on to one that stays.
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
