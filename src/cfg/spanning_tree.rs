//! Depth-first search from the entry: preorder, postorder and the spanning tree in one walk.

use cranelift_entity::PrimaryMap;

use super::{table, Block, Graph};

/// The number of a block that the entry does not reach.
const UNREACHED: u32 = u32::MAX;

/// A depth-first spanning tree of the blocks that the entry reaches.
///
/// Successors are visited in terminator order, so the postorder is the one that LLVM's `post_order`
/// gives, and the reverse postorder numbers that the frequency analysis dithers by are LLVM's too.
#[derive(Default)]
pub struct SpanningTree {
    preorder: Vec<Block>,
    parents: Vec<u32>,
    postorder: Vec<Block>,
    numbers: PrimaryMap<Block, u32>,
    /// The path under the walk, each block with the place of the next edge to follow.
    path: Vec<(Block, u32)>,
}

impl SpanningTree {
    /// Walks `graph`.
    pub fn compute(&mut self, graph: &Graph) {
        self.preorder.clear();
        self.parents.clear();
        self.postorder.clear();
        self.numbers = table(graph.block_count(), UNREACHED);
        self.enter(graph.entry(), 0);
        while let Some((block, next)) = self.path.last_mut() {
            let block = *block;
            match graph.successors(block).get(*next as usize) {
                Some(&successor) => {
                    *next += 1;
                    if self.numbers[successor] == UNREACHED {
                        self.enter(successor, self.numbers[block]);
                    }
                }
                None => {
                    self.postorder.push(block);
                    self.path.pop();
                }
            }
        }
    }

    fn enter(&mut self, block: Block, parent: u32) {
        self.numbers[block] = self.preorder.len() as u32;
        self.preorder.push(block);
        self.parents.push(parent);
        self.path.push((block, 0));
    }

    /// Reached blocks, each before the blocks first reached through it.
    pub fn preorder(&self) -> &[Block] {
        &self.preorder
    }

    /// Reached blocks, each after the blocks first reached through it.
    pub fn postorder(&self) -> &[Block] {
        &self.postorder
    }

    /// For each preorder number, the number of the tree parent; the entry is its own.
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// The preorder number of `block`, if the entry reaches it.
    pub fn number(&self, block: Block) -> Option<u32> {
        let number = self.numbers[block];
        (number != UNREACHED).then_some(number)
    }

    /// Whether the entry reaches `block`.
    pub fn reaches(&self, block: Block) -> bool {
        self.numbers[block] != UNREACHED
    }
}
