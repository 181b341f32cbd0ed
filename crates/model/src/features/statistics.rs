//! IR statistics: the instructions in the blocks of a function, counted by kind.

use cranelift_entity::PrimaryMap;

use super::selects::Select;
use super::tested::Test;
use bpa_profile::cfg::Block;
use bpa_profile::facts::ConstantKind;

/// The statistics of a function. The rules do not use them, so they are not part of the facts.
#[derive(Clone, Debug, Default)]
pub struct FunctionStatistics {
    /// The statistics of each block.
    pub blocks: PrimaryMap<Block, BlockStatistics>,
    /// The statistics of each edge, in the order of the per-edge tables.
    pub edges: Vec<EdgeStatistics>,
    /// The test of each block with a choice of successors, in ascending order of blocks. Blocks whose choice does not
    /// depend on a value, such as those of exceptions, have no entry.
    pub tests: Vec<(Block, Test)>,
    /// The selects of the function, in layout order of their blocks. Empty unless the caller requests selects.
    pub selects: Vec<Select>,
    /// Whether the function is local to its module.
    pub is_local: bool,
    /// Whether the function returns a value.
    pub returns_value: bool,
    /// The number of parameters.
    pub parameters: u32,
}

/// The statistics of a block. Debug and lifetime intrinsics do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockStatistics {
    /// All instructions, including phis and the terminator.
    pub instructions: u32,
    /// Calls, except those of LLVM's intrinsics.
    pub calls: u32,
    /// Calls through pointers. They are also counted as calls.
    pub indirect_calls: u32,
    /// Calls with a constant string as an argument, for example to print a message.
    pub text_calls: u32,
    /// Loads from memory.
    pub loads: u32,
    /// Stores to memory.
    pub stores: u32,
    /// Phis.
    pub phis: u32,
    /// The kind of value that the block returns.
    pub returned: Returned,
}

/// The statistics of an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeStatistics {
    /// The number of phis in the target that take a constant from this edge.
    pub constants: u32,
    /// The kind of value that the target returns, if it depends on the edge.
    pub returned: Returned,
    /// The kind of the case's constant if the edge is a case of a switch.
    pub case: Option<ConstantKind>,
    /// The constant of the case, limited to the range from 0 to [`MOST`](super::MOST).
    pub case_value: u32,
    /// Whether the target uses the tested value of the branch. It is only computed if the target has no other
    /// predecessor.
    pub uses_tested: bool,
}

/// The kind of value that a block returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Returned {
    /// The block does not return.
    #[default]
    DoesNot = 0,
    /// The function returns without a value.
    Nothing = 1,
    /// 0, false or null.
    Zero = 2,
    /// A negative constant.
    Negative = 3,
    /// 1 or true.
    One = 4,
    /// Another constant.
    Constant = 5,
    /// A phi with different values.
    Merged = 6,
    /// The result of a call.
    Call = 7,
    /// A parameter.
    Parameter = 8,
    /// Another value.
    Value = 9,
}

impl Returned {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Returned; 10] = [
        Returned::DoesNot,
        Returned::Nothing,
        Returned::Zero,
        Returned::Negative,
        Returned::One,
        Returned::Constant,
        Returned::Merged,
        Returned::Call,
        Returned::Parameter,
        Returned::Value,
    ];
}
