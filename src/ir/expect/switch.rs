//! Switches on an expected value.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;

use super::intrinsic::Expectation;
use super::Lowering;

impl Lowering<'_> {
    /// Writes weights on a switch if its value is an expectation. The default is the likely successor if no case has
    /// the expected value.
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

    /// The weights that [`weigh_cases`](Self::weigh_cases) writes.
    pub(super) unsafe fn case_weights(&self, switch: LLVMValueRef) -> Option<Vec<u32>> {
        // SAFETY: the caller keeps this function's contract.
        unsafe { Some(weights(switch, &self.intrinsics.expectation(LLVMGetOperand(switch, 0))?)) }
    }
}

unsafe fn weights(switch: LLVMValueRef, expectation: &Expectation) -> Vec<u32> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let ways = LLVMGetNumSuccessors(switch) as usize;
        let likely = (1..ways).find(|&way| case_value(switch, way) == expectation.expected).unwrap_or(0);
        let odds = expectation.confidence.odds(ways);
        let mut weights = vec![odds.other; ways];
        weights[likely] = odds.expected;
        weights
    }
}

/// The case value of a successor; successor 0 is the default and has none.
#[cfg(no_case_operands)]
unsafe fn case_value(switch: LLVMValueRef, way: usize) -> LLVMValueRef {
    // SAFETY: the caller keeps this function's contract.
    unsafe { LLVMGetSwitchCaseValue(switch, way as u32) }
}

/// The case value of a successor; successor 0 is the default and has none. The operands are pairs: the condition and
/// the default, then for each case its value and its block.
#[cfg(not(no_case_operands))]
unsafe fn case_value(switch: LLVMValueRef, way: usize) -> LLVMValueRef {
    // SAFETY: the caller keeps this function's contract.
    unsafe { LLVMGetOperand(switch, 2 * way as u32) }
}
