//! Reads the conditions of branches in live IR.

use rustc_hash::FxHashMap;

use crate::ir::llvm::LLVMOpcode::*;
use crate::ir::llvm::LLVMRealPredicate;
use crate::ir::llvm::LLVMRealPredicate::*;

use super::compare::integer_predicate;
use super::library;
use super::live::LiveFunction;
use super::value::{self, Comparison, Instruction, Integer, Value};
use bpa_core::cfg::Block;
use bpa_core::facts::{ConstantKind, FunctionFacts, Predicate, Terminator};
use bpa_core::features::{Library, Source, Test, TestKind};

/// The maximum number of nested casts that are skipped.
const CASTS: usize = 8;

/// Reads the condition of a block and describes it as a [`Test`].
pub(super) struct TestReader<'a> {
    live: &'a LiveFunction,
    pub(super) facts: &'a FunctionFacts,
    /// Maps each tested value to the number that identifies the value.
    values: FxHashMap<Value<'a>, u32>,
}

impl<'a> TestReader<'a> {
    /// Creates a reader for the blocks of `live`. `facts` must describe `live`.
    pub fn new(live: &'a LiveFunction, facts: &'a FunctionFacts) -> Self {
        TestReader { live, facts, values: FxHashMap::default() }
    }

    /// The test of `block` and the tested value, or `None` if the block has no condition.
    pub fn read(&mut self, block: Block) -> Option<(Test, Value<'a>)> {
        let terminator = self.live.block(block).terminator()?;
        let (test, tested) = match self.facts.blocks()[block].terminator {
            Terminator::Switch => {
                let tested = terminator.operand(0);
                (self.of_one(TestKind::Switch, tested), tested)
            }
            Terminator::Branch => self.of_condition(block, terminator.condition()?),
            _ => return None,
        };
        Some((Test { value: self.number(tested), ..test }, tested))
    }

    /// The test of a condition in `block`, and the tested value.
    pub fn read_condition(&mut self, block: Block, condition: Value<'a>) -> (Test, Value<'a>) {
        let (test, tested) = self.of_condition(block, condition);
        (Test { value: self.number(tested), ..test }, tested)
    }

    /// The number that identifies a tested value.
    fn number(&mut self, tested: Value<'a>) -> u32 {
        let next = self.values.len() as u32;
        *self.values.entry(tested).or_insert(next)
    }

    fn of_condition(&self, block: Block, condition: Value<'a>) -> (Test, Value<'a>) {
        if let Some(compare) = condition.comparison() {
            return match compare.predicate {
                value::Predicate::Integer(predicate) => {
                    let predicate = integer_predicate(predicate as u32);
                    let is_pointer = compare.left().type_of().is_pointer();
                    let kind = if is_pointer { TestKind::Pointers } else { TestKind::Integers };
                    let (test, tested) = self.of_two(kind, Some(predicate), compare);
                    let iterations =
                        self.counter(block, compare).map_or(0, |counter| counter.iterations(predicate));
                    (Test { iterations, ..test }, tested)
                }
                value::Predicate::Float(predicate) => {
                    self.of_two(TestKind::Floats, float_predicate(predicate), compare)
                }
            };
        }
        let kind = match condition.opcode() {
            Some(LLVMAnd) => TestKind::And,
            Some(LLVMOr) => TestKind::Or,
            Some(LLVMXor) => TestKind::Xor,
            // These two kinds of `select` are `a && b` and `a || b` with short-circuit evaluation.
            Some(LLVMSelect) if condition.operand(2).is_constant() => TestKind::And,
            Some(LLVMSelect) if condition.operand(1).is_constant() => TestKind::Or,
            _ => TestKind::Bit,
        };
        (self.of_one(kind, condition), condition)
    }

    fn of_one(&self, kind: TestKind, tested: Value) -> Test {
        let (value, bits) = uncast(tested);
        let (left, base) = self.source(value);
        Test { kind, bits, left, base, library: library_of(value), ..Test::default() }
    }

    fn of_two(
        &self,
        kind: TestKind,
        predicate: Option<Predicate>,
        compare: Comparison<'a>,
    ) -> (Test, Value<'a>) {
        let (tested, other) = (compare.left(), compare.right());
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

    /// The kind of definition of `value`, for example a parameter or a call. If `value` is loaded, the second result is
    /// the kind of definition of the address.
    pub fn source(&self, value: Value) -> (Source, Source) {
        if value.opcode() != Some(LLVMLoad) {
            return (self.unloaded_source(value), Source::None);
        }
        let address = uncast(value.operand(0)).0;
        if address.is_get_element_ptr() {
            let base = self.unloaded_source(uncast(address.operand(0)).0);
            let is_field = address.operands().skip(1).all(Value::is_constant);
            return (if is_field { Source::Field } else { Source::Element }, base);
        }
        let place = if address.is_alloca() {
            Source::Stack
        } else if address.is_constant() {
            Source::Global
        } else {
            Source::Pointed
        };
        (place, self.unloaded_source(address))
    }

    /// The source of `value`. If `value` is loaded, the address is ignored.
    fn unloaded_source(&self, value: Value) -> Source {
        let Some(instruction) = value.instruction() else {
            let is_global = value.is_global() || value.is_constant_expression();
            return match (is_global, value.is_constant()) {
                (true, _) => Source::Address,
                (_, true) => Source::Constant,
                _ => Source::Parameter,
            };
        };
        match instruction.opcode() {
            LLVMAlloca => Source::Address,
            LLVMLoad => Source::Pointed,
            LLVMCall | LLVMInvoke | LLVMCallBr => callee_source(instruction),
            LLVMPHI if self.header(instruction).is_some() => Source::Carried,
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

    /// The block of an instruction, if that block is a loop header.
    pub(super) fn header(&self, instruction: Instruction) -> Option<Block> {
        // A pass may leave unreachable blocks, and instructions that use values from unreachable blocks.
        let block = self.live.find(instruction.parent()?)?;
        self.facts.graph().loops().is_header(block).then_some(block)
    }
}

/// The value without its casts, and the width of this value in bits. If the value is not an integer, the width is 0.
pub(super) fn uncast(mut value: Value) -> (Value, u32) {
    for _ in 0..CASTS {
        match value.opcode() {
            Some(
                LLVMZExt | LLVMSExt | LLVMTrunc | LLVMBitCast | LLVMFreeze | LLVMPtrToInt | LLVMIntToPtr
                | LLVMAddrSpaceCast | LLVMFPExt | LLVMFPTrunc,
            ) => value = value.operand(0),
            _ => break,
        }
    }
    (value, value.type_of().integer_bits().unwrap_or(0))
}

fn callee_source(call: Instruction) -> Source {
    match call.called_function() {
        None => Source::IndirectCall,
        Some(callee) if callee.intrinsic() != 0 => Source::Intrinsic,
        Some(callee) if library::kind(callee) != Library::None => Source::LibraryCall,
        Some(callee) if !callee.is_declaration() => Source::CallHere,
        Some(_) => Source::CallElsewhere,
    }
}

fn library_of(value: Value) -> Library {
    let call = value.instruction().filter(|call| matches!(call.opcode(), LLVMCall | LLVMInvoke));
    call.and_then(Instruction::called_function).map_or(Library::None, library::kind)
}

pub(super) fn constant_kind(value: Value) -> Option<ConstantKind> {
    let kind = match value.integer().and_then(Integer::signed) {
        Some(number) => ConstantKind::of(number),
        None if value.is_zero() => ConstantKind::Zero,
        None if value.is_integer() => ConstantKind::Large,
        None => ConstantKind::Other,
    };
    value.is_constant().then_some(kind)
}

/// The number of binary digits of a constant's absolute value, or 0 if the constant has more than 64 bits.
pub(super) fn magnitude(value: Value) -> u32 {
    let number = value.integer().and_then(Integer::signed).unwrap_or(0);
    u64::BITS - number.unsigned_abs().leading_zeros()
}

/// The number of bits of `value` that a constant mask selects.
fn mask_bits(value: Value) -> u32 {
    if value.opcode() != Some(LLVMAnd) {
        return 0;
    }
    let mask = value.operand(1).integer().filter(|mask| mask.bits() <= 64);
    mask.map_or(0, |mask| mask.unsigned().count_ones())
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
