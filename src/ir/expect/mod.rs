//! Lowers expectations in the source to branch weights, as LLVM's `lower-expect` does.
//!
//! A front end translates `__builtin_expect(x, 1)` to a call of `llvm.expect` that returns `x`. Branches, switches and
//! selects that use the result of the call get weights. If the argument of the call is a phi, the branches that select
//! a constant for the phi also get weights. Then the call is removed, and its users use `x`.
//!
//! The order matters. If several expectations apply to one branch, the last one wins. An expectation has no effect once
//! its call is removed. Blocks are visited in layout order. In each block, the terminator comes first, then the
//! instructions from the last to the first. A select therefore gets its weights before the call above it is removed.

mod condition;
mod copies;
mod intrinsic;
mod odds;
mod phi;
mod switch;

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;

use self::intrinsic::ExpectIntrinsics;
use super::fold::Folder;
use super::metadata::{write_branch_weights, EXPECTED};
use super::LiveFunction;
use bpa_core::cfg::Block;
use bpa_core::dialect::Dialect;

impl LiveFunction {
    /// Lowers every expectation in the function to branch weights. Returns whether the function had an expectation, and
    /// has therefore changed.
    ///
    /// LLVM: `lowerExpectIntrinsic`.
    pub fn lower_expect(&mut self, dialect: &Dialect) -> bool {
        let lowering = Lowering::new(self, dialect);
        let mut changed = false;
        for &block in self.blocks().values() {
            // SAFETY: the block is a valid block of the live function, and no block is added or removed.
            changed |= unsafe { lowering.lower_block(block) };
        }
        changed
    }

    /// The expectations of branches that have not been lowered.
    pub(crate) fn expectations<'a>(&'a self, dialect: &'a Dialect) -> Expectations<'a> {
        Expectations { live: self, lowering: Lowering::new(self, dialect) }
    }
}

/// Reads the expectations in a function without changing it.
pub(crate) struct Expectations<'a> {
    live: &'a LiveFunction,
    lowering: Lowering<'a>,
}

impl Expectations<'_> {
    /// The weights that the edges of `block` would get, or `None` if its terminator does not test an expectation.
    /// Expectations of phis are not followed.
    pub fn of_terminator(&self, block: Block) -> Option<Vec<u32>> {
        // SAFETY: the block is a valid block of the live function, which does not change meanwhile.
        unsafe {
            let terminator = LLVMGetBasicBlockTerminator(self.live.blocks()[block]);
            if !LLVMIsASwitchInst(terminator).is_null() {
                self.lowering.case_weights(terminator)
            } else if is_conditional_branch(terminator) {
                self.lowering.outcome_weights(terminator).map(Vec::from)
            } else {
                None
            }
        }
    }
}

/// The data for lowering all blocks of a function.
struct Lowering<'a> {
    context: LLVMContextRef,
    dialect: &'a Dialect,
    intrinsics: ExpectIntrinsics,
    folder: Folder,
}

impl<'a> Lowering<'a> {
    fn new(live: &LiveFunction, dialect: &'a Dialect) -> Self {
        Lowering {
            context: live.context(),
            dialect,
            // SAFETY: the context belongs to a live function.
            intrinsics: unsafe { ExpectIntrinsics::new(live.context()) },
            folder: Folder::new(live.module(), dialect),
        }
    }

    /// Lowers the expectations of a block. Returns whether a call was removed.
    ///
    /// LLVM: `lowerExpectIntrinsic`.
    unsafe fn lower_block(&self, block: LLVMBasicBlockRef) -> bool {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            self.weigh_terminator(LLVMGetBasicBlockTerminator(block));
            let mut removed = false;
            let mut next = LLVMGetLastInstruction(block);
            while !next.is_null() {
                let instruction = next;
                next = LLVMGetPreviousInstruction(instruction);
                if self.intrinsics.are_called_by(instruction) {
                    self.weigh_branches_before_phi(instruction);
                    remove(instruction);
                    removed = true;
                } else if !LLVMIsASelectInst(instruction).is_null() {
                    self.weigh_outcomes(instruction);
                }
            }
            removed
        }
    }

    unsafe fn write(&self, decision: LLVMValueRef, weights: &[u32]) {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let origin = self.dialect.lowered_weights_tell_origin.then_some(EXPECTED);
            write_branch_weights(self.context, decision, Some(weights), origin);
        }
    }

    /// LLVM: `handleBranchExpect`.
    unsafe fn weigh_terminator(&self, terminator: LLVMValueRef) {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            if !LLVMIsASwitchInst(terminator).is_null() {
                self.weigh_cases(terminator);
            } else if is_conditional_branch(terminator) {
                self.weigh_outcomes(terminator);
            }
        }
    }
}

#[cfg(two_kinds_of_branch)]
unsafe fn is_conditional_branch(instruction: LLVMValueRef) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe { !LLVMIsACondBrInst(instruction).is_null() }
}

#[cfg(not(two_kinds_of_branch))]
unsafe fn is_conditional_branch(instruction: LLVMValueRef) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe { !LLVMIsABranchInst(instruction).is_null() && LLVMIsConditional(instruction) != 0 }
}

/// Removes a call of an intrinsic. Its users then use its argument.
unsafe fn remove(call: LLVMValueRef) {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let value = LLVMGetOperand(call, 0);
        // A call can be its own argument only in unreachable code. LLVM 16 does not terminate on such a call, so any
        // value is acceptable.
        let replacement = if value == call { LLVMGetPoison(LLVMTypeOf(call)) } else { value };
        LLVMReplaceAllUsesWith(call, replacement);
        LLVMInstructionEraseFromParent(call);
    }
}
