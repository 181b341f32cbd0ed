//! The edges of a live function, without anything else of it.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;

use super::live::LiveFunction;
use bpa_core::cfg::{Block, Graph, Rows};

impl LiveFunction {
    /// Blocks and edges: the graph of [`facts`](LiveFunction::facts), for which terminators alone are looked at.
    pub fn graph(&self) -> Graph {
        let mut successors = Rows::with_capacity(self.block_count(), self.block_count() * 2);
        for &block in self.blocks().values() {
            // SAFETY: the block is one of a live function; null is no terminator.
            unsafe {
                let terminator = LLVMGetBasicBlockTerminator(block);
                let count = if terminator.is_null() { 0 } else { LLVMGetNumSuccessors(terminator) };
                (0..count as usize).for_each(|place| successors.push(self.successor(terminator, place)));
            }
            successors.end_row();
        }
        let mut graph = Graph::from_successors(successors);
        self.order_predecessors(&mut graph);
        graph
    }

    /// Brings predecessors into LLVM's order: that of the block's use list.
    ///
    /// LLVM: `PredIterator`.
    pub(super) fn order_predecessors(&self, graph: &mut Graph) {
        for (block, &live_block) in self.blocks().iter() {
            let predecessors = graph.predecessors_mut(block);
            if predecessors.len() < 2 {
                continue;
            }
            // SAFETY: the block is one of a live function.
            let complete = unsafe { self.write_users(live_block, predecessors, |_| true) };
            if !complete {
                // Some user is no end of a block of the function: a pass has left it over, or is not yet done with it.
                // SAFETY: as above, and users are instructions of blocks.
                unsafe {
                    let ends = |user| LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(user)) == user;
                    self.write_users(live_block, predecessors, ends);
                }
            }
        }
    }

    /// Writes the blocks of the terminators that use `block`, in the order of its use list, over `predecessors`.
    /// False if those that `count` are not as many, or stand in no block of the function.
    ///
    /// A user that is an instruction is a terminator, the only instructions with blocks among their operands.
    unsafe fn write_users(
        &self,
        block: LLVMBasicBlockRef,
        predecessors: &mut [Block],
        count: impl Fn(LLVMValueRef) -> bool,
    ) -> bool {
        let mut places = predecessors.iter_mut();
        let mut complete = true;
        let mut next = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
        while !next.is_null() {
            let user = LLVMGetUser(next);
            next = LLVMGetNextUse(next);
            if LLVMIsAInstruction(user).is_null() {
                continue;
            }
            match self.find(LLVMGetInstructionParent(user)) {
                Some(source) if count(user) => match places.next() {
                    Some(place) => *place = source,
                    None => complete = false,
                },
                _ => complete = false,
            }
        }
        complete
    }
}
