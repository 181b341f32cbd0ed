//! What a branch condition compares.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMIntPredicate::*;
use crate::ir::llvm::LLVMRealPredicate::*;
use crate::ir::llvm::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind};

use super::calls::called_function;
use super::fold::Folder;
use bpa_core::facts::{Condition, FloatPredicate, IntegerConstant, IntegerOperand, IntegerPredicate};

/// Reads the condition of a two-way branch.
///
/// # Safety
///
/// `condition` is a valid value.
pub(super) unsafe fn read_condition(condition: LLVMValueRef, folder: &Folder) -> Condition {
    if !LLVMIsAICmpInst(condition).is_null() {
        read_integer(condition, folder)
    } else if !LLVMIsAFCmpInst(condition).is_null() {
        Condition::Float { predicate: float_predicate(LLVMGetFCmpPredicate(condition)) }
    } else {
        Condition::Opaque
    }
}

/// Whether the condition compares an instruction's result with a constant, so that the result may be known by
/// the next turn of a loop.
///
/// # Safety
///
/// `condition` is a valid value.
///
/// LLVM: `computeUnlikelySuccessors`.
pub(super) unsafe fn compares_with_constant(condition: LLVMValueRef) -> bool {
    (!LLVMIsAICmpInst(condition).is_null() || !LLVMIsAFCmpInst(condition).is_null())
        && !LLVMIsAInstruction(LLVMGetOperand(condition, 0)).is_null()
        && !LLVMIsAConstant(LLVMGetOperand(condition, 1)).is_null()
}

/// LLVM: `BranchProbabilityInfo::calcPointerHeuristics`, `BranchProbabilityInfo::calcZeroHeuristics`.
unsafe fn read_integer(compare: LLVMValueRef, folder: &Folder) -> Condition {
    let (left, right) = (LLVMGetOperand(compare, 0), LLVMGetOperand(compare, 1));
    let predicate = LLVMGetICmpPredicate(compare);
    if LLVMGetTypeKind(LLVMTypeOf(left)) == LLVMTypeKind::LLVMPointerTypeKind {
        return match predicate {
            LLVMIntEQ => Condition::Pointer { unequal: false },
            LLVMIntNE => Condition::Pointer { unequal: true },
            _ => Condition::Opaque,
        };
    }
    match integer_constant(right) {
        Some(constant) => Condition::Integer {
            predicate: integer_predicate(predicate),
            operand: integer_operand(left, folder),
            constant: classify(constant),
        },
        None => Condition::Opaque,
    }
}

/// An integer constant, also behind a bitcast instruction.
///
/// LLVM: `BranchProbabilityInfo::calcZeroHeuristics`.
unsafe fn integer_constant(value: LLVMValueRef) -> Option<LLVMValueRef> {
    let inner = if LLVMIsABitCastInst(value).is_null() { value } else { LLVMGetOperand(value, 0) };
    let constant = LLVMIsAConstantInt(inner);
    (!constant.is_null()).then_some(constant)
}

/// Constants are unique in their context: the same number is the same address. Most fit 64 bits, and need no look-up.
///
/// LLVM: `BranchProbabilityInfo::calcZeroHeuristics`.
unsafe fn classify(constant: LLVMValueRef) -> IntegerConstant {
    let kind = LLVMTypeOf(constant);
    let width = LLVMGetIntTypeWidth(kind);
    let (one, minus_one) = if width <= 64 {
        let number = LLVMConstIntGetZExtValue(constant);
        (number == 1, number == u64::MAX >> (64 - width))
    } else {
        (constant == LLVMConstInt(kind, 1, 0), constant == LLVMConstAllOnes(kind))
    };
    if LLVMIsNull(constant) != 0 {
        IntegerConstant::Zero
    } else if one {
        IntegerConstant::One
    } else if minus_one {
        IntegerConstant::MinusOne
    } else {
        IntegerConstant::Other
    }
}

/// LLVM: `BranchProbabilityInfo::calcZeroHeuristics`.
unsafe fn integer_operand(left: LLVMValueRef, folder: &Folder) -> IntegerOperand {
    if LLVMIsAInstruction(left).is_null() {
        return IntegerOperand::Plain;
    }
    match LLVMGetInstructionOpcode(left) {
        LLVMOpcode::LLVMAnd
            if integer_constant(LLVMGetOperand(left, 1)).is_some_and(|mask| folder.is_power_of_two(mask)) =>
        {
            IntegerOperand::SingleBit
        }
        LLVMOpcode::LLVMCall
            if called_function(left).is_some_and(|callee| folder.string_comparisons.contain(callee)) =>
        {
            IntegerOperand::StringComparison
        }
        _ => IntegerOperand::Plain,
    }
}

fn integer_predicate(predicate: LLVMIntPredicate) -> IntegerPredicate {
    match predicate {
        LLVMIntEQ => IntegerPredicate::Equal,
        LLVMIntNE => IntegerPredicate::Unequal,
        LLVMIntSLT => IntegerPredicate::SignedLess,
        LLVMIntSGT => IntegerPredicate::SignedGreater,
        _ => IntegerPredicate::Other,
    }
}

/// LLVM: `BranchProbabilityInfo::calcFloatingPointHeuristics`, `FCmpInst::isEquality`,
/// `CmpInst::isTrueWhenEqual`.
fn float_predicate(predicate: LLVMRealPredicate) -> FloatPredicate {
    match predicate {
        LLVMRealOEQ | LLVMRealONE | LLVMRealUNE => FloatPredicate::EqualityOrdered,
        LLVMRealUEQ => FloatPredicate::EqualityUnordered,
        LLVMRealORD => FloatPredicate::Ordered,
        LLVMRealUNO => FloatPredicate::Unordered,
        _ => FloatPredicate::Other,
    }
}
