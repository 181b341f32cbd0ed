//! Conditions of branches and selects that test an expected value: the value itself, or its comparison with a constant.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMIntPredicate;

use super::intrinsic::Expectation;
use super::Lowering;

/// Comparisons of wider integers are skipped, as in LLVM.
const WIDEST_COMPARISON: u32 = 64;

/// A condition that depends on one value.
struct Test {
    /// The instruction that has the value as its first operand: the comparison, or the branch or select itself.
    reader: LLVMValueRef,
    comparison: Option<Comparison>,
}

/// A comparison of the value with a constant, for equality or inequality.
struct Comparison {
    constant: LLVMValueRef,
    /// Whether the condition is true if the value equals the constant.
    when_equal: bool,
}

impl Lowering<'_> {
    /// If the condition of a conditional branch or a select tests an expectation, writes weights on the instruction.
    ///
    /// LLVM: `handleBrSelExpect`.
    pub(super) unsafe fn weigh_outcomes(&self, decision: LLVMValueRef) {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let Some(test) = Test::of(decision) else { return };
            let Some(expectation) = self.intrinsics.expectation(LLVMGetOperand(test.reader, 0)) else {
                return;
            };
            LLVMSetOperand(test.reader, 0, expectation.value);
            self.write(decision, &test.weights(&expectation));
        }
    }

    /// Computes the weights that [`weigh_outcomes`](Self::weigh_outcomes) writes.
    pub(super) unsafe fn outcome_weights(&self, decision: LLVMValueRef) -> Option<[u32; 2]> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let test = Test::of(decision)?;
            Some(test.weights(&self.intrinsics.expectation(LLVMGetOperand(test.reader, 0))?))
        }
    }
}

impl Test {
    unsafe fn of(decision: LLVMValueRef) -> Option<Test> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let condition = LLVMGetOperand(decision, 0);
            if LLVMIsAICmpInst(condition).is_null() {
                return Some(Test { reader: decision, comparison: None });
            }
            let comparison = Comparison::of(condition)?;
            Some(Test { reader: condition, comparison: Some(comparison) })
        }
    }

    unsafe fn weights(&self, expectation: &Expectation) -> [u32; 2] {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let odds = expectation.confidence.odds(2);
            match self.outcome(expectation.expected) {
                true => [odds.expected, odds.other],
                false => [odds.other, odds.expected],
            }
        }
    }

    /// The result of the condition if the value is `expected`. Without a comparison, the value itself is the condition.
    unsafe fn outcome(&self, expected: LLVMValueRef) -> bool {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            match &self.comparison {
                Some(comparison) => (expected == comparison.constant) == comparison.when_equal,
                None => LLVMIsNull(expected) == 0,
            }
        }
    }
}

impl Comparison {
    unsafe fn of(compare: LLVMValueRef) -> Option<Comparison> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let when_equal = match LLVMGetICmpPredicate(compare) {
                LLVMIntPredicate::LLVMIntEQ => true,
                LLVMIntPredicate::LLVMIntNE => false,
                _ => return None,
            };
            let constant = LLVMGetOperand(compare, 1);
            let comparable = !LLVMIsAConstantInt(constant).is_null()
                && LLVMGetIntTypeWidth(LLVMTypeOf(constant)) <= WIDEST_COMPARISON;
            comparable.then_some(Comparison { constant, when_equal })
        }
    }
}
