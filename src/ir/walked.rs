//! What the walk in `walk.cpp` has found in a live function.

use std::slice;

use crate::ir::llvm::prelude::*;

use super::live::LiveFunction;
use bpa_core::cfg::{Graph, Rows};

/// A block's last instruction, its edges, and what its instructions say of it.
#[repr(C)]
pub(super) struct BlockRow {
    /// Null for a block without instructions.
    pub last: LLVMValueRef,
    /// How many edges leave the block.
    pub successors: u32,
    /// How many edges come in.
    predecessors: u32,
    /// Whether a call in it, or the function that one names, is marked `cold`.
    pub calls_cold_function: bool,
    /// Whether it begins with a landing pad or the like.
    pub handles_exceptions: bool,
}

/// The arrays of C++.
#[repr(C)]
struct Arrays {
    _opaque: [u8; 0],
}

extern "C" {
    fn bpa_walk(function: LLVMValueRef, blocks: usize, all_instructions: bool) -> *mut Arrays;
    fn bpa_walked_rows(walked: *const Arrays) -> *const BlockRow;
    fn bpa_walked_successors(walked: *const Arrays, count: *mut usize) -> *const LLVMBasicBlockRef;
    fn bpa_walked_predecessors(walked: *const Arrays, count: *mut usize) -> *const LLVMBasicBlockRef;
    fn bpa_drop_walked(walked: *mut Arrays);
    fn bpa_has_noreturn_call(block: LLVMBasicBlockRef) -> bool;
}

/// The blocks of a function in layout order.
pub(super) struct Walked<'a> {
    live: &'a LiveFunction,
    arrays: *mut Arrays,
}

impl LiveFunction {
    /// Blocks and edges: the graph of [`facts`](LiveFunction::facts), for which terminators alone are looked at.
    pub fn graph(&self) -> Graph {
        self.walk(false).graph()
    }

    /// Walks over all instructions, or over terminators alone.
    pub(super) fn walk(&self, all_instructions: bool) -> Walked<'_> {
        // SAFETY: the function is valid.
        let arrays = unsafe { bpa_walk(self.value(), self.block_count(), all_instructions) };
        Walked { live: self, arrays }
    }

    /// Whether some call in `block` does not return.
    pub(super) fn has_noreturn_call(&self, block: LLVMBasicBlockRef) -> bool {
        // SAFETY: callers pass a block of this function.
        unsafe { bpa_has_noreturn_call(block) }
    }
}

impl Walked<'_> {
    /// A row for each block.
    pub fn rows(&self) -> &[BlockRow] {
        // SAFETY: there are as many rows as the function has blocks.
        unsafe { slice::from_raw_parts(bpa_walked_rows(self.arrays), self.live.block_count()) }
    }

    /// Blocks and edges; predecessors are in LLVM's order, that of each block's use list.
    pub fn graph(&self) -> Graph {
        let (mut outgoing, mut incoming) = (0, 0);
        // SAFETY: each pointer is the start of as many blocks as are counted.
        let (successors, predecessors) = unsafe {
            let successors = bpa_walked_successors(self.arrays, &mut outgoing);
            let predecessors = bpa_walked_predecessors(self.arrays, &mut incoming);
            (blocks(successors, outgoing), blocks(predecessors, incoming))
        };
        Graph::from_rows(
            self.numbered(successors, |row| row.successors),
            self.numbered(predecessors, |row| row.predecessors),
        )
    }

    /// Numbers of blocks, of which `count` belong to each row.
    fn numbered(&self, mut targets: &[LLVMBasicBlockRef], count: impl Fn(&BlockRow) -> u32) -> Rows {
        let mut rows = Rows::with_capacity(self.live.block_count(), targets.len());
        for row in self.rows() {
            let (of_row, rest) = targets.split_at(count(row) as usize);
            of_row.iter().for_each(|&target| rows.push(self.live.number(target)));
            rows.end_row();
            targets = rest;
        }
        rows
    }
}

impl Drop for Walked<'_> {
    fn drop(&mut self) {
        // SAFETY: it is dropped once.
        unsafe { bpa_drop_walked(self.arrays) }
    }
}

/// A slice of blocks. An empty one may start anywhere, even at null.
unsafe fn blocks<'a>(start: *const LLVMBasicBlockRef, count: usize) -> &'a [LLVMBasicBlockRef] {
    if count == 0 {
        return &[];
    }
    slice::from_raw_parts(start, count)
}
