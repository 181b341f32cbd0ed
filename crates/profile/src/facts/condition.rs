//! Conditions of branches, divided into the kinds that the rules distinguish.

/// The condition of a conditional branch. The variants are the kinds of conditions that the rules distinguish.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Condition {
    /// A condition to which no rule applies.
    #[default]
    Opaque,
    /// A comparison of two pointers for equality.
    Pointer {
        /// Whether the predicate is `ne` instead of `eq`.
        unequal: bool,
    },
    /// A comparison of an integer with a constant.
    Integer {
        /// The predicate.
        predicate: Predicate,
        /// The left operand.
        operand: IntegerOperand,
        /// The right operand.
        constant: ConstantKind,
    },
    /// A comparison of two floating-point numbers.
    Float {
        /// The predicate.
        predicate: FloatPredicate,
    },
}

/// Predicates of comparisons. Rules use only some of these predicates.
///
/// The [features](https://docs.rs/bpa-model) of a learned predictor represent a predicate by its discriminant, and a
/// missing comparison by 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Predicate {
    /// `eq` of integers or pointers; `oeq` or `ueq` of floating-point numbers
    Equal = 1,
    /// `ne` of integers or pointers; `one` or `une` of floating-point numbers
    Unequal = 2,
    /// `slt` of integers or pointers; `olt` or `ult` of floating-point numbers
    Less = 3,
    /// `sle` of integers or pointers; `ole` or `ule` of floating-point numbers
    LessOrEqual = 4,
    /// `sgt` of integers or pointers; `ogt` or `ugt` of floating-point numbers
    Greater = 5,
    /// `sge` of integers or pointers; `oge` or `uge` of floating-point numbers
    GreaterOrEqual = 6,
    /// `ult` of integers or pointers
    Below = 7,
    /// `ule` of integers or pointers
    BelowOrEqual = 8,
    /// `ugt` of integers or pointers
    Above = 9,
    /// `uge` of integers or pointers
    AboveOrEqual = 10,
    /// `ord` of floating-point numbers
    Ordered = 11,
    /// `uno` of floating-point numbers
    Unordered = 12,
}

impl Predicate {
    /// The predicate that is true if and only if this predicate is false. For floating-point numbers, NaNs are ignored.
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Predicate::Equal => Predicate::Unequal,
            Predicate::Unequal => Predicate::Equal,
            Predicate::Less => Predicate::GreaterOrEqual,
            Predicate::LessOrEqual => Predicate::Greater,
            Predicate::Greater => Predicate::LessOrEqual,
            Predicate::GreaterOrEqual => Predicate::Less,
            Predicate::Below => Predicate::AboveOrEqual,
            Predicate::BelowOrEqual => Predicate::Above,
            Predicate::Above => Predicate::BelowOrEqual,
            Predicate::AboveOrEqual => Predicate::Below,
            Predicate::Ordered => Predicate::Unordered,
            Predicate::Unordered => Predicate::Ordered,
        }
    }
}

/// The left operand of an integer comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerOperand {
    /// Any operand except a single bit and the result of a string comparison.
    Plain,
    /// One bit of a value: an `and` instruction whose mask is a power of two.
    SingleBit,
    /// The result of a comparison of strings or memory blocks.
    StringComparison,
}

/// Kinds of constants. Rules distinguish only 0, 1, -1 and other constants. The features of learned predictors
/// distinguish all kinds of constants.
///
/// The features represent a kind by its discriminant, and a missing constant by 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ConstantKind {
    /// 0 or null
    Zero = 1,
    /// 1. Rules also treat `true` of type `i1` as 1.
    One = 2,
    /// -1: all bits set
    MinusOne = 3,
    /// A negative number below -1.
    Negative = 4,
    /// 2 to 8
    Small = 5,
    /// 9 to 127
    Medium = 6,
    /// A power of two that is at least 128, or such a power minus 1.
    Round = 7,
    /// A number above 127 that is not [`Round`](Self::Round).
    Large = 8,
    /// A constant that is not an integer, or has an unknown value.
    Other = 9,
}

impl ConstantKind {
    /// Returns the kind of the integer constant `number`.
    pub const fn of(number: i64) -> Self {
        match number {
            0 => ConstantKind::Zero,
            1 => ConstantKind::One,
            -1 => ConstantKind::MinusOne,
            i64::MIN..0 => ConstantKind::Negative,
            2..=8 => ConstantKind::Small,
            9..=127 => ConstantKind::Medium,
            _ if number & (number - 1) == 0 || number & number.wrapping_add(1) == 0 => ConstantKind::Round,
            _ => ConstantKind::Large,
        }
    }
}

/// The kinds of floating-point predicates that the rules distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatPredicate {
    /// `oeq`, `one` or `une`: an equality test that is false for some identical operands.
    EqualityOrdered,
    /// `ueq`: the only equality test that is true for all identical operands, including NaNs.
    EqualityUnordered,
    /// `ord`: true if no operand is a NaN.
    Ordered,
    /// `uno`: true if an operand is a NaN.
    Unordered,
    /// Any other predicate.
    Other,
}

impl Condition {
    /// The name of the condition in JSON and tables, such as `pointer.equal`, `zero.less`, `string.unequal`,
    /// `bit.equal` or `float.ordered`. The result is `None` for a condition to which no rule applies.
    ///
    /// If the left operand is a single bit or the result of a string comparison, the name of the condition does not
    /// contain the constant.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Condition::Opaque => return None,
            Condition::Pointer { unequal: false } => "pointer.equal",
            Condition::Pointer { unequal: true } => "pointer.unequal",
            Condition::Integer { predicate, operand, constant } => integer_name(predicate, operand, constant),
            Condition::Float { predicate } => predicate.name(),
        })
    }
}

const fn integer_name(predicate: Predicate, operand: IntegerOperand, constant: ConstantKind) -> &'static str {
    let [equal, unequal, less, greater, other] = match (operand, constant) {
        (IntegerOperand::SingleBit, _) => {
            ["bit.equal", "bit.unequal", "bit.less", "bit.greater", "bit.other"]
        }
        (IntegerOperand::StringComparison, _) => {
            ["string.equal", "string.unequal", "string.less", "string.greater", "string.other"]
        }
        (_, ConstantKind::Zero) => ["zero.equal", "zero.unequal", "zero.less", "zero.greater", "zero.other"],
        (_, ConstantKind::One) => ["one.equal", "one.unequal", "one.less", "one.greater", "one.other"],
        (_, ConstantKind::MinusOne) => {
            ["minus-one.equal", "minus-one.unequal", "minus-one.less", "minus-one.greater", "minus-one.other"]
        }
        _ => ["other.equal", "other.unequal", "other.less", "other.greater", "other.other"],
    };
    match predicate {
        Predicate::Equal => equal,
        Predicate::Unequal => unequal,
        Predicate::Less => less,
        Predicate::Greater => greater,
        _ => other,
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
        assert_eq!(plain(Predicate::Less, ConstantKind::One), Some("one.less"));
        assert_eq!(plain(Predicate::Equal, ConstantKind::MinusOne), Some("minus-one.equal"));
        let string = integer(Predicate::Unequal, IntegerOperand::StringComparison, ConstantKind::Other);
        assert_eq!(string.name(), Some("string.unequal"));
        assert_eq!(Condition::Pointer { unequal: true }.name(), Some("pointer.unequal"));
        assert_eq!(Condition::Float { predicate: FloatPredicate::Unordered }.name(), Some("float.unordered"));
        assert_eq!(Condition::Opaque.name(), None);
    }
    #[test]
    fn constants_are_classified_by_size() {
        let kinds = |numbers: &[i64]| numbers.iter().map(|&n| ConstantKind::of(n) as u8).collect::<Vec<_>>();
        assert_eq!(kinds(&[0, 1, -1, -2, i64::MIN]), [1, 2, 3, 4, 4]);
        assert_eq!(kinds(&[2, 8, 9, 127]), [5, 5, 6, 6]);
        assert_eq!(kinds(&[128, 255, 256, 1023, 4096, i64::MAX]), [7; 6]);
        assert_eq!(kinds(&[129, 254, 1000]), [8; 3]);
    }
}
