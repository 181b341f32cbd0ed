//! Conditions of branches, as far as rules distinguish them.

/// The condition of a conditional branch, as far as rules distinguish it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Condition {
    /// No rule applies.
    #[default]
    Opaque,
    /// Two pointers are compared for equality.
    Pointer {
        /// `ne` rather than `eq`.
        unequal: bool,
    },
    /// An integer is compared with a constant.
    Integer {
        /// The predicate.
        predicate: IntegerPredicate,
        /// The left operand.
        operand: IntegerOperand,
        /// The right operand.
        constant: IntegerConstant,
    },
    /// Two floating-point numbers are compared.
    Float {
        /// The predicate.
        predicate: FloatPredicate,
    },
}

/// Predicates of integer comparisons, as far as rules distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerPredicate {
    /// `eq`
    Equal,
    /// `ne`
    Unequal,
    /// `slt`
    SignedLess,
    /// `sgt`
    SignedGreater,
    /// Any other.
    Other,
}

/// The left operand of an integer comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerOperand {
    /// Any other value.
    Plain,
    /// One bit of a value (`and` with a power of two).
    SingleBit,
    /// The result of comparing strings or memory blocks.
    StringComparison,
}

/// The right operand of an integer comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerConstant {
    /// 0
    Zero,
    /// 1, or the `true` of one bit
    One,
    /// All bits set, in a type of several bits
    MinusOne,
    /// Any other constant.
    Other,
}

/// Predicates of floating-point comparisons, as far as rules distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatPredicate {
    /// `oeq`, `one` or `une`: equality tests that are false for equal operands, or that are ordered
    EqualityOrdered,
    /// `ueq`: the only equality test that is true for all identical operands
    EqualityUnordered,
    /// `ord`: neither operand is a NaN
    Ordered,
    /// `uno`: some operand is a NaN
    Unordered,
    /// Any other.
    Other,
}

impl Condition {
    /// A name for data: `pointer.equal`, `zero.less`, `string.unequal`, `bit.equal`, `float.ordered`; none for a
    /// condition to which no rule applies.
    ///
    /// For a single bit, and for the result of a string comparison, the name does not include the constant.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Condition::Opaque => return None,
            Condition::Pointer { unequal: false } => "pointer.equal",
            Condition::Pointer { unequal: true } => "pointer.unequal",
            Condition::Integer { predicate, operand, constant } => predicate.name_with(operand, constant),
            Condition::Float { predicate } => predicate.name(),
        })
    }
}

impl IntegerPredicate {
    const fn name_with(self, operand: IntegerOperand, constant: IntegerConstant) -> &'static str {
        let [equal, unequal, less, greater, other] = match (operand, constant) {
            (IntegerOperand::SingleBit, _) => {
                ["bit.equal", "bit.unequal", "bit.less", "bit.greater", "bit.other"]
            }
            (IntegerOperand::StringComparison, _) => {
                ["string.equal", "string.unequal", "string.less", "string.greater", "string.other"]
            }
            (_, IntegerConstant::Zero) => {
                ["zero.equal", "zero.unequal", "zero.less", "zero.greater", "zero.other"]
            }
            (_, IntegerConstant::One) => ["one.equal", "one.unequal", "one.less", "one.greater", "one.other"],
            (_, IntegerConstant::MinusOne) => [
                "minus-one.equal",
                "minus-one.unequal",
                "minus-one.less",
                "minus-one.greater",
                "minus-one.other",
            ],
            (_, IntegerConstant::Other) => {
                ["other.equal", "other.unequal", "other.less", "other.greater", "other.other"]
            }
        };
        match self {
            IntegerPredicate::Equal => equal,
            IntegerPredicate::Unequal => unequal,
            IntegerPredicate::SignedLess => less,
            IntegerPredicate::SignedGreater => greater,
            IntegerPredicate::Other => other,
        }
    }
}

impl FloatPredicate {
    const fn name(self) -> &'static str {
        match self {
            FloatPredicate::EqualityOrdered => "float.equality-ordered",
            FloatPredicate::EqualityUnordered => "float.equality-unordered",
            FloatPredicate::Ordered => "float.ordered",
            FloatPredicate::Unordered => "float.unordered",
            FloatPredicate::Other => "float.other",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_have_distinct_names() {
        let integer = |predicate, operand, constant| Condition::Integer { predicate, operand, constant };
        let plain = |predicate, constant| integer(predicate, IntegerOperand::Plain, constant).name();
        assert_eq!(plain(IntegerPredicate::SignedLess, IntegerConstant::One), Some("one.less"));
        assert_eq!(plain(IntegerPredicate::Equal, IntegerConstant::MinusOne), Some("minus-one.equal"));
        let string =
            integer(IntegerPredicate::Unequal, IntegerOperand::StringComparison, IntegerConstant::Other);
        assert_eq!(string.name(), Some("string.unequal"));
        assert_eq!(Condition::Pointer { unequal: true }.name(), Some("pointer.unequal"));
        assert_eq!(Condition::Float { predicate: FloatPredicate::Unordered }.name(), Some("float.unordered"));
        assert_eq!(Condition::Opaque.name(), None);
    }
}
