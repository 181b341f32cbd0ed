//! Calls functions of the host LLVM that fold constants. bpa therefore computes the same constants as the host LLVM,
//! also for wide integers, floating-point numbers and addresses.

use crate::ir::llvm::prelude::LLVMModuleRef;

use super::live::LiveFunction;
use super::value::{BinaryOperator, Comparison, Instruction, Type, Value};
use bpa_core::dialect::{Dialect, Folding};

unsafe extern "C" {
    fn bpa_fold<'ir>(
        module: LLVMModuleRef,
        has_layout: bool,
        operation: Instruction<'ir>,
        left: Value<'ir>,
        right: Value<'ir>,
    ) -> Option<Value<'ir>>;
    safe fn bpa_is_denormal(constant: Value) -> bool;
}

/// Folds operations on constants with instruction builders. The builders have no insertion point, so they create no
/// instructions.
pub(super) struct Folder<'ir> {
    live: &'ir LiveFunction<'ir>,
    operations: Folding,
    comparisons: Folding,
    /// LLVM: `FlushFPConstant`.
    compares_denormals: bool,
}

impl<'ir> Folder<'ir> {
    /// Creates a `Folder`. The `Folder` folds the constants of `live` like the LLVM version of `dialect`.
    pub fn new(live: &'ir LiveFunction, dialect: &Dialect) -> Self {
        Folder {
            live,
            operations: dialect.operation_folding,
            comparisons: dialect.comparison_folding,
            compares_denormals: dialect.compares_denormals,
        }
    }

    /// Replaces the operands of `operation` by `left` and `right`, and folds the result.
    ///
    /// # Safety
    ///
    /// `left` and `right` must be constants of the types of the operands. If the operation is a conversion, `right` is
    /// not used.
    unsafe fn fold(
        &self,
        folding: Folding,
        operation: Instruction<'ir>,
        left: Value<'ir>,
        right: Value<'ir>,
    ) -> Option<Value<'ir>> {
        let has_layout = folding == Folding::DataLayout;
        // SAFETY: the module is valid, and the caller guarantees that the operands are valid.
        unsafe { bpa_fold(self.live.module(), has_layout, operation, left, right) }
    }

    /// Replaces the operands of `operation` by `left` and `right`, and folds the result. Returns `None` if `left` or
    /// `right` is not a constant of the operation's type, or if the operation does not fold.
    ///
    /// LLVM: `ConstantFoldBinaryOpOperands`.
    pub fn binary(
        &self,
        operation: BinaryOperator<'ir>,
        left: Value<'ir>,
        right: Value<'ir>,
    ) -> Option<Value<'ir>> {
        are_constants([left, right], operation.type_of())?;
        // SAFETY: both operands are constants of the operation's type.
        unsafe { self.fold(self.operations, *operation, left, right) }
    }

    /// Replaces the operands of `comparison` by `left` and `right`, and folds the result. Returns `None` if `left` or
    /// `right` is not a constant of the operands' type, or if the comparison does not fold.
    ///
    /// LLVM: `ConstantFoldCompareInstOperands`.
    pub fn compare(
        &self,
        comparison: Comparison<'ir>,
        left: Value<'ir>,
        right: Value<'ir>,
    ) -> Option<Value<'ir>> {
        are_constants([left, right], comparison.left().type_of())?;
        let folding = if comparison.is_of_integers() {
            self.comparisons
        } else if !self.compares_denormals
            && [left, right].into_iter().any(|constant| bpa_is_denormal(constant))
        {
            return None;
        } else {
            // A data layout does not change the result of a comparison of numbers. This comparison uses the builder
            // without a data layout because the builder with a data layout does not always fold denormal numbers.
            Folding::Plain
        };
        // SAFETY: `left` and `right` are constants of the type of the comparison's operands.
        unsafe { self.fold(folding, *comparison, left, right) }
    }
}

/// Checks that all `values` are constants of the type `kind`.
fn are_constants<const N: usize>(values: [Value; N], kind: Type) -> Option<()> {
    values.iter().all(|value| value.is_constant() && value.type_of() == kind).then_some(())
}
