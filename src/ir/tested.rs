//! Reads the conditions of branches in live IR, and the loop counters in them.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::compare::integer_predicate;
use super::live::LiveFunction;
use super::string_comparisons::library_kind;
use super::value::{Comparison, Instruction, Integer, Opcode, Phi, Value};
use crate::ir::llvm::LLVMRealPredicate;
use bpa_core::cfg::Block;
use bpa_core::facts::{ConstantKind, FunctionFacts, Predicate, Terminator};
use bpa_core::features::{magnitude, Counter, Library, Source, Test, TestKind};

// The predicates that only floating-point comparisons have, in LLVM's numbering.
const ORDERED: u32 = LLVMRealPredicate::LLVMRealORD as u32;
const UNORDERED: u32 = LLVMRealPredicate::LLVMRealUNO as u32;

// The values of the enum `ConstantClass` in `tested.cpp`.
const NO_CONSTANT: u8 = 0;
const NUMBER: u8 = 1;
const ZERO: u8 = 2;
const LARGE: u8 = 3;

// The numbers of `Last` in `tested.cpp`.
const SINGLE: u8 = 0;
const NEGATED: u8 = 2;

/// The kind of constant or instruction from which a value comes. `tested.cpp` has read this kind from the IR. The fields
/// that are enums in C++ are numbers here, because a wrong value of a Rust enum would be undefined behaviour.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct SourceRow<'ir> {
    /// The called function if the source is a call, or the phi if the source is a phi.
    value: Option<Value<'ir>>,
    /// An index of [`Source::ALL`].
    source: u8,
}

/// A value that `tested.cpp` has read from the IR.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct ValueRow<'ir> {
    source: SourceRow<'ir>,
    base: SourceRow<'ir>,
    number: i64,
    constant: u8,
    /// The width of `number`.
    width: u32,
}

layout!(SourceRow<'static>, 16: source 8);
layout!(ValueRow<'static>, 48: base 16, number 32, constant 40, width 44);

/// A test that `tested.cpp` has read from the IR.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct TestRow<'ir> {
    condition: Option<Value<'ir>>,
    tested: Option<Value<'ir>>,
    left: ValueRow<'ir>,
    right: ValueRow<'ir>,
    /// An index of [`TestKind::ALL`].
    kind: u8,
    predicate: u8,
    inverted: u8,
    last: u8,
    bits: u32,
    mask_bits: u32,
}

layout!(TestRow<'static>, 128: tested 8, left 16, right 64, kind 112, predicate 113, inverted 114, last 115, bits 116, mask_bits 120);

unsafe extern "C" {
    fn bpa_read_test<'ir>(condition: Value<'ir>, row: *mut TestRow<'ir>);
    fn bpa_read_switched<'ir>(value: Value<'ir>, row: *mut TestRow<'ir>);
}

/// Reads the condition of a block and describes it as a [`Test`].
pub(super) struct TestReader<'a> {
    live: &'a LiveFunction<'a>,
    pub(super) facts: &'a FunctionFacts,
    /// Maps each tested value to the number that identifies the value.
    values: FxHashMap<Value<'a>, u32>,
}

impl<'a> TestReader<'a> {
    /// Creates a reader for the blocks of a function. `facts` must be the facts of this function.
    pub fn new(live: &'a LiveFunction, facts: &'a FunctionFacts) -> Self {
        let values = FxHashMap::with_capacity_and_hasher(live.block_count(), FxBuildHasher);
        TestReader { live, facts, values }
    }

    /// The test of `block` and the tested value, or `None` if the block has no condition.
    pub fn read(&mut self, block: Block) -> Option<(Test, Value<'a>)> {
        let terminator = self.live.block(block).terminator()?;
        match self.facts.blocks()[block].terminator {
            Terminator::Branch => Some(self.read_condition(block, terminator.condition()?)),
            Terminator::Switch => {
                let mut row = TestRow::default();
                // SAFETY: the value is valid, and C++ fills the row.
                unsafe { bpa_read_switched(terminator.operand(0), &mut row) };
                Some(self.test(block, &row))
            }
            _ => None,
        }
    }

    /// Returns the test that `condition` performs in `block`, and the value that it tests.
    fn read_condition(&mut self, block: Block, condition: Value<'a>) -> (Test, Value<'a>) {
        let mut row = TestRow::default();
        // SAFETY: the condition is valid, and `bpa_read_test` writes the whole row.
        unsafe { bpa_read_test(condition, &mut row) };
        self.test(block, &row)
    }

    fn test(&mut self, block: Block, row: &TestRow<'a>) -> (Test, Value<'a>) {
        let tested = row.tested.expect("C++ sets the tested value");
        let next = self.values.len() as u32;
        let value = *self.values.entry(tested).or_insert(next);
        let predicate = match u32::from(row.predicate) {
            0 => None,
            ORDERED => Some(Predicate::Ordered),
            UNORDERED => Some(Predicate::Unordered),
            number => Some(integer_predicate(number)),
        };
        let (left, library) = self.source_and_library(row.left.source);
        let mut test = Test {
            kind: TestKind::ALL[usize::from(row.kind)],
            predicate,
            bits: row.bits,
            left,
            right: self.source(row.right.source),
            base: self.source(row.left.base),
            constant: row.right.constant_kind(),
            magnitude: row.right.magnitude(),
            mask_bits: row.mask_bits,
            library,
            iterations: self.iterations(block, row, predicate),
            inverted: row.last == NEGATED || row.last == SINGLE && row.inverted != 0,
            value,
        };
        let number = (row.right.constant == NUMBER).then_some((row.right.number, row.right.width));
        test.make_canonical(number);
        if row.last == SINGLE {
            return (test, tested);
        }
        // The order of the successors depends on the whole condition, so `inverted` cannot describe the last condition.
        if test.inverted {
            test.predicate = test.predicate.map(Predicate::negated);
        }
        (test.kind, test.inverted) = (TestKind::And, row.inverted != 0);
        (test, tested)
    }

    /// The number of iterations until the test of a loop counter changes its result. The number is 0 if it is unknown.
    fn iterations(&self, block: Block, row: &TestRow<'a>, predicate: Option<Predicate>) -> u32 {
        let may_count =
            row.right.constant == NUMBER && matches!(row.left.source.source(), Source::Merged | Source::Sum);
        let counter = || Some(self.counter(block, row.condition?.comparison()?)?.iterations(predicate?));
        may_count.then(counter).flatten().unwrap_or(0)
    }

    fn source(&self, row: SourceRow) -> Source {
        self.source_and_library(row).0
    }

    /// The [`Source`] of a value, and the library function that returns the value.
    fn source_and_library(&self, row: SourceRow) -> (Source, Library) {
        let is_carried = || row.value.and_then(Value::instruction).and_then(|phi| self.header(phi)).is_some();
        let source = match row.source() {
            Source::Merged if is_carried() => Source::Carried,
            Source::CallHere | Source::CallElsewhere => {
                match row.value.and_then(Value::function).map(library_kind) {
                    None | Some(Library::None) => row.source(),
                    Some(library) => return (Source::LibraryCall, library),
                }
            }
            source => source,
        };
        (source, Library::None)
    }

    /// The block of an instruction, if that block is a loop header.
    pub(super) fn header(&self, instruction: Instruction) -> Option<Block> {
        // After some passes, functions have unreachable blocks, and instructions that use values from such blocks.
        let block = self.live.find(instruction.parent()?)?;
        self.facts.graph().loops().is_header(block).then_some(block)
    }
}

impl SourceRow<'_> {
    fn source(&self) -> Source {
        Source::ALL[usize::from(self.source)]
    }
}

impl ValueRow<'_> {
    fn constant_kind(&self) -> Option<ConstantKind> {
        match self.constant {
            NO_CONSTANT => None,
            NUMBER => Some(ConstantKind::of(self.number)),
            ZERO => Some(ConstantKind::Zero),
            LARGE => Some(ConstantKind::Large),
            _ => Some(ConstantKind::Other),
        }
    }

    /// The number of binary digits of a constant's absolute value, or 0 if the constant has more than 64 bits.
    fn magnitude(&self) -> u32 {
        magnitude(self.number)
    }
}

impl TestReader<'_> {
    /// The counter in the integer comparison `compare`, if the other operand is a constant. The branch of
    /// `block` tests `compare`. A counter is a phi, or the sum of a phi and a constant. The phi is in the header of
    /// a loop that contains `block`. The phi starts with a constant and changes by the same constant in each iteration.
    pub(super) fn counter(&self, block: Block, compare: Comparison) -> Option<Counter> {
        let (left, right) = (compare.left(), compare.right());
        let bound = number(right)?;
        let (phi, ahead) = distance(left).unwrap_or((left, 0));
        let phi = phi.phi()?;
        let header = self.header(*phi)?;
        let loops = self.facts.graph().loops();
        if !loops.contains_block(loops.innermost(header)?, block) {
            return None;
        }
        let (start, next) = start_and_next(phi)?;
        let (from, step) = distance(next)?;
        let bits = right.type_of().integer_bits()?;
        (from == **phi).then_some(Counter { bits, start: start.wrapping_add(ahead), step, bound })
    }
}

/// If the incoming values of a phi are one constant and one other value, returns the constant and the other value.
fn start_and_next(phi: Phi) -> Option<(u64, Value)> {
    let (mut start, mut next) = (None, None);
    for (_, incoming) in phi.incoming() {
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

/// The value of a constant of at most 64 bits.
fn number(value: Value) -> Option<u64> {
    value.integer().filter(|integer| integer.bits() <= 64).map(Integer::unsigned)
}

/// If `value` is the sum of an operand and a constant, returns the operand and the constant. If the constant is
/// subtracted, the result contains the negated constant.
fn distance(value: Value) -> Option<(Value, u64)> {
    let sum = value.binary_operator()?;
    match sum.opcode() {
        Opcode::ADD => Some((sum.left(), number(sum.right())?)),
        Opcode::SUB => Some((sum.left(), number(sum.right())?.wrapping_neg())),
        _ => None,
    }
}
