//! Constants folded by the host itself, so that the answer is the host's for integers of any width, floating
//! point numbers and addresses alike.

use std::cell::OnceCell;

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate};

use super::string_comparisons::StringComparisons;
use bpa_core::dialect::{Dialect, Folding};

/// A comparison of either kind.
#[derive(Clone, Copy)]
pub(super) enum Predicate {
    Integer(LLVMIntPredicate),
    Float(LLVMRealPredicate),
}

extern "C" {
    fn bpa_create_layout_builder(module: LLVMModuleRef) -> LLVMBuilderRef;
    fn bpa_dispose_layout_builder(builder: LLVMBuilderRef);
    fn bpa_is_denormal(constant: LLVMValueRef) -> bool;
}

/// Folds operations on constants: instruction builders that stand nowhere, and so can only fold. They are made when
/// they are first needed: most functions need none.
pub(super) struct Folder {
    module: LLVMModuleRef,
    operations: Folding,
    comparisons: Folding,
    /// LLVM: `FlushFPConstant`.
    compares_denormals: bool,
    /// Which functions count as string comparisons.
    pub string_comparisons: StringComparisons,
    /// LLVM: `ConstantFolder`.
    plain: OnceCell<LLVMBuilderRef>,
    /// LLVM: `TargetFolder`.
    with_layout: OnceCell<LLVMBuilderRef>,
}

impl Folder {
    /// A folder for constants of `module` that folds as `dialect` does.
    pub fn new(module: LLVMModuleRef, dialect: &Dialect) -> Self {
        Folder {
            module,
            operations: dialect.operation_folding,
            comparisons: dialect.comparison_folding,
            compares_denormals: dialect.compares_denormals,
            string_comparisons: StringComparisons::new(dialect),
            plain: OnceCell::new(),
            with_layout: OnceCell::new(),
        }
    }

    fn builder(&self, folding: Folding) -> LLVMBuilderRef {
        // SAFETY: the module is valid; the builders are disposed of when this is dropped.
        unsafe {
            match folding {
                Folding::Plain => {
                    *self.plain.get_or_init(|| LLVMCreateBuilderInContext(LLVMGetModuleContext(self.module)))
                }
                Folding::DataLayout => {
                    *self.with_layout.get_or_init(|| bpa_create_layout_builder(self.module))
                }
            }
        }
    }

    /// `left opcode right`, for two constants, if it folds.
    ///
    /// LLVM: `ConstantFoldBinaryOpOperands`.
    pub fn binary(
        &self,
        opcode: LLVMOpcode,
        left: LLVMValueRef,
        right: LLVMValueRef,
    ) -> Option<LLVMValueRef> {
        // SAFETY: both operands are constants of the same type, and `opcode` came with that type.
        unsafe { folded(LLVMBuildBinOp(self.builder(self.operations), opcode, left, right, c"".as_ptr())) }
    }

    /// A constant converted to another type, if that folds.
    ///
    /// LLVM: `ConstantFoldCastOperand`.
    pub fn cast(&self, opcode: LLVMOpcode, value: LLVMValueRef, target: LLVMTypeRef) -> Option<LLVMValueRef> {
        // SAFETY: `opcode` converts constants of the type of `value` to `target`.
        unsafe { folded(LLVMBuildCast(self.builder(self.operations), opcode, value, target, c"".as_ptr())) }
    }

    /// `left predicate right`, for two constants, if it folds.
    ///
    /// LLVM: `ConstantFoldCompareInstOperands`.
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
                Predicate::Integer(predicate) => {
                    LLVMBuildICmp(self.builder(self.comparisons), predicate, left, right, name)
                }
                Predicate::Float(_)
                    if !self.compares_denormals
                        && [left, right].map(|side| bpa_is_denormal(side)).contains(&true) =>
                {
                    return None;
                }
                // A data layout knows nothing of numbers; and the host's folder that has one may refuse denormal ones.
                Predicate::Float(predicate) => {
                    LLVMBuildFCmp(self.builder(Folding::Plain), predicate, left, right, name)
                }
            })
        }
    }

    /// Whether an integer constant has exactly one bit set, at any width.
    ///
    /// LLVM: `APInt::isPowerOf2`.
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
        // SAFETY: made by this folder, disposed of once.
        unsafe {
            if let Some(builder) = self.plain.take() {
                LLVMDisposeBuilder(builder);
            }
            if let Some(builder) = self.with_layout.take() {
                bpa_dispose_layout_builder(builder);
            }
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
