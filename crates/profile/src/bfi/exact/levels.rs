//! The nodes of every level: blocks directly in a loop or in none, and inner loops by their headers.

use std::ops::Range;

use cranelift_entity::{EntityRef, PrimaryMap};

use crate::cfg::{refill, Block, Loop, LoopForest, SpanningTree};

/// The nodes of every level, in reverse postorder. The header of a loop is the first node of it, and a node of the
/// level around it, where it stands for the whole loop.
#[derive(Default)]
pub(super) struct Levels {
    nodes: Vec<Block>,
    /// Where the nodes of each loop end; those of the function itself come behind all others.
    ends: PrimaryMap<Loop, u32>,
}

impl Levels {
    /// Lays out the blocks of `tree`.
    pub fn compute(&mut self, tree: &SpanningTree, loops: &LoopForest) {
        refill(&mut self.ends, loops.count(), 0);
        let reached = tree.postorder();
        for natural in reached.iter().filter_map(|&block| loops.innermost(block)) {
            self.ends[natural] += 1;
        }
        for parent in loops.loops().filter_map(|natural| loops.parent(natural)) {
            self.ends[parent] += 1;
        }
        // From sizes to starts; filling moves each on to the end.
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

    /// The places of the nodes of `level`; none is the function.
    pub fn places(&self, level: Option<Loop>) -> Range<usize> {
        let start = |before: Option<Loop>| before.map_or(0, |before| self.ends[before] as usize);
        match level {
            Some(natural) => {
                start(natural.index().checked_sub(1).map(Loop::new))..self.ends[natural] as usize
            }
            None => start(self.ends.keys().next_back())..self.nodes.len(),
        }
    }

    /// The nodes at `places`.
    pub fn nodes(&self, places: Range<usize>) -> &[Block] {
        &self.nodes[places]
    }

    /// The node at `place`.
    pub fn node(&self, place: usize) -> Block {
        self.nodes[place]
    }
}
