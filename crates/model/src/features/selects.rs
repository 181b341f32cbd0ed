//! Data about a `select`: its condition, its two values, and the uses of its result.

use super::tested::{Source, Test};
use bpa_profile::cfg::Block;
use bpa_profile::facts::{Condition, ConstantKind};

/// A `select` with a scalar condition. The statistics do not include a `select` with a vector of conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Select {
    /// The block that contains the `select`.
    pub block: Block,
    /// The index of the `select` among the selects of its block, from 0.
    pub index: u32,
    /// The condition, in the form that LLVM's rules use.
    pub condition: Condition,
    /// The condition, in the form that trained predictors use.
    pub test: Test,
    /// The type of the two values of the `select`.
    pub kind: ChosenKind,
    /// The width of the values in bits, or 0 if they are not integers.
    pub bits: u32,
    /// The value for a true condition, and the value for a false condition.
    pub values: [ChosenValue; 2],
    /// The uses of the result of the `select`.
    pub uses: Uses,
    /// The number of other selects that are in the same block and have the same condition.
    pub companions: u32,
    /// The profile metadata of the `select`.
    pub profile: SelectProfile,
}

/// The profile metadata of a `select`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SelectProfile {
    /// The `select` has no profile metadata, or the metadata cannot be read.
    #[default]
    None,
    /// Valid branch weights: how often the condition was true, and how often it was false.
    Weights([u32; 2]),
    /// Profile metadata other than branch weights.
    Other,
}

/// The type of the values from which a `select` chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum ChosenKind {
    /// Another type, such as a vector or structure.
    #[default]
    Other = 0,
    /// An integer.
    Integer = 1,
    /// A pointer.
    Pointer = 2,
    /// A floating-point number.
    Float = 3,
}

/// One of the two values of a `select`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChosenValue {
    /// The source of the value.
    pub source: Source,
    /// The source of the address from which the value is loaded, or [`Source::None`] if the value is not loaded from
    /// memory.
    pub base: Source,
    /// The kind of the constant, or `None` if the value is not a constant.
    pub constant: Option<ConstantKind>,
    /// The number of bits of the constant's absolute value.
    pub magnitude: u32,
    /// Whether the chosen value is the left or right operand of the condition, the whole condition, or none of these.
    /// For example, in `a < b ? a : b`, the first chosen value is the left operand of the condition.
    pub part: ConditionPart,
    /// Whether the value is a phi that takes the result of the `select`. With such a phi, a loop keeps the value of the
    /// previous iteration.
    pub is_kept: bool,
    /// The `select` chooses this value or another value. True if the instruction that computes this
    /// value has the other value as an operand.
    pub is_from_other: bool,
    /// Whether the instruction that computes the value has the tested value as an operand.
    pub is_from_tested: bool,
    /// Whether the value is computed in the block of the `select`.
    pub is_here: bool,
    /// The number of uses of the value, up to [`ChosenValue::MOST_USES`]. The number is 0 for constants.
    pub uses: u32,
    /// The instructions that only this value needs. Instructions in other blocks are not counted.
    pub own: OwnInstructions,
}

impl ChosenValue {
    /// The maximum of [`ChosenValue::uses`].
    pub const MOST_USES: u32 = 8;
}

/// Whether a value of a `select` is also an operand of the condition, or the whole condition. Casts are ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum ConditionPart {
    /// The value is not a part of the condition.
    #[default]
    None = 0,
    /// The left operand of a comparison.
    Left = 1,
    /// The right operand of a comparison.
    Right = 2,
    /// The whole condition.
    Whole = 3,
}

/// The instructions that only one value of a `select` needs. Instructions in other blocks are not counted. At most
/// [`OwnInstructions::MOST`] instructions are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnInstructions {
    /// All these instructions.
    pub count: u32,
    /// Loads.
    pub loads: u32,
    /// Calls, divisions and remainders.
    pub slow: u32,
}

impl OwnInstructions {
    /// The maximum number of instructions that are counted.
    pub const MOST: u32 = 16;
}

/// The uses of a value, counted by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// All uses.
    pub all: u32,
    /// Uses in other blocks, including uses by phis.
    pub elsewhere: u32,
    /// The number of uses by phis in loop headers.
    pub carried: u32,
    /// The number of uses by phis that are not in loop headers.
    pub merged: u32,
    /// The number of stores that write the value.
    pub stored: u32,
    /// The number of uses as an address, or in the computation of an address.
    pub addresses: u32,
    /// The number of `ret` instructions that return the value.
    pub returned: u32,
    /// The number of uses as an operand of a call.
    pub passed: u32,
    /// The number of uses by comparisons, and by the operations `and`, `or` and `xor` on conditions.
    pub compared: u32,
    /// The number of branches and switches that test the value.
    pub branched: u32,
    /// The number of uses by other selects.
    pub selected: u32,
}
