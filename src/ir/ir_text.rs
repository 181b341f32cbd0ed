//! Text about live code for explanations: names, calls and comparisons.

use std::cell::{OnceCell, RefCell};
use std::ffi::CStr;

use rustc_hash::FxHashMap;

use super::compare::predicate_name;
use super::metadata::MetadataReader;
use super::names::for_each_slot;
use super::names::identifier;
use super::string_comparisons::StringComparisons;
use super::value::{Instruction, Opcode, Value};
use super::{BlockNames, LiveFunction};
use crate::ir::llvm::core::{LLVMDisposeMessage, LLVMPrintValueToString};
use bpa_core::cfg::Block;
use bpa_core::dialect::{BlockNameStyle, Dialect};
use bpa_core::facts::{IrText, Terminator, UnreadProfile};
use bpa_core::schema::{AttributedCall, Condition};
use bpa_core::source::{BlockSource, FunctionSource};

unsafe extern "C" {
    safe fn bpa_has_attribute(call: Instruction, is_noreturn: bool, is_at_call_site: bool) -> bool;
}

/// Writes text about a live function.
pub struct LiveIrText<'a> {
    live: &'a LiveFunction<'a>,
    dialect: &'a Dialect,
    names: BlockNames<'a>,
    metadata: RefCell<MetadataReader<'a>>,
    /// Slot numbers of unnamed values, computed when a number is first needed.
    slots: OnceCell<FxHashMap<Value<'a>, u32>>,
    source: OnceCell<FunctionSource>,
}

impl LiveFunction<'_> {
    /// Creates a writer that uses the assembly syntax of `dialect`'s LLVM version.
    pub fn ir_text<'a>(&'a self, dialect: &'a Dialect) -> LiveIrText<'a> {
        LiveIrText {
            live: self,
            dialect,
            names: BlockNames::new(self, BlockNameStyle::Operand),
            metadata: RefCell::new(MetadataReader::new(dialect.branch_weight_node)),
            slots: OnceCell::new(),
            source: OnceCell::new(),
        }
    }
}

impl IrText for LiveIrText<'_> {
    fn block_name(&self, block: Block) -> String {
        let mut name = Vec::new();
        self.names.write(block, &mut name);
        String::from_utf8(name).expect("block names in LLVM assembly are ASCII")
    }

    fn condition(&self, block: Block) -> Condition<'static> {
        let terminator = self.live.block(block).terminator();
        // The condition of a terminator is its first operand, if the terminator has operands.
        let condition = terminator.and_then(|terminator| terminator.operands().next());
        condition.map_or_else(Condition::default, |condition| self.test(condition))
    }

    fn cold_call(&self, block: Block) -> Option<AttributedCall<'static>> {
        self.attributed_call(self.live.block(block).instructions(), false)
    }

    fn noreturn_call(&self, block: Block) -> Option<AttributedCall<'static>> {
        self.attributed_call(self.live.block(block).instructions_from_last(), true)
    }

    fn pad(&self, block: Block) -> &'static str {
        let mut instructions = self.live.block(block).instructions();
        match instructions.find(|instruction| !instruction.is_phi()).map(Instruction::opcode) {
            Some(Opcode::LANDING_PAD) => "landingpad",
            Some(Opcode::CATCH_SWITCH) => "catchswitch",
            Some(Opcode::CATCH_PAD) => "catchpad",
            Some(Opcode::CLEANUP_PAD) => "cleanuppad",
            _ => "no pad",
        }
    }

    fn unread_profile(&self, block: Block, kind: Terminator) -> Option<UnreadProfile> {
        let may_carry = kind.may_carry_weights(self.dialect.reads_callbr_weights);
        let terminator = self.live.block(block).terminator()?;
        self.metadata.borrow_mut().unread(*terminator, terminator.successor_count(), may_carry)
    }

    fn source(&self, block: Block) -> Option<&BlockSource> {
        self.source.get_or_init(|| self.live.source()).blocks.get(block)
    }
}

impl<'a> LiveIrText<'a> {
    /// The operands and predicate of `condition` if it is a comparison, otherwise only the name of `condition`.
    fn test(&self, condition: Value<'a>) -> Condition<'static> {
        let Some(comparison) = condition.comparison() else {
            return Condition { operands: vec![self.operand(condition).into()], ..Condition::default() };
        };
        let opcode = if comparison.is_of_integers() { "icmp" } else { "fcmp" };
        let (left, right) = (comparison.left(), comparison.right());
        let call = left.instruction().filter(|call| call.is_call());
        let compared = call.and_then(Instruction::called_function);
        let comparer = compared.filter(|&callee| StringComparisons::new(self.dialect).contain(callee));
        Condition {
            predicate: Some(format!("{opcode} {}", predicate_name(*comparison)).into()),
            operands: vec![self.operand(left).into(), self.operand(right).into()],
            comparer: comparer.map(|callee| self.operand(*callee).into()),
            name: None,
        }
    }

    /// The first of `instructions` that is a call with the attribute `noreturn` or `cold`.
    fn attributed_call(
        &self,
        mut instructions: impl Iterator<Item = Instruction<'a>>,
        is_noreturn: bool,
    ) -> Option<AttributedCall<'static>> {
        let call = instructions.find(|&i| i.is_call() && bpa_has_attribute(i, is_noreturn, false))?;
        Some(AttributedCall {
            callee: self.callee(call).into(),
            is_call_site_attribute: bpa_has_attribute(call, is_noreturn, true),
        })
    }

    fn callee(&self, call: Instruction<'a>) -> String {
        let mut callee = call.callee().expect("a call has a callee");
        while callee.is_constant_expression() && callee.operand_count() == 1 {
            callee = callee.operand(0);
        }
        if callee.is_inline_assembly() {
            "inline assembly".to_string()
        } else {
            self.operand(callee)
        }
    }

    /// The text of an operand without its type.
    fn operand(&self, value: Value<'a>) -> String {
        if value.is_global() {
            format!("@{}", self.name(value))
        } else if value.is_constant() {
            constant_text(value)
        } else {
            format!("%{}", self.name(value))
        }
    }

    fn name(&self, value: Value<'a>) -> String {
        let name = value.name();
        if !name.is_empty() {
            return identifier(name);
        }
        let slot = self.slots.get_or_init(|| self.count_slots()).get(&value);
        slot.map_or_else(|| "(unnamed)".to_string(), u32::to_string)
    }

    fn count_slots(&self) -> FxHashMap<Value<'a>, u32> {
        let mut slots = FxHashMap::default();
        for_each_slot(self.live, |_, value, slot| {
            slots.insert(value, slot);
        });
        slots
    }
}

/// The text of a number, null or undef in LLVM's format, without the type. For any other constant, the result is "a
/// constant", because the text of such a constant can be long.
pub(super) fn constant_text(constant: Value) -> String {
    let is_simple = constant.is_integer()
        || constant.is_float_constant()
        || constant.is_null_pointer()
        || constant.is_undef();
    if !is_simple {
        return "a constant".to_string();
    }
    // SAFETY: the value is valid. LLVM's text ends with NUL, and is freed only once.
    let text = unsafe {
        let printed = LLVMPrintValueToString(constant.raw());
        let text = CStr::from_ptr(printed).to_string_lossy().into_owned();
        LLVMDisposeMessage(printed);
        text
    };
    text.rsplit(' ').next().map_or(String::new(), str::to_string)
}
