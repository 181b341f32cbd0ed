//! The facts of live IR, from one walk over it.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMOpcode::*;

use super::calls::Calls;
use super::compare;
use super::fold::Folder;
use super::live::LiveFunction;
use super::metadata::{MetadataReader, TerminatorProfile};
use super::walked::BlockRow;
use bpa_core::dialect::{Dialect, ExceptionPaths};
use bpa_core::facts::{BlockFacts, FactsParts, FunctionFacts, Marks, Terminator};

impl LiveFunction {
    /// Reads the facts that the analyses work on, as the LLVM of `dialect` sees them.
    pub fn facts(&self, dialect: &Dialect) -> FunctionFacts {
        let walked = self.walk(true);
        let mut reader = Reader {
            live: self,
            dialect,
            calls: Calls::new(),
            folder: Folder::new(self.module(), dialect),
            metadata: MetadataReader::new(self, dialect.branch_weight_node),
            facts: FactsParts { graph: walked.graph(), ..FactsParts::default() },
        };
        for (row, &block) in walked.rows().iter().zip(self.blocks().values()) {
            // SAFETY: the row is that of a valid block of the live function.
            unsafe { reader.read_block(row, block) };
        }
        reader.finish()
    }
}

struct Reader<'a> {
    live: &'a LiveFunction,
    dialect: &'a Dialect,
    calls: Calls,
    folder: Folder,
    metadata: MetadataReader,
    facts: FactsParts,
}

impl Reader<'_> {
    /// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
    unsafe fn read_block(&mut self, row: &BlockRow, block: LLVMBasicBlockRef) {
        let mut facts = BlockFacts::default();
        if row.handles_exceptions && self.dialect.exception_paths == ExceptionPaths::Pads {
            facts.marks.add(Marks::EXCEPTION_PATH);
        }
        if row.calls_cold_function {
            facts.marks.add(Marks::COLD_CALL);
        }
        // A pass may ask before it has given a block its terminator.
        if let Some(kind) = terminator_kind(row) {
            self.read_terminator(row.last, kind, row.successors as usize, &mut facts);
        }
        if facts.marks.has(Marks::NEVER_COMPLETES) && self.live.has_noreturn_call(block) {
            facts.marks.add(Marks::NORETURN_CALL);
        }
        self.facts.blocks.push(facts);
    }

    unsafe fn read_terminator(
        &mut self,
        terminator: LLVMValueRef,
        kind: Terminator,
        successors: usize,
        facts: &mut BlockFacts,
    ) {
        facts.terminator = kind;
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

/// Which kind of terminator a block ends in, if it ends in one.
unsafe fn terminator_kind(row: &BlockRow) -> Option<Terminator> {
    if row.last.is_null() {
        return None;
    }
    let kind = match LLVMGetInstructionOpcode(row.last) {
        LLVMRet => Terminator::Return,
        #[cfg(not(two_kinds_of_branch))]
        LLVMBr if row.successors == 1 => Terminator::Jump,
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
