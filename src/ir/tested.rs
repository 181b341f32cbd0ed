//! Reads the conditions of branches in live IR.

use rustc_hash::FxHashMap;

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMOpcode::*;
use crate::ir::llvm::LLVMRealPredicate;
use crate::ir::llvm::LLVMRealPredicate::*;
use crate::ir::llvm::LLVMTypeKind::*;

use super::calls::called_function;
use super::compare::integer_predicate;
use super::library;
use super::live::LiveFunction;
use bpa_core::cfg::Block;
use bpa_core::facts::{ConstantKind, FunctionFacts, Predicate, Terminator};
use bpa_core::features::{Library, Source, Test, TestKind};

/// At most this many nested casts are looked through.
const CASTS: usize = 8;

/// Reads the tests of blocks.
pub(super) struct TestReader<'a> {
    live: &'a LiveFunction,
    pub(super) facts: &'a FunctionFacts,
    /// A number for each tested value.
    values: FxHashMap<LLVMValueRef, u32>,
}

impl<'a> TestReader<'a> {
    /// Creates a reader for the blocks of `live`, with its `facts`.
    pub fn new(live: &'a LiveFunction, facts: &'a FunctionFacts) -> Self {
        TestReader { live, facts, values: FxHashMap::default() }
    }

    /// The test of `block` and the tested value, or `None` if the block has no condition.
    pub fn read(&mut self, block: Block) -> Option<(Test, LLVMValueRef)> {
        // SAFETY: blocks of a live function are valid, and so are operands of their terminators.
        unsafe {
            let terminator = LLVMGetBasicBlockTerminator(self.live.blocks()[block]);
            let (test, tested) = match self.facts.blocks()[block].terminator {
                Terminator::Switch => {
                    let tested = LLVMGetOperand(terminator, 0);
                    (self.of_one(TestKind::Switch, tested), tested)
                }
                Terminator::Branch => self.of_condition(block, LLVMGetCondition(terminator)),
                _ => return None,
            };
            Some((Test { value: self.number(tested), ..test }, tested))
        }
    }

    /// The test of a condition in `block`, and the tested value.
    ///
    /// # Safety
    ///
    /// `condition` is a valid value and an operand of an instruction of the function.
    pub unsafe fn read_condition(&mut self, block: Block, condition: LLVMValueRef) -> (Test, LLVMValueRef) {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let (test, tested) = self.of_condition(block, condition);
            (Test { value: self.number(tested), ..test }, tested)
        }
    }

    /// The number of a tested value.
    fn number(&mut self, tested: LLVMValueRef) -> u32 {
        let next = self.values.len() as u32;
        *self.values.entry(tested).or_insert(next)
    }

    unsafe fn of_condition(&self, block: Block, condition: LLVMValueRef) -> (Test, LLVMValueRef) {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            if !LLVMIsAICmpInst(condition).is_null() {
                let predicate = integer_predicate(LLVMGetICmpPredicate(condition) as u32);
                let is_pointer =
                    LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(condition, 0))) == LLVMPointerTypeKind;
                let kind = if is_pointer { TestKind::Pointers } else { TestKind::Integers };
                let (test, tested) = self.of_two(kind, Some(predicate), condition);
                let iterations =
                    self.counter(block, condition).map_or(0, |counter| counter.iterations(predicate));
                return (Test { iterations, ..test }, tested);
            }
            if !LLVMIsAFCmpInst(condition).is_null() {
                return self.of_two(
                    TestKind::Floats,
                    float_predicate(LLVMGetFCmpPredicate(condition)),
                    condition,
                );
            }
            let kind = match opcode(condition) {
                Some(LLVMAnd) => TestKind::And,
                Some(LLVMOr) => TestKind::Or,
                Some(LLVMXor) => TestKind::Xor,
                // These selects are `a && b` and `a || b` where `b` must not be evaluated if `a` decides.
                Some(LLVMSelect) if is_constant(LLVMGetOperand(condition, 2)) => TestKind::And,
                Some(LLVMSelect) if is_constant(LLVMGetOperand(condition, 1)) => TestKind::Or,
                _ => TestKind::Bit,
            };
            (self.of_one(kind, condition), condition)
        }
    }

    unsafe fn of_one(&self, kind: TestKind, tested: LLVMValueRef) -> Test {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let (value, bits) = uncast(tested);
            let (left, base) = self.source(value);
            Test { kind, bits, left, base, library: library_of(value), ..Test::default() }
        }
    }

    unsafe fn of_two(
        &self,
        kind: TestKind,
        predicate: Option<Predicate>,
        compare: LLVMValueRef,
    ) -> (Test, LLVMValueRef) {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let (tested, other) = (LLVMGetOperand(compare, 0), LLVMGetOperand(compare, 1));
            let test = Test {
                predicate,
                right: self.source(uncast(other).0).0,
                constant: constant_kind(other),
                magnitude: magnitude(other),
                mask_bits: mask_bits(tested),
                ..self.of_one(kind, tested)
            };
            (test, tested)
        }
    }

    /// The source of `value`, and the source of the address if `value` is loaded.
    ///
    /// # Safety
    ///
    /// `value` is valid. It belongs to the function, or to no function.
    pub unsafe fn source(&self, value: LLVMValueRef) -> (Source, Source) {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            if opcode(value) != Some(LLVMLoad) {
                return (self.unloaded_source(value), Source::None);
            }
            let address = uncast(LLVMGetOperand(value, 0)).0;
            if !LLVMIsAGetElementPtrInst(address).is_null() {
                let base = self.unloaded_source(uncast(LLVMGetOperand(address, 0)).0);
                let indices = 1..LLVMGetNumOperands(address) as u32;
                let is_field = indices.into_iter().all(|place| is_constant(LLVMGetOperand(address, place)));
                return (if is_field { Source::Field } else { Source::Element }, base);
            }
            let place = if !LLVMIsAAllocaInst(address).is_null() {
                Source::Stack
            } else if is_constant(address) {
                Source::Global
            } else {
                Source::Pointed
            };
            (place, self.unloaded_source(address))
        }
    }

    /// The source of `value`, without the source of the address if the value is loaded.
    unsafe fn unloaded_source(&self, value: LLVMValueRef) -> Source {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let Some(opcode) = opcode(value) else {
                let is_global = !LLVMIsAGlobalValue(value).is_null() || !LLVMIsAConstantExpr(value).is_null();
                return match (is_global, is_constant(value)) {
                    (true, _) => Source::Address,
                    (_, true) => Source::Constant,
                    _ => Source::Parameter,
                };
            };
            match opcode {
                LLVMAlloca => Source::Address,
                LLVMLoad => Source::Pointed,
                LLVMCall | LLVMInvoke | LLVMCallBr => callee_source(value),
                LLVMPHI if self.header(value).is_some() => Source::Carried,
                LLVMPHI => Source::Merged,
                LLVMAdd | LLVMSub | LLVMFAdd | LLVMFSub | LLVMFNeg => Source::Sum,
                LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMFMul | LLVMFDiv | LLVMFRem => {
                    Source::Product
                }
                LLVMAnd | LLVMOr | LLVMXor => Source::Bits,
                LLVMShl | LLVMLShr | LLVMAShr => Source::Shift,
                LLVMGetElementPtr => Source::Offset,
                LLVMSelect => Source::Select,
                LLVMICmp | LLVMFCmp => Source::Comparison,
                LLVMExtractValue | LLVMExtractElement => Source::Part,
                _ => Source::Other,
            }
        }
    }

    /// The block of an instruction, if that block is a loop header.
    pub(super) unsafe fn header(&self, instruction: LLVMValueRef) -> Option<Block> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            // A pass may leave unreachable blocks, and instructions that use values from them.
            let block = self.live.find(LLVMGetInstructionParent(instruction))?;
            self.facts.graph().loops().is_header(block).then_some(block)
        }
    }
}

/// The opcode of an instruction, or `None` for any other value.
pub(super) unsafe fn opcode(value: LLVMValueRef) -> Option<crate::ir::llvm::LLVMOpcode> {
    // SAFETY: the caller keeps this function's contract.
    unsafe { (!LLVMIsAInstruction(value).is_null()).then(|| LLVMGetInstructionOpcode(value)) }
}

pub(super) unsafe fn is_constant(value: LLVMValueRef) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe { !LLVMIsAConstant(value).is_null() }
}

/// The operand behind casts, and its width if it is an integer.
pub(super) unsafe fn uncast(mut value: LLVMValueRef) -> (LLVMValueRef, u32) {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        for _ in 0..CASTS {
            match opcode(value) {
                Some(
                    LLVMZExt | LLVMSExt | LLVMTrunc | LLVMBitCast | LLVMFreeze | LLVMPtrToInt | LLVMIntToPtr
                    | LLVMAddrSpaceCast | LLVMFPExt | LLVMFPTrunc,
                ) => value = LLVMGetOperand(value, 0),
                _ => break,
            }
        }
        let kind = LLVMTypeOf(value);
        let bits = if LLVMGetTypeKind(kind) == LLVMIntegerTypeKind { LLVMGetIntTypeWidth(kind) } else { 0 };
        (value, bits)
    }
}

unsafe fn callee_source(call: LLVMValueRef) -> Source {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        match called_function(call) {
            None => Source::IndirectCall,
            Some(callee) if LLVMGetIntrinsicID(callee) != 0 => Source::Intrinsic,
            Some(callee) if library::kind(callee) != Library::None => Source::LibraryCall,
            Some(callee) if LLVMIsDeclaration(callee) == 0 => Source::CallHere,
            Some(_) => Source::CallElsewhere,
        }
    }
}

unsafe fn library_of(value: LLVMValueRef) -> Library {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        match opcode(value) {
            Some(LLVMCall | LLVMInvoke) => {
                called_function(value).map_or(Library::None, |callee| library::kind(callee))
            }
            _ => Library::None,
        }
    }
}

pub(super) unsafe fn constant_kind(value: LLVMValueRef) -> Option<ConstantKind> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        if !LLVMIsAConstantInt(value).is_null() {
            let is_wide = LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64;
            return Some(if is_wide && LLVMIsNull(value) == 0 {
                ConstantKind::Large
            } else if is_wide {
                ConstantKind::Zero
            } else {
                ConstantKind::of(LLVMConstIntGetSExtValue(value))
            });
        }
        let kind = if LLVMIsNull(value) != 0 { ConstantKind::Zero } else { ConstantKind::Other };
        is_constant(value).then_some(kind)
    }
}

/// The number of binary digits of a constant without its sign. 0 if the constant has more than 64 bits.
pub(super) unsafe fn magnitude(value: LLVMValueRef) -> u32 {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        if LLVMIsAConstantInt(value).is_null() || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64 {
            return 0;
        }
        let digits = LLVMConstIntGetSExtValue(value).unsigned_abs();
        u64::BITS - digits.leading_zeros()
    }
}

/// The number of bits of `value` that a constant mask selects.
unsafe fn mask_bits(value: LLVMValueRef) -> u32 {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        if opcode(value) != Some(LLVMAnd) {
            return 0;
        }
        let mask = LLVMIsAConstantInt(LLVMGetOperand(value, 1));
        if mask.is_null() || LLVMGetIntTypeWidth(LLVMTypeOf(mask)) > 64 {
            return 0;
        }
        LLVMConstIntGetZExtValue(mask).count_ones()
    }
}

fn float_predicate(predicate: LLVMRealPredicate) -> Option<Predicate> {
    Some(match predicate {
        LLVMRealOEQ | LLVMRealUEQ => Predicate::Equal,
        LLVMRealONE | LLVMRealUNE => Predicate::Unequal,
        LLVMRealOGT | LLVMRealUGT => Predicate::Greater,
        LLVMRealOGE | LLVMRealUGE => Predicate::GreaterOrEqual,
        LLVMRealOLT | LLVMRealULT => Predicate::Less,
        LLVMRealOLE | LLVMRealULE => Predicate::LessOrEqual,
        LLVMRealORD => Predicate::Ordered,
        LLVMRealUNO => Predicate::Unordered,
        LLVMRealPredicateFalse | LLVMRealPredicateTrue => return None,
    })
}
