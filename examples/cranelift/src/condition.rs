//! Reads the condition of a `brif`.
//!
//! The rules expect comparisons in the form that LLVM's optimiser produces. LLVM moves a constant to the
//! right, and replaces `x >= 0` by `x > -1`, and the unsigned comparison `x < 1` by `x == 0`. CLIF also allows other
//! forms of comparisons, so this module converts comparisons to LLVM's form. CLIF has no pointer type, so this module
//! never returns a comparison of pointers.

use bpa_core::facts::{Condition, ConstantKind, FloatPredicate, IntegerOperand, Predicate};
use cranelift_codegen::ir::condcodes::{CondCode, FloatCC, IntCC};
use cranelift_codegen::ir::{types, Function, InstructionData, Opcode, Type, Value, ValueDef};

/// The condition under which a `brif` on `test` takes its first successor.
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
        // A `brif` on a number compares the number with 0. A value of at most 8 bits can be a boolean, so the condition
        // is opaque.
        _ if function.dfg.value_type(test).bits() > types::I8.bits() => {
            integer(function, IntCC::NotEqual, test, 0)
        }
        _ => Condition::Opaque,
    }
}

/// The comparison of `left` with `constant`, in LLVM's canonical form.
fn integer(function: &Function, cond: IntCC, left: Value, constant: i64) -> Condition {
    let kind = function.dfg.value_type(left);
    // LLVM replaces a test of the sign bit by a comparison with 0.
    let tests_sign = constant == 0 && mask(function, left) == Some(least(kind));
    let ((predicate, constant), operand) = match cond {
        IntCC::Equal if tests_sign => (NOT_NEGATIVE, IntegerOperand::Plain),
        IntCC::NotEqual if tests_sign => (NEGATIVE, IntegerOperand::Plain),
        _ => (canonical(cond, constant, kind), operand(function, left)),
    };
    Condition::Integer { predicate, operand, constant: ConstantKind::of(constant) }
}

/// `x < 0`
const NEGATIVE: (Predicate, i64) = (Predicate::Less, 0);
/// `x > -1`
const NOT_NEGATIVE: (Predicate, i64) = (Predicate::Greater, -1);

/// The least signed number of a type, sign-extended.
fn least(kind: Type) -> i64 {
    i64::MIN >> 64_u32.saturating_sub(kind.bits())
}

/// Converts comparisons with "or equal" to strict comparisons if possible. Converts unsigned comparisons to signed
/// comparisons if LLVM does: `x < 1` is `x == 0`, and for 32 bits, `x < 2^31` is `x > -1`. The operands have the type
/// `kind`.
pub(crate) fn canonical(cond: IntCC, constant: i64, kind: Type) -> (Predicate, i64) {
    let (least, most) = (least(kind), !least(kind));
    match (cond, constant) {
        (IntCC::SignedLessThanOrEqual, _) if constant < i64::MAX => (Predicate::Less, constant + 1),
        (IntCC::SignedGreaterThanOrEqual, _) if constant > i64::MIN => (Predicate::Greater, constant - 1),
        (IntCC::UnsignedLessThan, 1) | (IntCC::UnsignedLessThanOrEqual, 0) => (Predicate::Equal, 0),
        (IntCC::UnsignedGreaterThan, 0) | (IntCC::UnsignedGreaterThanOrEqual, 1) => (Predicate::Unequal, 0),
        (IntCC::UnsignedLessThan, _) if constant == least => NOT_NEGATIVE,
        (IntCC::UnsignedLessThanOrEqual, _) if constant == most => NOT_NEGATIVE,
        (IntCC::UnsignedGreaterThan, _) if constant == most => NEGATIVE,
        (IntCC::UnsignedGreaterThanOrEqual, _) if constant == least => NEGATIVE,
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

/// Whether `value` is a single bit of another value.
fn operand(function: &Function, value: Value) -> IntegerOperand {
    let kind = function.dfg.value_type(value);
    // The sign bit of a narrow type is sign-extended, so it is compared with the least number.
    match mask(function, value) {
        Some(mask) if mask == least(kind) || (mask as u64).is_power_of_two() => IntegerOperand::SingleBit,
        _ => IntegerOperand::Plain,
    }
}

/// If `value` is the bitwise "and" of a value and a constant, returns the constant, sign-extended.
fn mask(function: &Function, value: Value) -> Option<i64> {
    match *defined_by(function, value)? {
        InstructionData::BinaryImm64 { opcode: Opcode::BandImm, imm, .. } => {
            Some(sign_extended(imm.bits(), function.dfg.value_type(value)))
        }
        InstructionData::Binary { opcode: Opcode::Band, args } => {
            args.into_iter().find_map(|arg| constant(function, arg))
        }
        _ => None,
    }
}

/// Converts a predicate. CLIF has all predicates of LLVM except "always true" and "always false".
fn float(cond: FloatCC) -> FloatPredicate {
    match cond {
        FloatCC::Equal | FloatCC::OrderedNotEqual | FloatCC::NotEqual => FloatPredicate::EqualityOrdered,
        FloatCC::UnorderedOrEqual => FloatPredicate::EqualityUnordered,
        FloatCC::Ordered => FloatPredicate::Ordered,
        FloatCC::Unordered => FloatPredicate::Unordered,
        _ => FloatPredicate::Other,
    }
}

/// If an `iconst` defines `value`, returns the constant of this `iconst`.
pub(crate) fn constant(function: &Function, value: Value) -> Option<i64> {
    match defined_by(function, value)? {
        &InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => {
            Some(sign_extended(imm.bits(), function.dfg.value_type(value)))
        }
        _ => None,
    }
}

/// Sign-extends `number` from the width of `kind`. For example, the 8-bit number 255 becomes -1.
pub(crate) fn sign_extended(number: i64, kind: Type) -> i64 {
    let unused = 64_u32.saturating_sub(kind.bits());
    number << unused >> unused
}

/// The instruction that defines `value`, or `None` for a block parameter.
pub(crate) fn defined_by(function: &Function, value: Value) -> Option<&InstructionData> {
    match function.dfg.value_def(value) {
        ValueDef::Result(instruction, _) => Some(&function.dfg.insts[instruction]),
        _ => None,
    }
}
