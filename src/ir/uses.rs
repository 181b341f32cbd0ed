//! Counts and iterates the uses of a value in live IR.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMOpcode::*;
use crate::ir::llvm::LLVMTypeKind::*;

use super::tested::{opcode, TestReader};
use bpa_core::features::Uses;

/// Counts the uses of an instruction. `tests` reads the instruction's function.
///
/// # Safety
///
/// `instruction` is a valid instruction of the function.
pub(super) unsafe fn of(instruction: LLVMValueRef, tests: &TestReader) -> Uses {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let mut found = Uses::default();
        let here = LLVMGetInstructionParent(instruction);
        for user in uses(instruction).map(|one| LLVMGetUser(one)) {
            found.all += 1;
            found.elsewhere += u32::from(LLVMGetInstructionParent(user) != here);
            if let Some(place) = place(user, instruction, tests, &mut found) {
                *place += 1;
            }
        }
        found
    }
}

/// The counter in `uses` for a use by `user`.
unsafe fn place<'a>(
    user: LLVMValueRef,
    used: LLVMValueRef,
    tests: &TestReader,
    uses: &'a mut Uses,
) -> Option<&'a mut u32> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        Some(match opcode(user)? {
            LLVMPHI if tests.header(user).is_some() => &mut uses.carried,
            LLVMPHI => &mut uses.merged,
            LLVMStore if LLVMGetOperand(user, 0) == used => &mut uses.stored,
            LLVMStore | LLVMLoad | LLVMGetElementPtr => &mut uses.addresses,
            LLVMRet => &mut uses.returned,
            LLVMCall | LLVMInvoke | LLVMCallBr => &mut uses.passed,
            LLVMICmp | LLVMFCmp => &mut uses.compared,
            LLVMAnd | LLVMOr | LLVMXor if is_condition(user) => &mut uses.compared,
            LLVMSelect => &mut uses.selected,
            _ if ends_block(user) => &mut uses.branched,
            _ => return None,
        })
    }
}

unsafe fn ends_block(instruction: LLVMValueRef) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let block = LLVMGetInstructionParent(instruction);
        // A pass may have removed the instruction from its block.
        !block.is_null() && LLVMGetBasicBlockTerminator(block) == instruction
    }
}

unsafe fn is_condition(value: LLVMValueRef) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let kind = LLVMTypeOf(value);
        LLVMGetTypeKind(kind) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(kind) == 1
    }
}

/// The uses of a value. The value must not be a constant, because constants are used in many functions.
///
/// # Safety
///
/// `value` is valid, and its uses do not change while the iterator is used.
pub(super) unsafe fn uses(value: LLVMValueRef) -> impl Iterator<Item = LLVMUseRef> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let some = |one: LLVMUseRef| (!one.is_null()).then_some(one);
        std::iter::successors(some(LLVMGetFirstUse(value)), move |&one| some(LLVMGetNextUse(one)))
    }
}
