//! Constant folding by the host itself, so that the results are the host's for integers of any width, floating point
//! numbers and addresses.

use std::cell::OnceCell;

use crate::ir::llvm::prelude::*;
use crate::ir::llvm::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate};

use bpa_core::dialect::{Dialect, Folding};

/// An integer or floating point comparison.
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

extern "C" {
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

/// Folds operations on constants: instruction builders without an insertion point, which can only fold. They are made
/// when they are first needed, since most functions need none.
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
    /// A folder for constants of `module` that folds as `dialect` does.
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
        // SAFETY: the module is valid; the builders are disposed of when this is dropped.
        unsafe {
            match folding {
                Folding::Plain => *self.plain.get_or_init(|| bpa_create_plain_builder(self.module)),
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
        unsafe { known(bpa_fold_binary(self.builder(self.operations), opcode, left, right)) }
    }

    /// A constant converted to another type, if it folds.
    ///
    /// LLVM: `ConstantFoldCastOperand`.
    pub fn cast(&self, opcode: LLVMOpcode, value: LLVMValueRef, target: LLVMTypeRef) -> Option<LLVMValueRef> {
        // SAFETY: `opcode` converts constants of the type of `value` to `target`.
        unsafe { known(bpa_fold_cast(self.builder(self.operations), opcode, value, target)) }
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
                // A data layout does not matter for numbers, and the host's folder that uses one may refuse denormal
                // numbers.
                Predicate::Float(predicate) => {
                    bpa_fold_float_comparison(self.builder(Folding::Plain), predicate, left, right)
                }
            })
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // SAFETY: made by this folder, disposed of once.
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

/// The result of C++; null if it did not fold.
fn known(constant: LLVMValueRef) -> Option<LLVMValueRef> {
    (!constant.is_null()).then_some(constant)
}
