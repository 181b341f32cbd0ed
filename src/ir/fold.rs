//! Folds constants with the host LLVM itself. The results are therefore the host's for integers of any width,
//! floating-point numbers and addresses.

use std::cell::OnceCell;

use crate::ir::llvm::prelude::*;
use crate::ir::llvm::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate};

use bpa_core::dialect::{Dialect, Folding};

/// The predicate of an integer or floating-point comparison.
#[derive(Clone, Copy)]
pub(super) enum Predicate {
    Integer(LLVMIntPredicate),
    Float(LLVMRealPredicate),
}

/// A C++ instruction builder.
#[repr(C)]
struct Builder {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn bpa_create_plain_builder(module: LLVMModuleRef) -> *mut Builder;
    fn bpa_dispose_plain_builder(builder: *mut Builder);
    fn bpa_create_layout_builder(module: LLVMModuleRef) -> *mut Builder;
    fn bpa_dispose_layout_builder(builder: *mut Builder);
    fn bpa_fold_binary(
        builder: *mut Builder,
        opcode: LLVMOpcode,
        left: LLVMValueRef,
        right: LLVMValueRef,
    ) -> LLVMValueRef;
    fn bpa_fold_cast(
        builder: *mut Builder,
        opcode: LLVMOpcode,
        value: LLVMValueRef,
        target: LLVMTypeRef,
    ) -> LLVMValueRef;
    fn bpa_fold_integer_comparison(
        builder: *mut Builder,
        predicate: LLVMIntPredicate,
        left: LLVMValueRef,
        right: LLVMValueRef,
    ) -> LLVMValueRef;
    fn bpa_fold_float_comparison(
        builder: *mut Builder,
        predicate: LLVMRealPredicate,
        left: LLVMValueRef,
        right: LLVMValueRef,
    ) -> LLVMValueRef;
    fn bpa_is_denormal(constant: LLVMValueRef) -> bool;
}

/// Folds operations on constants with instruction builders that have no insertion point and can therefore only fold.
/// Most functions need no folding, so each builder is created at its first use.
pub(super) struct Folder {
    module: LLVMModuleRef,
    operations: Folding,
    comparisons: Folding,
    /// LLVM: `FlushFPConstant`.
    compares_denormals: bool,
    /// LLVM: `ConstantFolder`.
    plain: OnceCell<*mut Builder>,
    /// LLVM: `TargetFolder`.
    with_layout: OnceCell<*mut Builder>,
}

impl Folder {
    /// Creates a folder for constants of `module` that folds like `dialect`.
    pub fn new(module: LLVMModuleRef, dialect: &Dialect) -> Self {
        Folder {
            module,
            operations: dialect.operation_folding,
            comparisons: dialect.comparison_folding,
            compares_denormals: dialect.compares_denormals,
            plain: OnceCell::new(),
            with_layout: OnceCell::new(),
        }
    }

    fn builder(&self, folding: Folding) -> *mut Builder {
        // SAFETY: the module is valid. `Folder::drop` disposes of the builders.
        unsafe {
            match folding {
                Folding::Plain => *self.plain.get_or_init(|| bpa_create_plain_builder(self.module)),
                Folding::DataLayout => {
                    *self.with_layout.get_or_init(|| bpa_create_layout_builder(self.module))
                }
            }
        }
    }

    /// Folds `left opcode right` for two constants. The result is `None` if the operation does not fold.
    ///
    /// LLVM: `ConstantFoldBinaryOpOperands`.
    pub fn binary(
        &self,
        opcode: LLVMOpcode,
        left: LLVMValueRef,
        right: LLVMValueRef,
    ) -> Option<LLVMValueRef> {
        // SAFETY: both operands are constants of the same type, and `opcode` applies to this type.
        unsafe { known(bpa_fold_binary(self.builder(self.operations), opcode, left, right)) }
    }

    /// Folds the conversion of a constant to another type. The result is `None` if the conversion does not fold.
    ///
    /// LLVM: `ConstantFoldCastOperand`.
    pub fn cast(&self, opcode: LLVMOpcode, value: LLVMValueRef, target: LLVMTypeRef) -> Option<LLVMValueRef> {
        // SAFETY: `opcode` converts constants of the type of `value` to `target`.
        unsafe { known(bpa_fold_cast(self.builder(self.operations), opcode, value, target)) }
    }

    /// Folds `left predicate right` for two constants. The result is `None` if the comparison does not fold.
    ///
    /// LLVM: `ConstantFoldCompareInstOperands`.
    pub fn compare(
        &self,
        predicate: Predicate,
        left: LLVMValueRef,
        right: LLVMValueRef,
    ) -> Option<LLVMValueRef> {
        // SAFETY: as for `binary`.
        unsafe {
            known(match predicate {
                Predicate::Integer(predicate) => {
                    bpa_fold_integer_comparison(self.builder(self.comparisons), predicate, left, right)
                }
                Predicate::Float(_)
                    if !self.compares_denormals
                        && [left, right].map(|side| bpa_is_denormal(side)).contains(&true) =>
                {
                    return None;
                }
                // A data layout does not change comparisons of numbers. The host's folder with a data layout may refuse
                // denormal numbers, so this comparison uses the folder without one.
                Predicate::Float(predicate) => {
                    bpa_fold_float_comparison(self.builder(Folding::Plain), predicate, left, right)
                }
            })
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // SAFETY: this folder created the builders, and `drop` runs once.
        unsafe {
            if let Some(builder) = self.plain.take() {
                bpa_dispose_plain_builder(builder);
            }
            if let Some(builder) = self.with_layout.take() {
                bpa_dispose_layout_builder(builder);
            }
        }
    }
}

/// Converts the result of C++, which is null if the operation did not fold.
fn known(constant: LLVMValueRef) -> Option<LLVMValueRef> {
    (!constant.is_null()).then_some(constant)
}
