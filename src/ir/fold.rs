//! Folds constants with functions of the host LLVM. The results for wide integers, floating-point numbers and addresses
//! are therefore equal to the host's results.

use std::cell::OnceCell;

use crate::ir::llvm::prelude::LLVMModuleRef;
use crate::ir::llvm::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate};

use super::live::LiveFunction;
use super::value::{BinaryOperator, Cast, Comparison, Predicate, Type, Value};
use bpa_core::dialect::{Dialect, Folding};

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
    fn bpa_fold_binary<'ir>(
        builder: *mut Builder,
        opcode: LLVMOpcode,
        left: Value<'ir>,
        right: Value<'ir>,
    ) -> Option<Value<'ir>>;
    fn bpa_fold_cast<'ir>(
        builder: *mut Builder,
        opcode: LLVMOpcode,
        value: Value<'ir>,
        target: Type<'ir>,
    ) -> Option<Value<'ir>>;
    fn bpa_fold_integer_comparison<'ir>(
        builder: *mut Builder,
        predicate: LLVMIntPredicate,
        left: Value<'ir>,
        right: Value<'ir>,
    ) -> Option<Value<'ir>>;
    fn bpa_fold_float_comparison<'ir>(
        builder: *mut Builder,
        predicate: LLVMRealPredicate,
        left: Value<'ir>,
        right: Value<'ir>,
    ) -> Option<Value<'ir>>;
    safe fn bpa_is_denormal(constant: Value) -> bool;
}

/// Folds operations on constants with instruction builders. The builders have no insertion point, so they create no
/// instructions. Most functions need no folding, so each builder is created at its first use.
pub(super) struct Folder<'ir> {
    live: &'ir LiveFunction,
    operations: Folding,
    comparisons: Folding,
    /// LLVM: `FlushFPConstant`.
    compares_denormals: bool,
    /// LLVM: `ConstantFolder`.
    plain: OnceCell<*mut Builder>,
    /// LLVM: `TargetFolder`.
    with_layout: OnceCell<*mut Builder>,
}

impl<'ir> Folder<'ir> {
    /// Creates a folder for constants in `live` that folds like `dialect`.
    pub fn new(live: &'ir LiveFunction, dialect: &Dialect) -> Self {
        Folder {
            live,
            operations: dialect.operation_folding,
            comparisons: dialect.comparison_folding,
            compares_denormals: dialect.compares_denormals,
            plain: OnceCell::new(),
            with_layout: OnceCell::new(),
        }
    }

    fn builder(&self, folding: Folding) -> *mut Builder {
        let module = self.live.module();
        // SAFETY: the module is valid as long as this folder exists, and `drop` disposes of the builders.
        unsafe {
            match folding {
                Folding::Plain => *self.plain.get_or_init(|| bpa_create_plain_builder(module)),
                Folding::DataLayout => *self.with_layout.get_or_init(|| bpa_create_layout_builder(module)),
            }
        }
    }

    /// Folds `operation` with `left` and `right` instead of its operands. The result is `None` if `left` or `right` is
    /// not a constant of the operation's type, or the operation does not fold.
    ///
    /// LLVM: `ConstantFoldBinaryOpOperands`.
    pub fn binary(
        &self,
        operation: BinaryOperator,
        left: Value<'ir>,
        right: Value<'ir>,
    ) -> Option<Value<'ir>> {
        are_constants([left, right], operation.type_of())?;
        let builder = self.builder(self.operations);
        // SAFETY: both operands are constants, and the opcode is valid for their type.
        unsafe { bpa_fold_binary(builder, operation.opcode(), left, right) }
    }

    /// Folds the conversion `cast` with `value` instead of its operand. The result is `None` if `value` is not a
    /// constant of the operand's type, or the conversion does not fold.
    ///
    /// LLVM: `ConstantFoldCastOperand`.
    pub fn cast(&self, cast: Cast<'ir>, value: Value<'ir>) -> Option<Value<'ir>> {
        are_constants([value], cast.operand(0).type_of())?;
        let builder = self.builder(self.operations);
        // SAFETY: the value is a constant, and this opcode can convert its type to the target type.
        unsafe { bpa_fold_cast(builder, cast.opcode(), value, cast.type_of()) }
    }

    /// Folds `comparison` with `left` and `right` instead of its operands. The result is `None` if `left` or `right` is
    /// not a constant of the operands' type, or the comparison does not fold.
    ///
    /// LLVM: `ConstantFoldCompareInstOperands`.
    pub fn compare(&self, comparison: Comparison, left: Value<'ir>, right: Value<'ir>) -> Option<Value<'ir>> {
        are_constants([left, right], comparison.left().type_of())?;
        match comparison.predicate {
            Predicate::Integer(predicate) => {
                let builder = self.builder(self.comparisons);
                // SAFETY: both operands are constants, and the predicate is valid for their type.
                unsafe { bpa_fold_integer_comparison(builder, predicate, left, right) }
            }
            Predicate::Float(_)
                if !self.compares_denormals
                    && [left, right].into_iter().any(|constant| bpa_is_denormal(constant)) =>
            {
                None
            }
            // A data layout does not change the result of a comparison of numbers. This comparison uses the folder
            // without a data layout because the host's other folder may refuse denormal numbers.
            Predicate::Float(predicate) => {
                let builder = self.builder(Folding::Plain);
                // SAFETY: both operands are constants, and the predicate is valid for their type.
                unsafe { bpa_fold_float_comparison(builder, predicate, left, right) }
            }
        }
    }
}

/// Checks that all `values` are constants of the type `kind`.
fn are_constants<const N: usize>(values: [Value; N], kind: Type) -> Option<()> {
    values.iter().all(|value| value.is_constant() && value.type_of() == kind).then_some(())
}

impl Drop for Folder<'_> {
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
