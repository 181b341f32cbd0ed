//! Reads the statistics of a Cranelift function, for trained predictors.

use bpa_core::cfg;
use bpa_core::facts::{ConstantKind, FunctionFacts, Predicate};
use bpa_core::features::{BlockStatistics, FunctionStatistics, Returned, Source, Test, TestKind};
use cranelift_codegen::ir::condcodes::{CondCode, FloatCC, IntCC};
use cranelift_codegen::ir::{self, Function, InstructionData, Opcode, Value, ValueDef};

use crate::condition::{canonical, constant, defined_by, predicate, sign_extended};

/// The statistics of `function`. `facts` must describe `function`.
///
/// Some statistics are missing because CLIF does not provide them, for example the number of calls that print text.
pub fn statistics(function: &Function, facts: &FunctionFacts) -> FunctionStatistics {
    let mut statistics = FunctionStatistics::builder(facts.graph());
    statistics.parameters(function.signature.params.len() as u32);
    if !function.signature.returns.is_empty() {
        statistics.returns_value();
    }
    for (number, block) in function.layout.blocks().enumerate() {
        let number = cfg::Block::from_u32(number as u32);
        statistics.block(number, block_statistics(function, block));
        let Some(terminator) = function.layout.last_inst(block) else { continue };
        match function.dfg.insts[terminator].opcode() {
            Opcode::Brif => statistics.test(number, test(function, function.dfg.inst_args(terminator)[0])),
            Opcode::BrTable => {
                let value = function.dfg.inst_args(terminator)[0];
                statistics.test(number, of_one(function, TestKind::Switch, value))
            }
            _ => &mut statistics,
        };
    }
    statistics.build().expect("facts and statistics have the same blocks")
}

fn block_statistics(function: &Function, block: ir::Block) -> BlockStatistics {
    let mut found = BlockStatistics::default();
    // The parameters of the entry block are the parameters of the function.
    if function.layout.entry_block() != Some(block) {
        found.phis = function.dfg.block_params(block).len() as u32;
    }
    found.instructions = found.phis;
    for instruction in function.layout.block_insts(block) {
        let opcode = function.dfg.insts[instruction].opcode();
        found.instructions += 1;
        found.calls += u32::from(opcode.is_call());
        found.indirect_calls += u32::from(opcode == Opcode::CallIndirect);
        found.loads += u32::from(opcode.can_load() && !opcode.is_call());
        found.stores += u32::from(opcode.can_store() && !opcode.is_call());
        if opcode.is_return() {
            let values = function.dfg.inst_args(instruction);
            found.returned = values.first().map_or(Returned::Nothing, |&value| returned(function, value));
        }
    }
    found
}

fn returned(function: &Function, value: Value) -> Returned {
    match (constant(function, value), source(function, value)) {
        (Some(0), _) => Returned::Zero,
        (Some(1), _) => Returned::One,
        (Some(..0), _) => Returned::Negative,
        (Some(_), _) => Returned::Constant,
        (None, Source::Merged) => Returned::Merged,
        (None, Source::Parameter) => Returned::Parameter,
        (None, Source::CallElsewhere | Source::IndirectCall) => Returned::Call,
        (None, _) => Returned::Value,
    }
}

/// The test of a `brif` whose condition is `value`.
fn test(function: &Function, value: Value) -> Test {
    match defined_by(function, value) {
        Some(&InstructionData::IntCompareImm { arg, cond, imm, .. }) => {
            let right = sign_extended(imm.bits(), function.dfg.value_type(arg));
            integers(function, cond, arg, right)
        }
        Some(&InstructionData::IntCompare { args: [left, right], cond, .. }) => {
            match (constant(function, left), constant(function, right)) {
                (_, Some(right)) => integers(function, cond, left, right),
                (Some(left), None) => integers(function, cond.swap_args(), right, left),
                (None, None) => Test {
                    predicate: Some(predicate(cond)),
                    right: source(function, right),
                    ..of_one(function, TestKind::Integers, left)
                },
            }
        }
        Some(&InstructionData::FloatCompare { args: [left, right], cond, .. }) => Test {
            predicate: float(cond),
            right: source(function, right),
            ..of_one(function, TestKind::Floats, left)
        },
        _ => of_one(function, TestKind::Bit, value),
    }
}

/// The test that compares `left` with the constant `right`.
fn integers(function: &Function, cond: IntCC, left: Value, right: i64) -> Test {
    let (predicate, right) = canonical(cond, right, function.dfg.value_type(left));
    Test {
        predicate: Some(predicate),
        right: Source::Constant,
        constant: Some(ConstantKind::of(right)),
        magnitude: u64::BITS - right.unsigned_abs().leading_zeros(),
        ..of_one(function, TestKind::Integers, left)
    }
}

/// A test with one operand, `left`.
fn of_one(function: &Function, kind: TestKind, left: Value) -> Test {
    let kind_of_value = function.dfg.value_type(uncast(function, left));
    let bits = if kind_of_value.is_int() { kind_of_value.bits() } else { 0 };
    Test { kind, bits, left: source(function, left), value: left.as_u32(), ..Test::default() }
}

fn float(cond: FloatCC) -> Option<Predicate> {
    Some(match cond {
        FloatCC::Equal | FloatCC::UnorderedOrEqual => Predicate::Equal,
        FloatCC::NotEqual | FloatCC::OrderedNotEqual => Predicate::Unequal,
        FloatCC::LessThan | FloatCC::UnorderedOrLessThan => Predicate::Less,
        FloatCC::LessThanOrEqual | FloatCC::UnorderedOrLessThanOrEqual => Predicate::LessOrEqual,
        FloatCC::GreaterThan | FloatCC::UnorderedOrGreaterThan => Predicate::Greater,
        FloatCC::GreaterThanOrEqual | FloatCC::UnorderedOrGreaterThanOrEqual => Predicate::GreaterOrEqual,
        FloatCC::Ordered => Predicate::Ordered,
        FloatCC::Unordered => Predicate::Unordered,
    })
}

/// The kind of instruction or argument that defines `value`. Casts of the value are ignored.
fn source(function: &Function, value: Value) -> Source {
    let instruction = match function.dfg.value_def(uncast(function, value)) {
        ValueDef::Result(instruction, _) => &function.dfg.insts[instruction],
        ValueDef::Param(block, _) if function.layout.entry_block() == Some(block) => {
            return Source::Parameter
        }
        ValueDef::Param(..) => return Source::Merged,
        ValueDef::Union(..) => return Source::Other,
    };
    match instruction.opcode() {
        Opcode::Iconst | Opcode::F32const | Opcode::F64const => Source::Constant,
        Opcode::StackAddr | Opcode::GlobalValue | Opcode::SymbolValue => Source::Address,
        Opcode::StackLoad => Source::Stack,
        Opcode::Load if instruction.load_store_offset() == Some(0) => Source::Pointed,
        Opcode::CallIndirect => Source::IndirectCall,
        opcode if opcode.is_call() => Source::CallElsewhere,
        opcode if opcode.can_load() => Source::Field,
        Opcode::Iadd | Opcode::IaddImm | Opcode::Isub | Opcode::Fadd | Opcode::Fsub => Source::Sum,
        Opcode::Imul | Opcode::ImulImm | Opcode::Udiv | Opcode::Sdiv | Opcode::Fmul => Source::Product,
        Opcode::Band | Opcode::BandImm | Opcode::Bor | Opcode::BorImm | Opcode::Bxor => Source::Bits,
        Opcode::Ishl | Opcode::IshlImm | Opcode::Ushr | Opcode::UshrImm | Opcode::Sshr => Source::Shift,
        Opcode::Select => Source::Select,
        Opcode::Icmp | Opcode::IcmpImm | Opcode::Fcmp => Source::Comparison,
        _ => Source::Other,
    }
}

/// Skips all casts of `value` that extend or truncate an integer.
fn uncast(function: &Function, mut value: Value) -> Value {
    use Opcode::{Ireduce, Sextend, Uextend};
    while let Some(&InstructionData::Unary { opcode: Ireduce | Sextend | Uextend, arg }) =
        defined_by(function, value)
    {
        value = arg;
    }
    value
}
