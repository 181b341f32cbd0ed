//! The conditions of branches and switches, as plain data, and the iterations after which a loop counter changes one.

use bpa_profile::facts::{ConstantKind, Predicate};

use super::MOST;

/// The test that decides the successor of a branch or switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Test {
    /// The kind of test.
    pub kind: TestKind,
    /// The predicate of the comparison, or `None` if the test is not a comparison.
    pub predicate: Option<Predicate>,
    /// The width of the compared integers in bits, before extension or truncation. If the values are not integers, the
    /// width is 0.
    pub bits: u32,
    /// The source of the left operand, or of the only operand.
    pub left: Source,
    /// The [`Source`] of the right operand, for example a constant or a parameter.
    pub right: Source,
    /// The source of the address from which the left operand is loaded, or [`Source::None`] if this operand is not
    /// loaded from memory.
    pub base: Source,
    /// The kind of the constant, or `None` if the right operand is not a constant.
    pub constant: Option<ConstantKind>,
    /// The number of bits of the constant's absolute value. If there is no constant, the number is 0.
    pub magnitude: u32,
    /// The number of bits that a constant mask selects in the left operand. If there is no mask, the number is 0.
    pub mask_bits: u32,
    /// The kind of C library function that returned the left operand.
    pub library: Library,
    /// The number of iterations until the result of the test changes, if the test compares a loop counter with a
    /// constant. The number is at most [`MOST`](super::MOST), and 0 if unknown.
    pub iterations: u32,
    /// Whether the condition is the negation of this test. If the condition is a negation and the test is true, the
    /// condition is false: a branch takes its second successor.
    pub inverted: bool,
    /// A number that identifies the left operand. Different values of the function have different numbers.
    pub value: u32,
}

/// The kinds of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum TestKind {
    /// The kind is unknown.
    #[default]
    Unknown = 0,
    /// A comparison of two integers.
    Integers = 1,
    /// A comparison of two pointers.
    Pointers = 2,
    /// A comparison of two floating-point numbers.
    Floats = 3,
    /// A logical `and` of two conditions. The other fields describe the last condition.
    And = 4,
    /// A logical `or` of two conditions. The canonical form is the negation of an `and`.
    Or = 5,
    /// A logical `xor` of two conditions.
    Xor = 6,
    /// Another test of a one-bit value.
    Bit = 7,
    /// The value of a switch.
    Switch = 8,
}

impl TestKind {
    /// All kinds of tests, in the order of their numbers.
    pub const ALL: [TestKind; 9] = [
        TestKind::Unknown,
        TestKind::Integers,
        TestKind::Pointers,
        TestKind::Floats,
        TestKind::And,
        TestKind::Or,
        TestKind::Xor,
        TestKind::Bit,
        TestKind::Switch,
    ];
}

/// The kind of constant or instruction from which a value comes. Casts are ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Source {
    /// There is no value.
    #[default]
    None = 0,
    /// A constant.
    Constant = 1,
    /// The address of a global or of a variable on the stack.
    Address = 2,
    /// A parameter.
    Parameter = 3,
    /// A value that is loaded from a variable on the stack.
    Stack = 4,
    /// A value that is loaded from a global.
    Global = 5,
    /// A value that is loaded from an address plus a constant offset, for example a field.
    Field = 6,
    /// A value that is loaded from an address plus a variable offset, for example an element of an array.
    Element = 7,
    /// A value that is loaded from an address to which no offset was added.
    Pointed = 8,
    /// The result of a C library function that [`Library`] classifies.
    LibraryCall = 9,
    /// The result of a function that is defined in the same module.
    CallHere = 10,
    /// The result of a function that is not defined in the same module.
    CallElsewhere = 11,
    /// The result of a call through a pointer.
    IndirectCall = 12,
    /// The result of an LLVM intrinsic.
    Intrinsic = 13,
    /// A phi in the header of a loop.
    Carried = 14,
    /// A phi that is not in a loop header.
    Merged = 15,
    /// A sum or difference.
    Sum = 16,
    /// A product, quotient or remainder.
    Product = 17,
    /// The result of a bitwise operation.
    Bits = 18,
    /// The result of a shift.
    Shift = 19,
    /// An address that is computed from another address.
    Offset = 20,
    /// The result of a `select`.
    Select = 21,
    /// The result of a comparison.
    Comparison = 22,
    /// A part of an aggregate or vector.
    Part = 23,
    /// Another value.
    Other = 24,
}

impl Source {
    /// All sources, in the order of their numbers.
    pub const ALL: [Source; 25] = [
        Source::None,
        Source::Constant,
        Source::Address,
        Source::Parameter,
        Source::Stack,
        Source::Global,
        Source::Field,
        Source::Element,
        Source::Pointed,
        Source::LibraryCall,
        Source::CallHere,
        Source::CallElsewhere,
        Source::IndirectCall,
        Source::Intrinsic,
        Source::Carried,
        Source::Merged,
        Source::Sum,
        Source::Product,
        Source::Bits,
        Source::Shift,
        Source::Offset,
        Source::Select,
        Source::Comparison,
        Source::Part,
        Source::Other,
    ];
}

/// Functions of the C library, classified by purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Library {
    /// No known function.
    #[default]
    None = 0,
    /// Compares strings or memory.
    Compares = 1,
    /// Allocates memory.
    Allocates = 2,
    /// Reads from a file or stream.
    Reads = 3,
    /// Writes to a file or stream.
    Writes = 4,
    /// Searches within a string or a block of memory.
    Searches = 5,
    /// Classifies a character.
    Classifies = 6,
}

/// A loop counter that is compared with a constant. Each value is an integer of `bits` bits, in the low
/// bits of a `u64`. The other bits of the `u64` are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The width of the integers, from 1 to 64.
    pub bits: u32,
    /// The value of the counter in the first iteration.
    pub start: u64,
    /// The number by which the counter increases in each iteration.
    pub step: u64,
    /// The constant with which the counter is compared.
    pub bound: u64,
}

impl Counter {
    /// The number of iterations until the result of the comparison changes. The count is at most [`MOST`]. If
    /// `predicate` does not compare integers, the count is 0.
    pub fn iterations(&self, predicate: Predicate) -> u32 {
        let Some(first) = self.holds(predicate, self.start) else { return 0 };
        let mut value = self.start;
        for iteration in 1..MOST {
            value = value.wrapping_add(self.step);
            if self.holds(predicate, value) != Some(first) {
                return iteration;
            }
        }
        MOST
    }

    pub(super) fn holds(&self, predicate: Predicate, value: u64) -> Option<bool> {
        let above = u64::BITS - self.bits;
        let unsigned = (value << above, self.bound << above);
        let signed = (unsigned.0 as i64, unsigned.1 as i64);
        Some(match predicate {
            Predicate::Equal => unsigned.0 == unsigned.1,
            Predicate::Unequal => unsigned.0 != unsigned.1,
            Predicate::Less => signed.0 < signed.1,
            Predicate::LessOrEqual => signed.0 <= signed.1,
            Predicate::Greater => signed.0 > signed.1,
            Predicate::GreaterOrEqual => signed.0 >= signed.1,
            Predicate::Below => unsigned.0 < unsigned.1,
            Predicate::BelowOrEqual => unsigned.0 <= unsigned.1,
            Predicate::Above => unsigned.0 > unsigned.1,
            Predicate::AboveOrEqual => unsigned.0 >= unsigned.1,
            Predicate::Ordered | Predicate::Unordered => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iterations(bits: u32, start: i64, step: i64, predicate: Predicate, bound: i64) -> u32 {
        Counter { bits, start: start as u64, step: step as u64, bound: bound as u64 }.iterations(predicate)
    }

    #[test]
    fn iterations_are_counted() {
        assert_eq!(iterations(32, 0, 1, Predicate::Less, 8), 8);
        assert_eq!(iterations(32, 0, 1, Predicate::LessOrEqual, 8), 9);
        assert_eq!(iterations(32, 0, 2, Predicate::Unequal, 8), 4);
        assert_eq!(iterations(32, 7, -1, Predicate::GreaterOrEqual, 0), 8);
        assert_eq!(iterations(32, 7, -1, Predicate::Greater, 0), 7);
        // The comparison is false for the values 0, 1 and 2 of the counter.
        assert_eq!(iterations(32, 0, 1, Predicate::Equal, 3), 3);
        assert_eq!(iterations(32, 9, 1, Predicate::Less, 8), MOST);
    }

    #[test]
    fn bits_above_the_width_are_ignored() {
        assert_eq!(iterations(8, 250, 1, Predicate::Unequal, 0), 6);
        assert_eq!(iterations(8, 120, 1, Predicate::Greater, 0), 8);
        assert_eq!(iterations(8, 250, 1, Predicate::Above, 100), 6);
        assert_eq!(iterations(1, 0, 1, Predicate::Equal, 0), 1);
        assert_eq!(iterations(64, i64::MAX, 1, Predicate::Greater, 0), 1);
    }

    #[test]
    fn counts_are_limited() {
        assert_eq!(iterations(32, 0, 0, Predicate::Less, 8), MOST);
        assert_eq!(iterations(32, 0, 1, Predicate::Less, i64::from(MOST)), MOST);
        assert_eq!(iterations(32, 0, 1, Predicate::Less, i64::from(MOST) - 1), MOST - 1);
        assert_eq!(iterations(32, 0, 1, Predicate::Ordered, 5), 0);
    }
}
