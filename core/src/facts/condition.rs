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
