//! The results that `walk.cpp` computes for a live function.

use std::{ptr, slice};

use crate::ir::llvm::prelude::*;

use super::compare::ConditionRow;
use super::live::LiveFunction;
use super::numbering::SlotsForWalk;
use super::value::Instruction;
use bpa_core::cfg::unstable::{put_back, take, ScratchSlot};
use bpa_core::cfg::{AdjacencyRef, ControlFlow, Graph};
use bpa_core::facts::Terminator;

/// The last instruction of a block, and properties of all instructions in the block.
#[repr(C)]
pub(super) struct BlockRow<'ir> {
    /// The last instruction, or null if the block has no instructions.
    pub last: Option<Instruction<'ir>>,
    /// The condition, if the block ends in a conditional branch.
    pub condition: ConditionRow<'ir>,
    terminator: u8,
    /// Whether the last instruction has metadata other than its debug location.
    has_metadata: u8,
    /// Whether the block has a call with the attribute `cold`. The attribute can be on the call or on its callee.
    calls_cold_function: u8,
    /// Whether the block begins with an exception-handling pad, such as a landing pad.
    handles_exceptions: u8,
}

layout!(BlockRow<'static>, 32: last 0, condition 8, terminator 24, has_metadata 25, calls_cold_function 26, handles_exceptions 27);

impl BlockRow<'_> {
    pub fn has_metadata(&self) -> bool {
        self.has_metadata != 0
    }

    pub fn calls_cold_function(&self) -> bool {
        self.calls_cold_function != 0
    }

    pub fn handles_exceptions(&self) -> bool {
        self.handles_exceptions != 0
    }

    /// The kind of terminator, if the block has a terminator.
    pub fn terminator(&self) -> Option<Terminator> {
        /// The kinds of terminators in the order of the C++ enum.
        const KINDS: [Option<Terminator>; 10] = [
            None,
            Some(Terminator::Return),
            Some(Terminator::Jump),
            Some(Terminator::Branch),
            Some(Terminator::Switch),
            Some(Terminator::IndirectBranch),
            Some(Terminator::Invoke),
            Some(Terminator::CallBranch),
            Some(Terminator::Unreachable),
            Some(Terminator::Exceptional),
        ];
        KINDS[usize::from(self.terminator)]
    }
}

/// What a walk reads, in the order of the C++ enum.
#[derive(Clone, Copy)]
#[repr(u8)]
pub(super) enum Reads {
    Instructions,
    /// Only terminators.
    Edges,
    /// Only terminators, and the order of predecessors is arbitrary.
    UnorderedEdges,
}

/// The arrays of a walk, which C++ owns.
#[repr(C)]
struct Arrays {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn bpa_new_walked() -> *mut Arrays;
    fn bpa_drop_walked(walked: *mut Arrays);
    fn bpa_walk(
        walked: *mut Arrays,
        blocks: *const LLVMBasicBlockRef,
        count: usize,
        slots: *const SlotsForWalk,
        reads: Reads,
    ) -> bool;
    fn bpa_walked_rows(walked: *const Arrays) -> *const BlockRow<'static>;
    fn bpa_walked_edges(
        walked: *const Arrays,
        incoming: bool,
        starts: *mut *const u32,
        count: *mut usize,
    ) -> *const u32;
}

/// Owns the arrays of a walk.
struct Memory(*mut Arrays);

impl Default for Memory {
    fn default() -> Self {
        // SAFETY: `bpa_new_walked` has no preconditions.
        Memory(unsafe { bpa_new_walked() })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: C++ created the arrays, and `drop` runs once.
        unsafe { bpa_drop_walked(self.0) }
    }
}

thread_local! {
    /// The arrays of a finished walk, kept for the next walk.
    static SCRATCH: ScratchSlot<Memory> = const { ScratchSlot::new(Vec::new()) };
}

/// The results of a walk over the blocks of a function, in layout order.
pub(super) struct Walked<'a> {
    live: &'a LiveFunction<'a>,
    /// The value is `None` only while `drop` runs.
    memory: Option<Memory>,
}

impl LiveFunction<'_> {
    /// Reads blocks and edges from terminators only. The graph is equal to the graph of [`facts`](LiveFunction::facts).
    pub fn graph(&self) -> Graph {
        self.walk(Reads::Edges).graph()
    }

    /// The loops need no order of predecessors, and the order takes as long as the other parts of the graph.
    pub fn control_flow_for_loops(&self) -> ControlFlow {
        ControlFlow::new(self.walk(Reads::UnorderedEdges).graph())
    }

    /// Walks over all blocks.
    ///
    /// # Panics
    ///
    /// Panics if an edge leads to a block of another function, or to a block that was added after the numbering.
    pub(super) fn walk(&self, reads: Reads) -> Walked<'_> {
        let memory = take(&SCRATCH);
        let (blocks, slots) = (self.addresses(), self.slots_for_walk());
        // SAFETY: the blocks belong to a valid function, and `count` is their number.
        let is_closed = unsafe { bpa_walk(memory.0, blocks.as_ptr(), blocks.len(), &slots, reads) };
        assert!(is_closed, "an edge leads to a block without a number");
        Walked { live: self, memory: Some(memory) }
    }
}

impl<'a> Walked<'a> {
    /// The rows of all blocks.
    pub fn rows(&self) -> &[BlockRow<'a>] {
        // SAFETY: `bpa_walked_rows` returns one row for each block of the function.
        unsafe { slice::from_raw_parts(bpa_walked_rows(self.arrays()), self.live.block_count()) }
    }

    /// The control-flow graph. The predecessors of a block are in LLVM's order, which is the order of the block's use
    /// list.
    pub fn graph(&self) -> Graph {
        Graph::from_adjacency_refs(self.edges(false), self.edges(true))
    }

    fn edges(&self, incoming: bool) -> AdjacencyRef<'_> {
        let (mut starts, mut count) = (ptr::null(), 0);
        // SAFETY: C++ returns two arrays. The array `starts` has `block_count() + 1` elements, and the array `numbers`
        // has `count` elements. An empty C++ array can be null, but a slice must not be null.
        unsafe {
            let numbers = bpa_walked_edges(self.arrays(), incoming, &mut starts, &mut count);
            AdjacencyRef {
                starts: slice::from_raw_parts(starts, self.live.block_count() + 1),
                numbers: if count == 0 { &[] } else { slice::from_raw_parts(numbers, count) },
            }
        }
    }

    fn arrays(&self) -> *const Arrays {
        self.memory.as_ref().map_or(ptr::null(), |memory| memory.0)
    }
}

impl Drop for Walked<'_> {
    fn drop(&mut self) {
        if let Some(memory) = self.memory.take() {
            put_back(&SCRATCH, memory);
        }
    }
}
