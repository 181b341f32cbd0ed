//! Reads the two values of a `select` in live IR.

use crate::ir::llvm::LLVMOpcode::*;
use crate::ir::llvm::LLVMTypeKind::*;

use super::tested::{uncast, TestReader, ValueRow};
use super::value::{BasicBlock, Instruction, Value};
use bpa_core::features::{ChosenKind, ChosenValue, ConditionPart, OwnInstructions};

/// For each instruction, the features use at most this number of operands.
const OPERANDS: usize = 8;

/// The kind and width of a value.
pub(super) fn kind_of(value: Value) -> (ChosenKind, u32) {
    let kind = value.type_of();
    match kind.kind() {
        LLVMIntegerTypeKind => (ChosenKind::Integer, kind.integer_bits().unwrap_or(0)),
        LLVMPointerTypeKind => (ChosenKind::Pointer, 0),
        LLVMHalfTypeKind | LLVMFloatTypeKind | LLVMDoubleTypeKind | LLVMX86_FP80TypeKind
        | LLVMFP128TypeKind => (ChosenKind::Float, 0),
        _ => (ChosenKind::Other, 0),
    }
}

/// A `select` and its two values.
pub(super) struct Chosen<'a> {
    pub select: Instruction<'a>,
    pub condition: Value<'a>,
    /// The value that the condition tests.
    pub tested: Value<'a>,
    pub tests: &'a TestReader<'a>,
}

impl<'a> Chosen<'a> {
    /// Reads one of the two values of the `select`: the operand with the index `place`. This index is 1 or 2.
    pub fn read(&self, place: u32) -> ChosenValue {
        let [value, other] = [place, 3 - place].map(|place| self.select.operand(place));
        let row = ValueRow::of(value);
        let (source, base) = self.tests.sources(&row);
        ChosenValue {
            source,
            base,
            constant: row.constant_kind(),
            magnitude: row.magnitude(),
            part: self.part(value),
            is_kept: value.is_phi() && self.select.users().any(|user| user == value),
            is_from_other: has_operand(value, other),
            is_from_tested: has_operand(value, self.tested),
            is_here: is_in(value, self.select.parent()),
            // Functions share constants, so the uses of a constant are not counted.
            uses: if value.is_constant() {
                0
            } else {
                value.users().take(ChosenValue::MOST_USES as usize).count() as u32
            },
            own: self.own_instructions(value),
        }
    }

    fn part(&self, value: Value) -> ConditionPart {
        if value == self.condition {
            return ConditionPart::Whole;
        }
        let Some(compare) = self.condition.comparison() else { return ConditionPart::None };
        let is_operand = |operand| uncast(operand) == uncast(value);
        match (is_operand(compare.left()), is_operand(compare.right())) {
            (true, _) => ConditionPart::Left,
            (_, true) => ConditionPart::Right,
            _ => ConditionPart::None,
        }
    }

    /// Counts the instructions in the block of the `select` that are needed only for `value`. If a branch replaced the
    /// `select`, the branch could skip these instructions.
    fn own_instructions(&self, value: Value<'a>) -> OwnInstructions {
        let mut own = OwnInstructions::default();
        let block = self.select.parent();
        let mut open = vec![value];
        while let Some(next) = open.pop() {
            let is_own = is_in(next, block) && next.users().take(2).count() == 1;
            if !is_own || next.is_phi() || own.count == OwnInstructions::MOST {
                continue;
            }
            own.count += 1;
            match next.opcode() {
                Some(LLVMLoad) => own.loads += 1,
                Some(LLVMCall | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMFDiv | LLVMFRem) => {
                    own.slow += 1
                }
                _ => {}
            }
            open.extend(first_operands(next));
        }
        own
    }
}

fn has_operand(value: Value, wanted: Value) -> bool {
    value.is_instruction() && !value.is_phi() && first_operands(value).any(|operand| operand == wanted)
}

/// The first [`OPERANDS`] operands of a value, or all operands if there are fewer.
fn first_operands(value: Value) -> impl Iterator<Item = Value> {
    value.operands().take(OPERANDS)
}

fn is_in(value: Value, block: Option<BasicBlock>) -> bool {
    value.instruction().is_some_and(|instruction| instruction.parent() == block)
}
