//! Reads the two values that a `select` chooses between, in live IR.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMOpcode::*;
use crate::ir::llvm::LLVMTypeKind::*;

use super::tested::{constant_kind, is_constant, magnitude, opcode, uncast, TestReader};
use super::uses::uses;
use bpa_core::features::{ChosenKind, ChosenValue, ConditionPart, OwnInstructions};

/// At most this many operands of an instruction are read.
const OPERANDS: u32 = 8;

/// The kind and width of a value.
///
/// # Safety
///
/// `value` is valid.
pub(super) unsafe fn kind_of(value: LLVMValueRef) -> (ChosenKind, u32) {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let kind = LLVMTypeOf(value);
        match LLVMGetTypeKind(kind) {
            LLVMIntegerTypeKind => (ChosenKind::Integer, LLVMGetIntTypeWidth(kind)),
            LLVMPointerTypeKind => (ChosenKind::Pointer, 0),
            LLVMHalfTypeKind | LLVMFloatTypeKind | LLVMDoubleTypeKind | LLVMX86_FP80TypeKind
            | LLVMFP128TypeKind => (ChosenKind::Float, 0),
            _ => (ChosenKind::Other, 0),
        }
    }
}

/// A `select` and its two values.
pub(super) struct Chosen<'a> {
    pub select: LLVMValueRef,
    pub condition: LLVMValueRef,
    /// The value that the condition tests.
    pub tested: LLVMValueRef,
    pub tests: &'a TestReader<'a>,
}

impl Chosen<'_> {
    /// Reads the value operand of the `select` at index `place`, which is 1 or 2.
    ///
    /// # Safety
    ///
    /// The `select` and its operands are valid.
    pub unsafe fn read(&self, place: u32) -> ChosenValue {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let [value, other] = [place, 3 - place].map(|place| LLVMGetOperand(self.select, place));
            let (source, base) = self.tests.source(uncast(value).0);
            let is_phi = opcode(value) == Some(LLVMPHI);
            ChosenValue {
                source,
                base,
                constant: constant_kind(value),
                magnitude: magnitude(value),
                part: self.part(value),
                is_kept: is_phi && uses(self.select).any(|one| LLVMGetUser(one) == value),
                is_from_other: has_operand(value, other),
                is_from_tested: has_operand(value, self.tested),
                is_here: is_in(value, LLVMGetInstructionParent(self.select)),
                // Functions share constants, so the uses of a constant are not counted.
                uses: if is_constant(value) {
                    0
                } else {
                    uses(value).take(ChosenValue::MOST_USES as usize).count() as u32
                },
                own: self.own_instructions(value),
            }
        }
    }

    unsafe fn part(&self, value: LLVMValueRef) -> ConditionPart {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            if value == self.condition {
                return ConditionPart::Whole;
            }
            if LLVMIsAICmpInst(self.condition).is_null() && LLVMIsAFCmpInst(self.condition).is_null() {
                return ConditionPart::None;
            }
            let is_operand = |place| uncast(LLVMGetOperand(self.condition, place)).0 == uncast(value).0;
            match (is_operand(0), is_operand(1)) {
                (true, _) => ConditionPart::Left,
                (_, true) => ConditionPart::Right,
                _ => ConditionPart::None,
            }
        }
    }

    /// Counts the instructions before the `select` that only `value` needs. A branch in place of the `select` could
    /// skip them.
    unsafe fn own_instructions(&self, value: LLVMValueRef) -> OwnInstructions {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let mut own = OwnInstructions::default();
            let block = LLVMGetInstructionParent(self.select);
            let mut open = vec![value];
            while let Some(next) = open.pop() {
                let is_own = is_in(next, block) && uses(next).take(2).count() == 1;
                if !is_own || opcode(next) == Some(LLVMPHI) || own.count == OwnInstructions::MOST {
                    continue;
                }
                own.count += 1;
                match opcode(next) {
                    Some(LLVMLoad) => own.loads += 1,
                    Some(LLVMCall | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMFDiv | LLVMFRem) => {
                        own.slow += 1
                    }
                    _ => {}
                }
                open.extend(operands(next));
            }
            own
        }
    }
}

unsafe fn has_operand(value: LLVMValueRef, wanted: LLVMValueRef) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        !matches!(opcode(value), None | Some(LLVMPHI)) && operands(value).any(|operand| operand == wanted)
    }
}

/// The first operands of an instruction, at most [`OPERANDS`].
unsafe fn operands(instruction: LLVMValueRef) -> impl Iterator<Item = LLVMValueRef> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let count = (LLVMGetNumOperands(instruction) as u32).min(OPERANDS);
        (0..count).map(move |place| LLVMGetOperand(instruction, place))
    }
}

unsafe fn is_in(value: LLVMValueRef, block: LLVMBasicBlockRef) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe { opcode(value).is_some() && LLVMGetInstructionParent(value) == block }
}
