//! What decides where a branch goes.

use bpa_profile::facts::{ConstantKind, Predicate};

/// What decides where a branch or switch goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Test {
    /// What sort of test it is.
    pub kind: TestKind,
    /// How two values are compared, if two are.
    pub predicate: Option<Predicate>,
    /// The width in bits of what is compared, before it was made wider or narrower; 0 for what is no integer.
    pub bits: u32,
    /// Where the left side comes from, or the only one.
    pub left: Source,
    /// Where the right side comes from.
    pub right: Source,
    /// If the left side is loaded: where the address comes from.
    pub base: Source,
    /// What constant stands on the right.
    pub constant: Option<ConstantKind>,
    /// How many binary digits that constant has, without its sign; 0 for 0 and where none stands.
    pub magnitude: u32,
    /// If single bits are picked out of the left side by a constant: how many.
    pub mask_bits: u32,
    /// If the left side is what a call gave: what sort of function was called.
    pub library: Library,
    /// If it is a loop's counter that is compared with a constant: how often in a row the answer is that of the first time,
    /// counted up to [`MOST`](super::MOST). 0 if that is not known.
    pub turns: u32,
    /// The left side itself, as a number that no other value of the function has.
    pub value: u32,
}

/// The sorts of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum TestKind {
    /// Nothing is known.
    #[default]
    Unknown = 0,
    /// Two integers are compared.
    Integers = 1,
    /// Two pointers are compared.
    Pointers = 2,
    /// Two floating point numbers are compared.
    Floats = 3,
    /// Both of two conditions have to hold.
    And = 4,
    /// One of two conditions has to hold.
    Or = 5,
    /// One of two conditions has to hold and the other not, or a condition has not to hold.
    Xor = 6,
    /// One bit that comes from somewhere.
    Bit = 7,
    /// A switch looks at a value.
    Switch = 8,
}

/// Where a value comes from, seen through casts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Source {
    /// There is none.
    #[default]
    None = 0,
    /// A constant.
    Constant = 1,
    /// The address of a global or of a variable on the stack.
    Address = 2,
    /// A parameter.
    Parameter = 3,
    /// Loaded from a variable on the stack.
    Stack = 4,
    /// Loaded from a global.
    Global = 5,
    /// Loaded at a constant distance from an address, as fields are.
    Field = 6,
    /// Loaded at a distance that varies, as elements of arrays are.
    Element = 7,
    /// Loaded from an address as it is.
    Pointed = 8,
    /// Given by a function of the C library that [`Library`] knows.
    LibraryCall = 9,
    /// Given by a function that is defined in the same module.
    CallHere = 10,
    /// Given by another function.
    CallElsewhere = 11,
    /// Given by whatever is behind a pointer.
    IndirectCall = 12,
    /// Given by an intrinsic of LLVM.
    Intrinsic = 13,
    /// A phi in the header of a loop.
    Carried = 14,
    /// Another phi.
    Merged = 15,
    /// A sum or difference.
    Sum = 16,
    /// A product, quotient or remainder.
    Product = 17,
    /// Bits combined.
    Bits = 18,
    /// Bits shifted.
    Shift = 19,
    /// An address computed from another.
    Offset = 20,
    /// A choice between two.
    Select = 21,
    /// A comparison.
    Comparison = 22,
    /// A part of something that has several.
    Part = 23,
    /// Something else.
    Other = 24,
}

/// Functions of the C library, by what they are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Library {
    /// None that is known.
    #[default]
    None = 0,
    /// Compares strings or memory.
    Compares = 1,
    /// Gives memory.
    Allocates = 2,
    /// Reads from a file or the like.
    Reads = 3,
    /// Writes to a file or the like.
    Writes = 4,
    /// Looks for something in a string or in memory.
    Searches = 5,
    /// Says what sort of character one is.
    Classifies = 6,
}
