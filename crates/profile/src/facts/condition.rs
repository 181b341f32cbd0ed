//! What a branch tests, as far as a rule cares.

/// What a conditional branch tests, as far as a rule cares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Condition {
    /// Nothing that any rule knows.
    #[default]
    Opaque,
    /// Two pointers for equality.
    Pointer {
        /// `ne` rather than `eq`.
        unequal: bool,
    },
    /// An integer with a constant.
    Integer {
        /// How they are compared.
        predicate: IntegerPredicate,
        /// What stands on the left.
        operand: IntegerOperand,
        /// What stands on the right.
        constant: IntegerConstant,
    },
    /// Two floating point numbers.
    Float {
        /// How they are compared.
        predicate: FloatPredicate,
    },
}

/// Integer comparisons that some rule distinguishes.
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

/// The left side of an integer comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerOperand {
    /// A value of which nothing is known.
    Plain,
    /// One bit picked out of a value (`and` with a power of two).
    SingleBit,
    /// The result of comparing two strings or memory blocks.
    StringComparison,
}

/// The right side of an integer comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerConstant {
    /// 0
    Zero,
    /// 1, also the `true` of one bit
    One,
    /// All bits set, in more than one bit
    MinusOne,
    /// Any other constant.
    Other,
}

/// Floating point comparisons that some rule distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatPredicate {
    /// `oeq`, `one` or `une`: equality tests that are false of a number and itself, or ask for order
    EqualityOrdered,
    /// `ueq`: the one equality test that is true whenever both sides are the same
    EqualityUnordered,
    /// `ord`: neither side is a NaN
    Ordered,
    /// `uno`: some side is a NaN
    Unordered,
    /// Any other.
    Other,
}

impl Condition {
    /// The condition in a word for data: `pointer.equal`, `zero.less`, `string.unequal`, `bit.equal`, `float.ordered`.
    /// None for one that no rule knows.
    ///
    /// Of one bit, and of what comparing strings came to, the constant does not matter and is not told.
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
    fn names_tell_conditions_apart() {
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
