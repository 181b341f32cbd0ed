//! Text about live code for explanations: names, calls and comparisons.

use std::cell::{OnceCell, RefCell};
use std::ffi::CStr;

use rustc_hash::FxHashMap;

use super::calls::{called_function, Calls};
use super::identifier::{identifier, value_name};
use super::metadata::MetadataReader;
use super::names::{for_each_slot, Unnamed};
use super::string_comparisons::StringComparisons;
use super::{BlockNames, LiveFunction};
use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMIntPredicate::*;
use crate::ir::llvm::LLVMRealPredicate::*;
use crate::ir::llvm::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate};
use bpa_core::cfg::Block;
use bpa_core::dialect::{BlockNameStyle, Dialect};
use bpa_core::facts::{IrText, Terminator, UnreadProfile};
use bpa_core::schema::{AttributedCall, Condition};
use bpa_core::source::{BlockSource, FunctionSource};

/// Writes text about a live function.
pub struct LiveIrText<'a> {
    live: &'a LiveFunction,
    dialect: &'a Dialect,
    names: BlockNames<'a>,
    metadata: RefCell<MetadataReader>,
    /// Slot numbers of unnamed arguments and results, counted at the first use.
    slots: OnceCell<FxHashMap<LLVMValueRef, u32>>,
    source: OnceCell<FunctionSource>,
}

impl LiveFunction {
    /// Text about the function, as the LLVM version of `dialect` writes it.
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
        let terminator = self.terminator(block);
        // SAFETY: the condition of a terminator is its first operand, if it has any.
        unsafe {
            if terminator.is_null() || LLVMGetNumOperands(terminator) == 0 {
                return Condition::default();
            }
            self.test(LLVMGetOperand(terminator, 0))
        }
    }

    fn cold_call(&self, block: Block) -> Option<AttributedCall<'static>> {
        let calls = Calls::new();
        // SAFETY: walks the instructions of a valid block.
        unsafe {
            let first = LLVMGetFirstInstruction(self.live.blocks()[block]);
            let call = find(first, LLVMGetNextInstruction, |i| is_call(i) && calls.is_cold(i));
            call.map(|call| AttributedCall {
                callee: self.callee(call).into(),
                is_call_site_attribute: calls.is_cold_here(call),
            })
        }
    }

    fn noreturn_call(&self, block: Block) -> Option<AttributedCall<'static>> {
        let calls = Calls::new();
        // SAFETY: as in `cold_call`.
        unsafe {
            let last = self.terminator(block);
            let call = find(last, LLVMGetPreviousInstruction, |i| is_call(i) && calls.is_noreturn(i));
            call.map(|call| AttributedCall {
                callee: self.callee(call).into(),
                is_call_site_attribute: calls.is_noreturn_here(call),
            })
        }
    }

    fn pad(&self, block: Block) -> &'static str {
        // SAFETY: as in `cold_call`.
        unsafe {
            let first = LLVMGetFirstInstruction(self.live.blocks()[block]);
            let is_pad = |i| LLVMGetInstructionOpcode(i) != LLVMOpcode::LLVMPHI;
            match find(first, LLVMGetNextInstruction, is_pad).map(|pad| LLVMGetInstructionOpcode(pad)) {
                Some(LLVMOpcode::LLVMLandingPad) => "landingpad",
                Some(LLVMOpcode::LLVMCatchSwitch) => "catchswitch",
                Some(LLVMOpcode::LLVMCatchPad) => "catchpad",
                Some(LLVMOpcode::LLVMCleanupPad) => "cleanuppad",
                _ => "no pad",
            }
        }
    }

    fn unread_profile(&self, block: Block, kind: Terminator) -> Option<UnreadProfile> {
        let may_carry = kind.may_carry_weights(self.dialect.reads_callbr_weights);
        let terminator = self.terminator(block);
        // SAFETY: a terminator that is not null is a valid instruction.
        unsafe {
            if terminator.is_null() {
                return None;
            }
            let successors = LLVMGetNumSuccessors(terminator) as usize;
            self.metadata.borrow_mut().unread(terminator, successors, may_carry)
        }
    }

    fn source(&self, block: Block) -> Option<&BlockSource> {
        self.source.get_or_init(|| self.live.source()).blocks.get(block)
    }
}

impl LiveIrText<'_> {
    fn terminator(&self, block: Block) -> LLVMValueRef {
        // SAFETY: blocks of a live function are valid.
        unsafe { LLVMGetBasicBlockTerminator(self.live.blocks()[block]) }
    }

    /// The operands and predicate of a comparison. For any other value, only its name.
    unsafe fn test(&self, condition: LLVMValueRef) -> Condition<'static> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let predicate = if !LLVMIsAICmpInst(condition).is_null() {
                integer_predicate_name(LLVMGetICmpPredicate(condition))
            } else if !LLVMIsAFCmpInst(condition).is_null() {
                float_predicate_name(LLVMGetFCmpPredicate(condition))
            } else {
                return Condition { operands: vec![self.operand(condition).into()], ..Condition::default() };
            };
            let (left, right) = (LLVMGetOperand(condition, 0), LLVMGetOperand(condition, 1));
            let compared = if LLVMIsACallInst(left).is_null() { None } else { called_function(left) };
            let comparer = compared.filter(|&callee| StringComparisons::new(self.dialect).contain(callee));
            Condition {
                predicate: Some(predicate.into()),
                operands: vec![self.operand(left).into(), self.operand(right).into()],
                comparer: comparer.map(|callee| self.operand(callee).into()),
                name: None,
            }
        }
    }

    unsafe fn callee(&self, call: LLVMValueRef) -> String {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let mut callee = LLVMGetCalledValue(call);
            while !LLVMIsAConstantExpr(callee).is_null() && LLVMGetNumOperands(callee) == 1 {
                callee = LLVMGetOperand(callee, 0);
            }
            if LLVMIsAInlineAsm(callee).is_null() {
                self.operand(callee)
            } else {
                "inline assembly".to_string()
            }
        }
    }

    /// An operand without its type.
    unsafe fn operand(&self, value: LLVMValueRef) -> String {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            if !LLVMIsAGlobalValue(value).is_null() {
                format!("@{}", self.name(value))
            } else if LLVMIsAConstant(value).is_null() {
                format!("%{}", self.name(value))
            } else {
                constant_text(value)
            }
        }
    }

    fn name(&self, value: LLVMValueRef) -> String {
        let name = value_name(value, self);
        if !name.is_empty() {
            return identifier(name);
        }
        let slot = self.slots.get_or_init(|| self.count_slots()).get(&value);
        slot.map_or_else(|| "(unnamed)".to_string(), u32::to_string)
    }

    fn count_slots(&self) -> FxHashMap<LLVMValueRef, u32> {
        let mut slots = FxHashMap::default();
        for_each_slot(self.live, |unnamed, slot| {
            if let Unnamed::Value(value) = unnamed {
                slots.insert(value, slot);
            }
        });
        slots
    }
}

/// The first instruction from `start` on for which `is_wanted` is true.
unsafe fn find(
    start: LLVMValueRef,
    next: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef,
    mut is_wanted: impl FnMut(LLVMValueRef) -> bool,
) -> Option<LLVMValueRef> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let mut instruction = start;
        while !instruction.is_null() && !is_wanted(instruction) {
            instruction = next(instruction);
        }
        (!instruction.is_null()).then_some(instruction)
    }
}

unsafe fn is_call(instruction: LLVMValueRef) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe { LLVMGetInstructionOpcode(instruction) == LLVMOpcode::LLVMCall }
}

/// A number, null or undef, as LLVM prints it without its type. Any other constant becomes "a constant" because its
/// text can be long.
///
/// # Safety
///
/// `constant` is a valid constant.
pub(super) unsafe fn constant_text(constant: LLVMValueRef) -> String {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let is_simple = !LLVMIsAConstantInt(constant).is_null()
            || !LLVMIsAConstantFP(constant).is_null()
            || !LLVMIsAConstantPointerNull(constant).is_null()
            || !LLVMIsAUndefValue(constant).is_null();
        if !is_simple {
            return "a constant".to_string();
        }
        let printed = LLVMPrintValueToString(constant);
        let text = CStr::from_ptr(printed).to_string_lossy().into_owned();
        LLVMDisposeMessage(printed);
        text.rsplit(' ').next().map_or(String::new(), str::to_string)
    }
}

/// LLVM: `CmpInst::getPredicateName`.
fn integer_predicate_name(predicate: LLVMIntPredicate) -> &'static str {
    match predicate {
        LLVMIntEQ => "icmp eq",
        LLVMIntNE => "icmp ne",
        LLVMIntUGT => "icmp ugt",
        LLVMIntUGE => "icmp uge",
        LLVMIntULT => "icmp ult",
        LLVMIntULE => "icmp ule",
        LLVMIntSGT => "icmp sgt",
        LLVMIntSGE => "icmp sge",
        LLVMIntSLT => "icmp slt",
        LLVMIntSLE => "icmp sle",
    }
}

/// LLVM: `CmpInst::getPredicateName`.
fn float_predicate_name(predicate: LLVMRealPredicate) -> &'static str {
    match predicate {
        LLVMRealPredicateFalse => "fcmp false",
        LLVMRealOEQ => "fcmp oeq",
        LLVMRealOGT => "fcmp ogt",
        LLVMRealOGE => "fcmp oge",
        LLVMRealOLT => "fcmp olt",
        LLVMRealOLE => "fcmp ole",
        LLVMRealONE => "fcmp one",
        LLVMRealORD => "fcmp ord",
        LLVMRealUNO => "fcmp uno",
        LLVMRealUEQ => "fcmp ueq",
        LLVMRealUGT => "fcmp ugt",
        LLVMRealUGE => "fcmp uge",
        LLVMRealULT => "fcmp ult",
        LLVMRealULE => "fcmp ule",
        LLVMRealUNE => "fcmp une",
        LLVMRealPredicateTrue => "fcmp true",
    }
}
