//! What a `brif` tests.
//!
//! The rules know comparisons as LLVM's optimiser leaves them: a constant stands on the right, `x >= 0` is `x > -1`,
//! and unsigned comparisons with the ends of the range are equalities. CLIF has them all, so they are brought into
//! that form here. Its values have no pointer type, so no comparison is known to be one of pointers.

use bpa_core::facts::{Condition, ConstantKind, FloatPredicate, IntegerOperand, Predicate};
use cranelift_codegen::ir::condcodes::{CondCode, FloatCC, IntCC};
use cranelift_codegen::ir::{types, Function, InstructionData, Opcode, Type, Value, ValueDef};

/// The condition under which a `brif` on `test` goes to its first block.
pub fn read(function: &Function, test: Value) -> Condition {
    match defined_by(function, test) {
        Some(&InstructionData::IntCompareImm { arg, cond, imm, .. }) => {
            let constant = sign_extended(imm.bits(), function.dfg.value_type(arg));
            integer(function, cond, arg, constant)
        }
        Some(&InstructionData::IntCompare { args: [left, right], cond, .. }) => {
            match (constant(function, left), constant(function, right)) {
                (_, Some(constant)) => integer(function, cond, left, constant),
                (Some(constant), None) => integer(function, cond.swap_args(), right, constant),
                (None, None) => Condition::Opaque,
            }
        }
        Some(&InstructionData::FloatCompare { cond, .. }) => Condition::Float { predicate: float(cond) },
        // A number is tested for being other than 0. What is no wider than a truth value may well be one.
        _ if function.dfg.value_type(test).bits() > types::I8.bits() => {
            integer(function, IntCC::NotEqual, test, 0)
        }
        _ => Condition::Opaque,
    }
}

/// `left` compared with `constant`, as LLVM would have it.
fn integer(function: &Function, cond: IntCC, left: Value, constant: i64) -> Condition {
    let (predicate, constant) = canonical(cond, constant);
    Condition::Integer { predicate, operand: operand(function, left), constant: ConstantKind::of(constant) }
}

/// The comparison without "or equal" if there is one, and one for equality rather than one that is unsigned.
pub(crate) fn canonical(cond: IntCC, constant: i64) -> (Predicate, i64) {
    match (cond, constant) {
        (IntCC::SignedLessThanOrEqual, _) if constant < i64::MAX => (Predicate::Less, constant + 1),
        (IntCC::SignedGreaterThanOrEqual, _) if constant > i64::MIN => (Predicate::Greater, constant - 1),
        (IntCC::UnsignedLessThan, 1) | (IntCC::UnsignedLessThanOrEqual, 0) => (Predicate::Equal, 0),
        (IntCC::UnsignedGreaterThan, 0) | (IntCC::UnsignedGreaterThanOrEqual, 1) => (Predicate::Unequal, 0),
        _ => (predicate(cond), constant),
    }
}

pub(crate) fn predicate(cond: IntCC) -> Predicate {
    match cond {
        IntCC::Equal => Predicate::Equal,
        IntCC::NotEqual => Predicate::Unequal,
        IntCC::SignedLessThan => Predicate::Less,
        IntCC::SignedLessThanOrEqual => Predicate::LessOrEqual,
        IntCC::SignedGreaterThan => Predicate::Greater,
        IntCC::SignedGreaterThanOrEqual => Predicate::GreaterOrEqual,
        IntCC::UnsignedLessThan => Predicate::Below,
        IntCC::UnsignedLessThanOrEqual => Predicate::BelowOrEqual,
        IntCC::UnsignedGreaterThan => Predicate::Above,
        IntCC::UnsignedGreaterThanOrEqual => Predicate::AboveOrEqual,
    }
}

/// Whether `value` is one bit of another.
fn operand(function: &Function, value: Value) -> IntegerOperand {
    let mask = match defined_by(function, value) {
        Some(&InstructionData::BinaryImm64 { opcode: Opcode::BandImm, imm, .. }) => Some(imm.bits()),
        Some(&InstructionData::Binary { opcode: Opcode::Band, args }) => {
            args.into_iter().find_map(|arg| constant(function, arg))
        }
        _ => None,
    };
    match mask {
        Some(mask) if (mask as u64).is_power_of_two() => IntegerOperand::SingleBit,
        _ => IntegerOperand::Plain,
    }
}

/// LLVM's predicates but the two that are true of everything and of nothing.
fn float(cond: FloatCC) -> FloatPredicate {
    match cond {
        FloatCC::Equal | FloatCC::OrderedNotEqual | FloatCC::NotEqual => FloatPredicate::EqualityOrdered,
        FloatCC::UnorderedOrEqual => FloatPredicate::EqualityUnordered,
        FloatCC::Ordered => FloatPredicate::Ordered,
        FloatCC::Unordered => FloatPredicate::Unordered,
        _ => FloatPredicate::Other,
    }
}

/// The number that `value` always is.
pub(crate) fn constant(function: &Function, value: Value) -> Option<i64> {
    match defined_by(function, value)? {
        &InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => {
            Some(sign_extended(imm.bits(), function.dfg.value_type(value)))
        }
        _ => None,
    }
}

/// The lowest bits of `number`, as many as `kind` has, as a signed number: 255 in 8 bits is -1.
pub(crate) fn sign_extended(number: i64, kind: Type) -> i64 {
    let unused = 64_u32.saturating_sub(kind.bits());
    number << unused >> unused
}

/// The instruction that `value` comes from; none for a parameter.
pub(crate) fn defined_by(function: &Function, value: Value) -> Option<&InstructionData> {
    match function.dfg.value_def(value) {
        ValueDef::Result(instruction, _) => Some(&function.dfg.insts[instruction]),
        _ => None,
    }
}
