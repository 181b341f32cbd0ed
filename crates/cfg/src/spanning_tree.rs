//! Depth-first search from the entry. One walk computes preorder, postorder and the spanning tree.

use std::cmp::Reverse;

use cranelift_entity::PrimaryMap;

use super::scratch::refill;
use super::{Block, Graph};

/// The value in `numbers` for an unreachable block.
const UNREACHED: u32 = u32::MAX;

/// The value in the table `ends` for a block that the walk has not yet left. All other values in the table are greater
/// than 0.
const OPEN: u32 = 0;

/// A depth-first spanning tree of the reachable blocks.
///
/// Successors are visited in terminator order, so the postorder equals LLVM's `post_order`. Block frequencies depend on
/// this order, because it determines where rounding errors occur.
///
/// # Panics
///
/// Methods with a block as argument panic if the graph does not have this block.
#[derive(Default)]
pub struct SpanningTree {
    preorder: Vec<Block>,
    parents: Vec<u32>,
    /// The block with the preorder number `n` and its descendants have the numbers `n..ends[n]`.
    ends: Vec<u32>,
    postorder: Vec<Block>,
    numbers: PrimaryMap<Block, u32>,
    /// The targets of back edges, as preorder numbers in descending order. A back edge leads to a block in `path`.
    back_edge_targets: Vec<u32>,
    /// The path from the entry to the current block of the walk.
    path: Vec<DfsFrame>,
}

/// A block on the path from the start of a depth-first walk to the current block.
pub(super) struct DfsFrame {
    /// The preorder number of the block.
    pub number: u32,
    /// The range of edges that the walk has not followed yet, as indices in the graph's flat array of successors. For a
    /// walk of the reversed graph, these are indices in the array of predecessors.
    pub first: u32,
    pub end: u32,
}

impl SpanningTree {
    /// Walks `graph`, which must have at least one block.
    ///
    /// LLVM: `po_iterator`.
    pub(crate) fn compute(&mut self, graph: &Graph) {
        self.walk(graph, |step| {
            step.first += 1;
            step.first - 1
        });
    }

    /// Walks `graph`, and visits the successors of each block from the last to the first.
    pub(crate) fn compute_last_first(&mut self, graph: &Graph) {
        self.walk(graph, |step| {
            step.end -= 1;
            step.end
        });
    }

    /// Walks `graph`. `take` selects the next edge of the current block, and is called only if the block still has
    /// unvisited edges.
    #[inline(always)] // Each caller gets a separate loop, which does not test the order at run time.
    fn walk(&mut self, graph: &Graph, take: impl Fn(&mut DfsFrame) -> u32) {
        let count = graph.block_count();
        // At the start, each array has one element for each block. At the end, the arrays are truncated to the
        // number of reached blocks.
        self.preorder.resize(count, graph.entry());
        self.parents.resize(count, 0);
        self.postorder.resize(count, graph.entry());
        self.ends.clear();
        self.ends.resize(count, OPEN);
        self.back_edge_targets.clear();
        let (mut reached, mut left) = (0, 0);
        refill(&mut self.numbers, count, UNREACHED);
        let mut step = self.enter(graph, graph.entry(), 0, &mut reached);
        loop {
            if step.first == step.end {
                self.ends[step.number as usize] = reached;
                self.postorder[left] = self.preorder[step.number as usize];
                left += 1;
                let Some(above) = self.path.pop() else { break };
                step = above;
                continue;
            }
            let successor = graph.target(take(&mut step) as usize);
            let number = self.numbers[successor];
            if number == UNREACHED {
                let below = self.enter(graph, successor, step.number, &mut reached);
                self.path.push(std::mem::replace(&mut step, below));
            } else if self.ends[number as usize] == OPEN {
                self.back_edge_targets.push(number);
            }
        }
        self.preorder.truncate(left);
        self.parents.truncate(left);
        self.postorder.truncate(left);
        self.ends.truncate(left);
        self.back_edge_targets.sort_unstable_by_key(|&number| Reverse(number));
        self.back_edge_targets.dedup();
    }

    #[inline(always)] // The walk calls this function for each block, from two places.
    fn enter(&mut self, graph: &Graph, block: Block, parent: u32, reached: &mut u32) -> DfsFrame {
        let number = *reached;
        *reached += 1;
        self.numbers[block] = number;
        self.preorder[number as usize] = block;
        self.parents[number as usize] = parent;
        let edges = graph.edges(block);
        DfsFrame { number, first: edges.start as u32, end: edges.end as u32 }
    }

    /// The targets of back edges, in descending preorder and without duplicates. A back edge leads from a block to
    /// itself or to an ancestor in the tree.
    pub(super) fn back_edge_targets(&self) -> impl Iterator<Item = Block> + '_ {
        self.back_edge_targets.iter().map(|&number| self.preorder[number as usize])
    }

    /// The reachable blocks. Each block precedes its descendants in the tree.
    pub fn preorder(&self) -> &[Block] {
        &self.preorder
    }

    /// The reachable blocks. Each block comes after its descendants in the tree.
    pub fn postorder(&self) -> &[Block] {
        &self.postorder
    }

    /// For each preorder number, the number of the parent in the tree. The entry is its own parent.
    pub(crate) fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// The preorder number of `block`, or `None` if the block is unreachable.
    pub(crate) fn number(&self, block: Block) -> Option<u32> {
        let number = self.numbers[block];
        (number != UNREACHED).then_some(number)
    }

    /// Returns true if the block `above` is an ancestor of the block `below` in the tree, or if both are the same
    /// block. The result is false if only one of the blocks is reachable.
    ///
    /// # Panics
    ///
    /// Panics if both blocks are unreachable.
    pub fn is_ancestor(&self, above: Block, below: Block) -> bool {
        let (first, number) = (self.numbers[above], self.numbers[below]);
        first <= number && number < self.ends[first as usize]
    }

    /// Whether the entry reaches `block`.
    pub fn reaches(&self, block: Block) -> bool {
        self.numbers[block] != UNREACHED
    }
}
