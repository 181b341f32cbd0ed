//! What a `select` chooses between, and what for.

use super::tested::{Source, Test};
use bpa_profile::cfg::Block;
use bpa_profile::facts::{Condition, ConstantKind};

/// A `select` that goes by one condition. One of vectors that goes by a condition for each element is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Select {
    /// The block that it stands in.
    pub block: Block,
    /// Which of the selects of the block it is, from 0.
    pub index: u32,
    /// Its condition, as the rules of comparisons see one.
    pub condition: Condition,
    /// Its condition, as a predictor sees one.
    pub test: Test,
    /// The sort of what it chooses.
    pub kind: ChosenKind,
    /// The width in bits of what it chooses; 0 for what is no integer.
    pub bits: u32,
    /// What it chooses between: if the condition holds, and if not.
    pub values: [ChosenValue; 2],
    /// What uses what it has chosen.
    pub uses: Uses,
    /// Other selects of the block that go by the same condition.
    pub companions: u32,
    /// What a profile says of it.
    pub profile: SelectProfile,
}

/// What a profile says of a `select`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SelectProfile {
    /// Nothing, or nothing that can be read.
    #[default]
    None,
    /// How often the condition held, and how often not: valid branch weights.
    Weights([u32; 2]),
    /// Something that is no branch weights.
    Other,
}

/// The sorts of what is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum ChosenKind {
    /// None of the following: vectors, structures.
    #[default]
    Other = 0,
    /// An integer.
    Integer = 1,
    /// A pointer.
    Pointer = 2,
    /// A floating point number.
    Float = 3,
}

/// One of the two values of a `select`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChosenValue {
    /// Where it comes from.
    pub source: Source,
    /// If it is loaded: where the address comes from.
    pub base: Source,
    /// What constant it is.
    pub constant: Option<ConstantKind>,
    /// How many binary digits that constant has, without its sign.
    pub magnitude: u32,
    /// Which part of the condition it is, as in a minimum or maximum.
    pub part: ConditionPart,
    /// Whether it is a phi that takes what the `select` chooses: what is kept from turn to turn of a loop.
    pub is_kept: bool,
    /// Whether it is computed straight from the other value.
    pub is_from_other: bool,
    /// Whether it is computed straight from the value that is tested.
    pub is_from_tested: bool,
    /// Whether it is computed in the block of the `select`.
    pub is_here: bool,
    /// How many uses it has, counted up to [`ChosenValue::MOST_USES`]; of constants 0.
    pub uses: u32,
    /// What of its block is computed for it alone.
    pub own: OwnInstructions,
}

impl ChosenValue {
    /// The most uses that are counted.
    pub const MOST_USES: u32 = 8;
}

/// Which part of a condition a value is, seen through casts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum ConditionPart {
    /// None.
    #[default]
    None = 0,
    /// The left side of a comparison.
    Left = 1,
    /// The right side of a comparison.
    Right = 2,
    /// The condition itself.
    Whole = 3,
}

/// Instructions of the block of a `select` that nothing but one of its values needs, counted up to
/// [`OwnInstructions::MOST`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnInstructions {
    /// All of them.
    pub count: u32,
    /// Loads.
    pub loads: u32,
    /// Calls, divisions and remainders.
    pub slow: u32,
}

impl OwnInstructions {
    /// The most that are looked at.
    pub const MOST: u32 = 16;
}

/// What uses a value, counted by what it is used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// All of them.
    pub all: u32,
    /// In other blocks, phis among them.
    pub elsewhere: u32,
    /// By phis in headers of loops.
    pub carried: u32,
    /// By other phis.
    pub merged: u32,
    /// To be stored.
    pub stored: u32,
    /// As an address, or as a part of the computation of one.
    pub addresses: u32,
    /// To be returned.
    pub returned: u32,
    /// By calls.
    pub passed: u32,
    /// By comparisons, and by `and`, `or` and `xor` of conditions.
    pub compared: u32,
    /// To decide where a branch or switch goes.
    pub branched: u32,
    /// By other selects.
    pub selected: u32,
}
