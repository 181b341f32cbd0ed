//! Follows casts and negations from a value to the phi that it copies.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMOpcode;
use rustc_hash::FxHashSet;

use crate::ir::fold::Folder;

/// A phi, with the operations that were applied to its value.
pub(super) struct CopyOfPhi {
    pub phi: LLVMValueRef,
    /// Widening casts and `xor` operations with a constant. The operation on the phi itself is last.
    steps: Vec<LLVMValueRef>,
}

impl CopyOfPhi {
    /// Finds the phi that `value` copies, with the operations between them. The result is `None` if there is no phi.
    ///
    /// # Safety
    ///
    /// `value` is a valid value.
    ///
    /// LLVM: `handlePhiDef`.
    pub unsafe fn find(mut value: LLVMValueRef) -> Option<CopyOfPhi> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let mut steps = Vec::new();
            // In unreachable code, negations may form a cycle.
            let mut seen = FxHashSet::default();
            while LLVMIsAPHINode(value).is_null() {
                if !is_step(value) || !seen.insert(value) {
                    return None;
                }
                steps.push(value);
                value = LLVMGetOperand(value, 0);
            }
            Some(CopyOfPhi { phi: value, steps })
        }
    }

    /// The result of all operations if the phi has the integer `constant`.
    ///
    /// LLVM: `handlePhiDef`.
    pub fn value_for(&self, constant: LLVMValueRef, folder: &Folder) -> Option<LLVMValueRef> {
        self.steps.iter().rev().try_fold(constant, |constant, &step| {
            // SAFETY: a step is a valid instruction, and its first operand has the type of `constant`.
            unsafe {
                match LLVMGetInstructionOpcode(step) {
                    LLVMOpcode::LLVMXor => {
                        folder.binary(LLVMOpcode::LLVMXor, constant, LLVMGetOperand(step, 1))
                    }
                    cast => folder.cast(cast, constant, LLVMTypeOf(step)),
                }
            }
        })
    }
}

/// Whether the operation of `value` is followed. A `xor` is followed only if its second operand is the constant: LLVM
/// only checks that operand, and LLVM's passes put constants there.
unsafe fn is_step(value: LLVMValueRef) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        if LLVMIsAInstruction(value).is_null() {
            return false;
        }
        match LLVMGetInstructionOpcode(value) {
            LLVMOpcode::LLVMZExt | LLVMOpcode::LLVMSExt => true,
            LLVMOpcode::LLVMXor => !LLVMIsAConstantInt(LLVMGetOperand(value, 1)).is_null(),
            _ => false,
        }
    }
}
