//! Reads the comparison that computes a condition.

use std::borrow::Cow;
use std::ffi::{c_char, CStr};

use crate::ir::llvm::LLVMRealPredicate::*;
use crate::ir::llvm::{LLVMIntPredicate, LLVMRealPredicate};

use super::string_comparisons::StringComparisons;
use super::value::{FunctionRef, Instruction};
use bpa_core::facts::{Condition, ConstantKind, FloatPredicate, IntegerOperand, Predicate};

/// The row that `condition.cpp` writes for a condition.
#[repr(C)]
pub(super) struct ConditionRow<'ir> {
    /// The called function if the condition compares the result of a direct call. Null for other conditions. Also null
    /// if the types of the call and the function differ.
    callee: Option<FunctionRef<'ir>>,
    kind: u8,
    /// The predicate, in LLVM's numbering.
    predicate: u8,
    operand: u8,
    constant: u8,
    /// Whether the condition compares the result of an instruction with a constant. If a branch has another kind of
    /// condition, the branch has no unlikely successors.
    compares_with_constant: u8,
}

layout!(ConditionRow<'static>, 16: callee 0, kind 8, predicate 9, operand 10, constant 11, compares_with_constant 12);

// The values of `kind` and `operand` in `ConditionRow`. `condition.cpp` defines the same values.
const POINTER: u8 = 1;
const INTEGER: u8 = 2;
const FLOATING_POINT: u8 = 3;

const SINGLE_BIT: u8 = 1;
const RESULT_OF_CALL: u8 = 2;

/// The kinds of constants, in the order of the C++ enum.
const CONSTANTS: [ConstantKind; 4] =
    [ConstantKind::Zero, ConstantKind::One, ConstantKind::MinusOne, ConstantKind::Other];

// The values of predicates in LLVM's C API. `CmpInst::Predicate` in LLVM's C++ API has the same values.
const EQUAL: u32 = LLVMIntPredicate::LLVMIntEQ as u32;
const UNEQUAL: u32 = LLVMIntPredicate::LLVMIntNE as u32;

/// The predicates of integer comparisons, in the order of LLVM's numbers from [`EQUAL`] on.
const INTEGER_PREDICATES: [Predicate; 10] = [
    Predicate::Equal,
    Predicate::Unequal,
    Predicate::Above,
    Predicate::AboveOrEqual,
    Predicate::Below,
    Predicate::BelowOrEqual,
    Predicate::Greater,
    Predicate::GreaterOrEqual,
    Predicate::Less,
    Predicate::LessOrEqual,
];

unsafe extern "C" {
    safe fn bpa_predicate_name(comparison: Instruction) -> *const c_char;
}

/// The name of a comparison's predicate in LLVM's assembly, for example `slt`.
///
/// LLVM: `CmpInst::getPredicateName`.
pub(super) fn predicate_name(comparison: Instruction) -> Cow<'static, str> {
    // SAFETY: C++ returns a string literal.
    unsafe { CStr::from_ptr(bpa_predicate_name(comparison)) }.to_string_lossy()
}

impl ConditionRow<'_> {
    /// The condition, in the form that the rules use.
    #[inline(always)] // a call costs 0.2% of the instructions of `rust-bfi` on SQLite
    pub fn condition(&self, string_comparisons: StringComparisons) -> Condition {
        let predicate = u32::from(self.predicate);
        match self.kind {
            POINTER if predicate == EQUAL => Condition::Pointer { unequal: false },
            POINTER if predicate == UNEQUAL => Condition::Pointer { unequal: true },
            INTEGER => Condition::Integer {
                predicate: integer_predicate(predicate),
                operand: self.operand(string_comparisons),
                constant: CONSTANTS[usize::from(self.constant)],
            },
            FLOATING_POINT => Condition::Float { predicate: float_predicate(predicate) },
            _ => Condition::Opaque,
        }
    }

    pub fn compares_with_constant(&self) -> bool {
        self.compares_with_constant != 0
    }

    /// LLVM: `BranchProbabilityInfo::calcZeroHeuristics`.
    fn operand(&self, string_comparisons: StringComparisons) -> IntegerOperand {
        match self.operand {
            SINGLE_BIT => IntegerOperand::SingleBit,
            RESULT_OF_CALL if self.callee.is_some_and(|callee| string_comparisons.contain(callee)) => {
                IntegerOperand::StringComparison
            }
            _ => IntegerOperand::Plain,
        }
    }
}

/// Converts LLVM's number of an integer predicate to a `Predicate`.
pub(super) fn integer_predicate(predicate: u32) -> Predicate {
    INTEGER_PREDICATES[(predicate - EQUAL) as usize]
}

/// LLVM: `BranchProbabilityInfo::calcFloatingPointHeuristics`, `FCmpInst::isEquality`,
/// `CmpInst::isTrueWhenEqual`.
fn float_predicate(predicate: u32) -> FloatPredicate {
    const EQUALITIES: [LLVMRealPredicate; 3] = [LLVMRealOEQ, LLVMRealONE, LLVMRealUNE];
    let is = |known: LLVMRealPredicate| known as u32 == predicate;
    match predicate {
        _ if EQUALITIES.into_iter().any(is) => FloatPredicate::EqualityOrdered,
        _ if is(LLVMRealUEQ) => FloatPredicate::EqualityUnordered,
        _ if is(LLVMRealORD) => FloatPredicate::Ordered,
        _ if is(LLVMRealUNO) => FloatPredicate::Unordered,
        _ => FloatPredicate::Other,
    }
}
