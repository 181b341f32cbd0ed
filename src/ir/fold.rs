//! Constants folded by the host itself, so that the answer is the host's for integers of any width, floating
//! point numbers and addresses alike.

use std::cell::OnceCell;

use llvm_plugin::inkwell::llvm_sys::core::*;
use llvm_plugin::inkwell::llvm_sys::prelude::*;
use llvm_plugin::inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate};

/// A comparison of either kind.
#[derive(Clone, Copy)]
pub(super) enum Predicate {
    Integer(LLVMIntPredicate),
    Float(LLVMRealPredicate),
}

/// Folds operations on constants: an instruction builder that stands nowhere, and so can only fold.
pub(super) struct Folder {
    context: LLVMContextRef,
    /// Made when it is first needed: most functions need none.
    builder: OnceCell<LLVMBuilderRef>,
}

impl Folder {
    /// A folder for constants of `context`.
    pub fn new(context: LLVMContextRef) -> Self {
        Folder { context, builder: OnceCell::new() }
    }

    fn builder(&self) -> LLVMBuilderRef {
        // SAFETY: the context is valid; the builder is disposed of when this is dropped.
        *self.builder.get_or_init(|| unsafe { LLVMCreateBuilderInContext(self.context) })
    }

    /// `left opcode right`, for two constants, if it folds.
    pub fn binary(
        &self,
        opcode: LLVMOpcode,
        left: LLVMValueRef,
        right: LLVMValueRef,
    ) -> Option<LLVMValueRef> {
        // SAFETY: both operands are constants of the same type, and `opcode` came with that type.
        unsafe { folded(LLVMBuildBinOp(self.builder(), opcode, left, right, c"".as_ptr())) }
    }

    /// A constant converted to another type, if that folds.
    pub fn cast(&self, opcode: LLVMOpcode, value: LLVMValueRef, target: LLVMTypeRef) -> Option<LLVMValueRef> {
        // SAFETY: `opcode` converts constants of the type of `value` to `target`.
        unsafe { folded(LLVMBuildCast(self.builder(), opcode, value, target, c"".as_ptr())) }
    }

    /// `left predicate right`, for two constants, if it folds.
    pub fn compare(
        &self,
        predicate: Predicate,
        left: LLVMValueRef,
        right: LLVMValueRef,
    ) -> Option<LLVMValueRef> {
        let name = c"".as_ptr();
        // SAFETY: as for `binary`.
        unsafe {
            folded(match predicate {
                Predicate::Integer(predicate) => LLVMBuildICmp(self.builder(), predicate, left, right, name),
                Predicate::Float(predicate) => LLVMBuildFCmp(self.builder(), predicate, left, right, name),
            })
        }
    }

    /// Whether an integer constant has exactly one bit set, at any width.
    pub fn is_power_of_two(&self, constant: LLVMValueRef) -> bool {
        // SAFETY: the constant is an integer, and so are those made from its type.
        unsafe {
            if LLVMGetIntTypeWidth(LLVMTypeOf(constant)) <= 64 {
                return LLVMConstIntGetZExtValue(constant).is_power_of_two();
            }
            let one = LLVMConstInt(LLVMTypeOf(constant), 1, 0);
            let lower_bits = self.binary(LLVMOpcode::LLVMSub, constant, one);
            let shared = lower_bits.and_then(|lower| self.binary(LLVMOpcode::LLVMAnd, constant, lower));
            LLVMIsNull(constant) == 0 && shared.is_some_and(|shared| LLVMIsNull(shared) != 0)
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Some(builder) = self.builder.take() {
            // SAFETY: made by this folder, disposed of once.
            unsafe { LLVMDisposeBuilder(builder) }
        }
    }
}

/// Keeps a constant; deletes the instruction that the builder made where nothing folded.
unsafe fn folded(result: LLVMValueRef) -> Option<LLVMValueRef> {
    if LLVMIsAConstant(result).is_null() {
        // LLVM 14 makes a constant of every operation on constants, and cannot delete loose instructions.
        #[cfg(not(feature = "llvm14-0"))]
        LLVMDeleteInstruction(result);
        return None;
    }
    Some(result)
}
