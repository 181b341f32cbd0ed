//! Switches on an expected value.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;

use super::intrinsic::Expectation;
use super::Lowering;

impl Lowering<'_> {
    /// If a switch tests an expectation, writes weights on it. The likely successor is the case with the expected
    /// value, or the default if there is no such case.
    ///
    /// LLVM: `handleSwitchExpect`.
    pub(super) unsafe fn weigh_cases(&self, switch: LLVMValueRef) {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let Some(expectation) = self.intrinsics.expectation(LLVMGetOperand(switch, 0)) else { return };
            let weights = weights(switch, &expectation);
            LLVMSetOperand(switch, 0, expectation.value);
            self.write(switch, &weights);
        }
    }

    /// Computes the weights that [`weigh_cases`](Self::weigh_cases) writes.
    pub(super) unsafe fn case_weights(&self, switch: LLVMValueRef) -> Option<Vec<u32>> {
        // SAFETY: the caller keeps this function's contract.
        unsafe { Some(weights(switch, &self.intrinsics.expectation(LLVMGetOperand(switch, 0))?)) }
    }
}

unsafe fn weights(switch: LLVMValueRef, expectation: &Expectation) -> Vec<u32> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let successors = LLVMGetNumSuccessors(switch) as usize;
        let likely =
            (1..successors).find(|&place| case_value(switch, place) == expectation.expected).unwrap_or(0);
        let odds = expectation.confidence.odds(successors);
        let mut weights = vec![odds.other; successors];
        weights[likely] = odds.expected;
        weights
    }
}

/// The value of the case with this successor. Successor 0 is the default, which has no value.
#[cfg(no_case_operands)]
unsafe fn case_value(switch: LLVMValueRef, place: usize) -> LLVMValueRef {
    // SAFETY: the caller keeps this function's contract.
    unsafe { LLVMGetSwitchCaseValue(switch, place as u32) }
}

/// The value of the case with this successor. Successor 0 is the default, which has no value. The operands of a switch
/// are pairs: first the condition and the default, then the value and the successor of each case.
#[cfg(not(no_case_operands))]
unsafe fn case_value(switch: LLVMValueRef, place: usize) -> LLVMValueRef {
    // SAFETY: the caller keeps this function's contract.
    unsafe { LLVMGetOperand(switch, 2 * place as u32) }
}
