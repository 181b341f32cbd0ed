//! Counts the uses of an instruction in live IR, for predictors.

use crate::ir::llvm::LLVMOpcode::*;

use super::tested::TestReader;
use super::value::{Instruction, Value};
use bpa_core::features::Uses;

/// Counts the uses of `instruction`. The reader `tests` must belong to the function that contains `instruction`.
pub(super) fn of(instruction: Instruction, tests: &TestReader) -> Uses {
    let mut found = Uses::default();
    let here = instruction.parent();
    for user in instruction.users().filter_map(Value::instruction) {
        found.all += 1;
        found.elsewhere += u32::from(user.parent() != here);
        if let Some(place) = place(user, *instruction, tests, &mut found) {
            *place += 1;
        }
    }
    found
}

/// Returns the counter for one use: the instruction `user` has the value `used` as an operand.
fn place<'a>(user: Instruction, used: Value, tests: &TestReader, uses: &'a mut Uses) -> Option<&'a mut u32> {
    Some(match user.opcode() {
        LLVMPHI if tests.header(user).is_some() => &mut uses.carried,
        LLVMPHI => &mut uses.merged,
        LLVMStore if user.operand(0) == used => &mut uses.stored,
        LLVMStore | LLVMLoad | LLVMGetElementPtr => &mut uses.addresses,
        LLVMRet => &mut uses.returned,
        LLVMCall | LLVMInvoke | LLVMCallBr => &mut uses.passed,
        LLVMICmp | LLVMFCmp => &mut uses.compared,
        LLVMAnd | LLVMOr | LLVMXor if is_condition(user) => &mut uses.compared,
        LLVMSelect => &mut uses.selected,
        _ if user.is_terminator() => &mut uses.branched,
        _ => return None,
    })
}

fn is_condition(instruction: Instruction) -> bool {
    instruction.type_of().integer_bits() == Some(1)
}
