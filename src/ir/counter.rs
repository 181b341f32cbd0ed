//! Finds loop counters that are compared with constants, in live IR.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMOpcode::*;

use super::tested::{opcode, TestReader};
use bpa_core::cfg::Block;
use bpa_core::features::Counter;

impl TestReader<'_> {
    /// The counter that the integer comparison `compare` in `block` compares with a constant. A counter is a phi in the
    /// header of a loop around the block that starts with a constant and grows by one, or the sum of such a phi and a
    /// constant.
    pub(super) unsafe fn counter(&self, block: Block, compare: LLVMValueRef) -> Option<Counter> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let (left, right) = (LLVMGetOperand(compare, 0), LLVMGetOperand(compare, 1));
            let bound = number(right)?;
            let (phi, ahead) = distance(left).unwrap_or((left, 0));
            let header = self.carried_block(phi)?;
            let loops = self.facts.graph().loops();
            if !loops.contains_block(loops.innermost(header)?, block) {
                return None;
            }
            let (start, next) = start_and_next(phi)?;
            let (from, step) = distance(next)?;
            let bits = LLVMGetIntTypeWidth(LLVMTypeOf(right));
            (from == phi).then_some(Counter { bits, start: start.wrapping_add(ahead), step, bound })
        }
    }

    /// The header of the loop that has `value` as a phi in its header, or `None`.
    unsafe fn carried_block(&self, value: LLVMValueRef) -> Option<Block> {
        // SAFETY: the caller keeps this function's contract.
        unsafe { (opcode(value) == Some(LLVMPHI)).then(|| self.header(value)).flatten() }
    }
}

/// The two incoming values of a phi if exactly one of them is a constant: the constant, then the other value.
unsafe fn start_and_next(phi: LLVMValueRef) -> Option<(u64, LLVMValueRef)> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let (mut start, mut next) = (None, None);
        for place in 0..LLVMCountIncoming(phi) {
            let incoming = LLVMGetIncomingValue(phi, place);
            let is_same = match number(incoming) {
                Some(constant) => *start.get_or_insert(constant) == constant,
                None => *next.get_or_insert(incoming) == incoming,
            };
            if !is_same {
                return None;
            }
        }
        Some((start?, next?))
    }
}

/// The value of a constant of at most 64 bits.
unsafe fn number(value: LLVMValueRef) -> Option<u64> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let is_narrow = !LLVMIsAConstantInt(value).is_null() && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
        is_narrow.then(|| LLVMConstIntGetZExtValue(value))
    }
}

/// The two operands of `value` if it is the sum of another value and a constant.
unsafe fn distance(value: LLVMValueRef) -> Option<(LLVMValueRef, u64)> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let operand = |place| LLVMGetOperand(value, place);
        match opcode(value)? {
            LLVMAdd => Some((operand(0), number(operand(1))?)),
            LLVMSub => Some((operand(0), number(operand(1))?.wrapping_neg())),
            _ => None,
        }
    }
}
