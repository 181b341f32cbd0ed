//! The nodes of every level: the blocks directly in the level, and the headers of its inner loops.

use std::ops::Range;

use cranelift_entity::{EntityRef, PrimaryMap};

use crate::cfg::unstable::refill;
use crate::cfg::{Block, Loop, LoopForest, SpanningTree};

/// The nodes of every level, in reverse postorder. The header of a loop is the loop's first node. In the node
/// list of an outer loop or of the function, the header of an inner loop represents all blocks of the inner loop.
#[derive(Default)]
pub(super) struct Levels {
    nodes: Vec<Block>,
    /// For each loop, the index in `nodes` at which the nodes of the loop end. The nodes of the function come after the
    /// nodes of all loops.
    ends: PrimaryMap<Loop, u32>,
}

impl Levels {
    /// Computes the nodes of every level from the blocks of `tree`.
    pub(crate) fn compute(&mut self, tree: &SpanningTree, loops: &LoopForest) {
        refill(&mut self.ends, loops.count(), 0);
        let reached = tree.postorder();
        for natural in reached.iter().filter_map(|&block| loops.innermost(block)) {
            self.ends[natural] += 1;
        }
        for parent in loops.loops().filter_map(|natural| loops.parent(natural)) {
            self.ends[parent] += 1;
        }
        // Convert sizes to start indices. Each call of `put` increments the index of one level. After the last call
        // of `put`, the index of each level is the end of the level.
        let mut next = 0;
        for place in self.ends.values_mut() {
            next += std::mem::replace(place, next);
        }
        self.nodes.clear();
        self.nodes.resize(reached.len() + loops.count(), Block::new(0));
        for &block in reached.iter().rev() {
            let innermost = loops.innermost(block);
            self.put(innermost, block, &mut next);
            if let Some(natural) = innermost.filter(|&natural| loops.header(natural) == block) {
                self.put(loops.parent(natural), block, &mut next);
            }
        }
    }

    fn put(&mut self, level: Option<Loop>, block: Block, next_of_function: &mut u32) {
        let place = level.map_or(next_of_function, |natural| &mut self.ends[natural]);
        self.nodes[*place as usize] = block;
        *place += 1;
    }

    /// The indices of the nodes of `level`. If `level` is `None`, the nodes are the outermost loops and the blocks
    /// outside all loops.
    pub(crate) fn places(&self, level: Option<Loop>) -> Range<usize> {
        let start = |before: Option<Loop>| before.map_or(0, |before| self.ends[before] as usize);
        match level {
            Some(natural) => {
                start(natural.index().checked_sub(1).map(Loop::new))..self.ends[natural] as usize
            }
            None => start(self.ends.keys().next_back())..self.nodes.len(),
        }
    }

    /// The nodes in a range of indices.
    pub(crate) fn nodes(&self, places: Range<usize>) -> &[Block] {
        &self.nodes[places]
    }

    /// The block at index `place` of the list of nodes.
    pub(crate) fn node(&self, place: usize) -> Block {
        self.nodes[place]
    }
}
