//! Reads the control-flow graph of a function that clang has generated from the source, with the counters of clang's
//! instrumentation.

use std::ffi::c_char;
use std::slice;

use super::live::LiveFunction;
use super::value::{BasicBlock, Instruction, TerminatorInstruction, Value};
use bpa_core::counts::{SourceBlock, SourceFunction};

unsafe extern "C" {
    fn bpa_text_of_global(value: Value, length: *mut usize) -> *const c_char;
    safe fn bpa_is_jump(value: Value) -> bool;
    safe fn bpa_may_throw(value: Value) -> bool;
}

/// The variable that selects the path after a cleanup.
const CLEANUP_VARIABLE: &[u8] = b"cleanup.dest.slot";

/// The functions of the C++ runtime that throw exceptions.
const THROW: [&[u8]; 2] = [b"__cxa_throw", b"__cxa_rethrow"];

/// The name of a function in the profile, and the hash of its control flow.
pub(super) type Key<'ir> = (&'ir [u8], u64);

/// The instrumentation of a function.
#[derive(Default)]
pub(super) struct Instrumentation<'ir> {
    pub key: Option<Key<'ir>>,
    /// Whether the function is a coroutine. A coroutine leaves a block at each suspension, and no counter measures
    /// whether it continues there.
    pub is_coroutine: bool,
}

/// Whether `value` is an unconditional branch.
pub(super) fn is_jump(value: Value) -> bool {
    bpa_is_jump(value)
}

impl LiveFunction<'_> {
    /// The control-flow graph, and the instrumentation if there is one.
    pub(super) fn source_function(&self) -> (SourceFunction<'_>, Instrumentation<'_>) {
        let mut instrumentation = Instrumentation::default();
        let blocks = self.basic_blocks().map(|(_, block)| self.source_block(block, &mut instrumentation));
        (SourceFunction { blocks: blocks.collect() }, instrumentation)
    }

    fn source_block<'ir>(
        &'ir self,
        block: BasicBlock<'ir>,
        instrumentation: &mut Instrumentation<'ir>,
    ) -> SourceBlock<'ir> {
        let mut found = SourceBlock { name: block.value().name(), is_jump: true, ..SourceBlock::default() };
        for instruction in block.instructions() {
            if let Some((key, counter)) = increment(instruction) {
                instrumentation.key = instrumentation.key.or(key);
                found.counter = found.counter.or(Some(counter));
                continue;
            }
            found.is_jump &= is_jump(*instruction)
                || block.terminator().is_some_and(|end| *end == instruction && end.condition().is_some());
            let called = called(instruction);
            found.throws |= called.is_some_and(|name| THROW.contains(&name));
            found.catches |= called == Some(b"__cxa_begin_catch");
            match instruction.is_invoke() {
                true => found.may_unwind = bpa_may_throw(*instruction),
                false => found.may_leave |= bpa_may_throw(*instruction),
            }
            instrumentation.is_coroutine |= called == Some(b"llvm.coro.id");
            if instruction.is_store() && instruction.operand(1).name() == CLEANUP_VARIABLE {
                let number = instruction.operand(0).integer();
                found.cleanup.stored = Some(number.map(|number| number.unsigned() as i64));
            }
            found.cleanup.is_read |= is_cleanup_number(*instruction) && found.cleanup.stored.is_none();
        }
        let Some(terminator) = block.terminator() else { return found };
        let successors = 0..terminator.successor_count();
        found.successors =
            successors.map(|place| self.successor(terminator, place).as_u32() as usize).collect();
        found.has_unwind = terminator.is_invoke();
        let is_switch = terminator.is_switch();
        found.cleanup.cases =
            (is_switch && is_cleanup_number(terminator.operand(0))).then(|| cases(terminator)).flatten();
        found.is_branch = terminator.condition().is_some() || (is_switch && found.cleanup.cases.is_none());
        found
    }
}

/// The function that `instruction` calls, unless it calls a pointer.
fn called(instruction: Instruction<'_>) -> Option<&[u8]> {
    Some(instruction.called_function()?.name())
}

/// If `instruction` increments a counter, returns the key of the function and the number of the counter.
fn increment(instruction: Instruction<'_>) -> Option<(Option<Key<'_>>, usize)> {
    if called(instruction)? != b"llvm.instrprof.increment" {
        return None;
    }
    let number = |place: u32| Some(instruction.operand(place).integer()?.unsigned());
    let key = text_of_global(instruction.operand(0)).zip(number(1));
    Some((key, number(3)? as usize))
}

/// If `value` points to a global variable that contains a text, returns the text.
fn text_of_global(value: Value<'_>) -> Option<&[u8]> {
    let mut length = 0;
    // SAFETY: the value is valid. The text belongs to a constant, which lives as long as its context.
    unsafe {
        let start = bpa_text_of_global(value, &mut length);
        (!start.is_null()).then(|| slice::from_raw_parts(start.cast(), length))
    }
}

/// Whether `value` is the number that the variable for cleanups contains.
fn is_cleanup_number(value: Value) -> bool {
    value.is_load() && value.operand(0).name() == CLEANUP_VARIABLE
}

/// The numbers of the cases of `switch`, without the default.
fn cases(switch: TerminatorInstruction) -> Option<Vec<i64>> {
    let number = |place| Some(case_value(switch, place)?.integer()?.unsigned() as i64);
    (1..switch.successor_count()).map(number).collect()
}

/// The value of the case whose destination is the successor at index `place`. Successor 0 is the default, which has no
/// value.
#[cfg(no_case_operands)]
fn case_value(switch: TerminatorInstruction, place: usize) -> Option<Value> {
    // SAFETY: callers pass a switch and the index of a successor that is not the default.
    unsafe { Value::new(crate::ir::llvm::core::LLVMGetSwitchCaseValue(switch.raw(), place as u32)) }
}

/// The value of the case whose destination is the successor at index `place`. Successor 0 is the default, which has no
/// value. The list of a switch's operands consists of pairs. The first pair consists of the switch's condition and
/// its default destination. Each further pair consists of the value and the successor of a case.
#[cfg(not(no_case_operands))]
fn case_value(switch: TerminatorInstruction, place: usize) -> Option<Value> {
    Some(switch.operand(2 * place as u32))
}
