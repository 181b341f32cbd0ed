//! The one walk over live IR that reads its facts.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMOpcode::{self, *};

use super::calls::Calls;
use super::compare;
use super::fold::Folder;
use super::live::LiveFunction;
use super::metadata::{MetadataReader, TerminatorProfile};
use bpa_core::cfg::{Graph, Rows};
use bpa_core::dialect::{Dialect, ExceptionPaths};
use bpa_core::facts::{BlockFacts, FactsParts, FunctionFacts, Marks, Terminator};

impl LiveFunction {
    /// Reads the facts that the analyses work on, as the LLVM of `dialect` sees them.
    pub fn facts(&self, dialect: &Dialect) -> FunctionFacts {
        let mut walk = Walk {
            live: self,
            dialect,
            calls: Calls::new(),
            folder: Folder::new(self.module(), dialect),
            metadata: MetadataReader::new(self, dialect.branch_weight_node),
            successors: Rows::with_capacity(self.block_count(), self.block_count() * 2),
            facts: FactsParts::default(),
        };
        // SAFETY: every block handed on is a valid block of the live function.
        unsafe {
            for &block in self.blocks().values() {
                walk.visit_block(block);
            }
        }
        walk.finish()
    }
}

struct Walk<'a> {
    live: &'a LiveFunction,
    dialect: &'a Dialect,
    calls: Calls,
    folder: Folder,
    metadata: MetadataReader,
    successors: Rows,
    facts: FactsParts,
}

impl Walk<'_> {
    /// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
    unsafe fn visit_block(&mut self, block: LLVMBasicBlockRef) {
        let mut facts = BlockFacts::default();
        let mut instruction = LLVMGetFirstInstruction(block);
        let mut last = None;
        if self.dialect.exception_paths == ExceptionPaths::Pads && is_pad(instruction) {
            facts.marks.add(Marks::EXCEPTION_PATH);
        }
        while !instruction.is_null() {
            let opcode = LLVMGetInstructionOpcode(instruction);
            last = Some((instruction, opcode));
            if opcode == LLVMCall && self.calls.is_cold(instruction) {
                facts.marks.add(Marks::COLD_CALL);
            }
            instruction = LLVMGetNextInstruction(instruction);
        }
        if let Some((last, opcode)) = last {
            // A pass may ask before it has given a block its terminator: then nothing follows the block.
            if let Some(kind) = kind(last, opcode) {
                self.visit_terminator(last, kind, &mut facts);
            }
            if facts.marks.has(Marks::NEVER_COMPLETES) && self.has_noreturn_call(last) {
                facts.marks.add(Marks::NORETURN_CALL);
            }
        }
        self.successors.end_row();
        self.facts.blocks.push(facts);
    }

    /// Whether some call in the block before `instruction` does not return. Only asked where it matters.
    ///
    /// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
    unsafe fn has_noreturn_call(&self, mut instruction: LLVMValueRef) -> bool {
        while !instruction.is_null() {
            if LLVMGetInstructionOpcode(instruction) == LLVMCall && self.calls.is_noreturn(instruction) {
                return true;
            }
            instruction = LLVMGetPreviousInstruction(instruction);
        }
        false
    }

    unsafe fn visit_terminator(
        &mut self,
        terminator: LLVMValueRef,
        kind: Terminator,
        facts: &mut BlockFacts,
    ) {
        let successors = LLVMGetNumSuccessors(terminator) as usize;
        facts.terminator = kind;
        for place in 0..successors {
            self.successors.push(self.live.successor(terminator, place));
        }
        match facts.terminator {
            Terminator::Unreachable => facts.marks.add(Marks::NEVER_COMPLETES),
            Terminator::Return => {
                let before = LLVMGetPreviousInstruction(terminator);
                if !before.is_null() && self.calls.deoptimizes(before) {
                    facts.marks.add(Marks::NEVER_COMPLETES);
                }
            }
            Terminator::Branch => {
                let condition = LLVMGetCondition(terminator);
                facts.condition = compare::read_condition(condition, &self.folder);
                if compare::compares_with_constant(condition) {
                    facts.marks.add(Marks::COMPARES_WITH_CONSTANT);
                }
            }
            _ => {}
        }
        if LLVMHasMetadata(terminator) != 0 {
            self.read_metadata(terminator, successors, facts);
        }
    }

    unsafe fn read_metadata(&mut self, terminator: LLVMValueRef, successors: usize, facts: &mut BlockFacts) {
        if let Some(weight) = self.metadata.header_weight(terminator) {
            self.facts.header_weights.push((self.facts.blocks.next_key(), weight));
        }
        if successors < 2 || !facts.terminator.may_carry_weights(self.dialect.reads_callbr_weights) {
            return;
        }
        let start = self.facts.weight_pool.len() as u32;
        match self.metadata.profile(terminator, successors, &mut self.facts.weight_pool) {
            TerminatorProfile::Weights => facts.weights = Some(start),
            TerminatorProfile::Other => facts.marks.add(Marks::OTHER_PROFILE),
            TerminatorProfile::None => {}
        }
    }

    fn finish(mut self) -> FunctionFacts {
        let mut graph = Graph::from_successors(std::mem::take(&mut self.successors));
        self.live.order_predecessors(&mut graph);
        self.facts.graph = graph;
        self.facts.entry_count = self.metadata.entry_count(self.live);
        if self.dialect.exception_paths == ExceptionPaths::UnwindDestinations {
            mark_unwind_destinations(&mut self.facts);
        }
        FunctionFacts::from_parts_unchecked(self.facts)
    }
}

/// Marks the blocks that invokes unwind to.
///
/// LLVM: `InvokeInst::getUnwindDest`.
fn mark_unwind_destinations(facts: &mut FactsParts) {
    for block in facts.graph.blocks() {
        if facts.blocks[block].terminator == Terminator::Invoke {
            let unwind = facts.graph.successors(block)[1];
            facts.blocks[unwind].marks.add(Marks::EXCEPTION_PATH);
        }
    }
}

/// Whether the block that begins with `instruction` handles exceptions: its first instruction behind the phis says so.
///
/// LLVM: `BasicBlock::isEHPad`.
unsafe fn is_pad(mut instruction: LLVMValueRef) -> bool {
    while !instruction.is_null() {
        match LLVMGetInstructionOpcode(instruction) {
            LLVMPHI => instruction = LLVMGetNextInstruction(instruction),
            opcode => {
                return matches!(opcode, LLVMLandingPad | LLVMCatchSwitch | LLVMCatchPad | LLVMCleanupPad)
            }
        }
    }
    false
}

/// Which kind of terminator an instruction is, if it is one.
#[cfg_attr(two_kinds_of_branch, expect(unused_variables, reason = "the opcode alone says it"))]
unsafe fn kind(instruction: LLVMValueRef, opcode: LLVMOpcode) -> Option<Terminator> {
    let kind = match opcode {
        LLVMRet => Terminator::Return,
        #[cfg(not(two_kinds_of_branch))]
        LLVMBr if LLVMIsConditional(instruction) == 0 => Terminator::Jump,
        #[cfg(not(two_kinds_of_branch))]
        LLVMBr => Terminator::Branch,
        #[cfg(two_kinds_of_branch)]
        LLVMUncondBr => Terminator::Jump,
        #[cfg(two_kinds_of_branch)]
        LLVMCondBr => Terminator::Branch,
        LLVMSwitch => Terminator::Switch,
        LLVMIndirectBr => Terminator::IndirectBranch,
        LLVMInvoke => Terminator::Invoke,
        LLVMCallBr => Terminator::CallBranch,
        LLVMUnreachable => Terminator::Unreachable,
        LLVMResume | LLVMCleanupRet | LLVMCatchRet | LLVMCatchSwitch => Terminator::Exceptional,
        _ => return None,
    };
    Some(kind)
}
