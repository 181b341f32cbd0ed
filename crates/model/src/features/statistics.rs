//! IR statistics of a function: the number of instructions of each kind in each block, and the test of each branch.

use cranelift_entity::PrimaryMap;

use super::tested::Test;
use bpa_profile::cfg::Block;
use bpa_profile::facts::ConstantKind;

/// The statistics of a function. Only models use these statistics. The facts do not include these statistics, because
/// rules do not need them.
#[derive(Clone, Debug, Default)]
pub struct FunctionStatistics {
    /// The statistics of each block.
    pub blocks: PrimaryMap<Block, BlockStatistics>,
    /// The statistics of each edge, in the order of the per-edge tables.
    pub edges: Vec<EdgeStatistics>,
    /// The blocks that select their successor with a test, in ascending order, each with its test. If no value decides
    /// which successor runs next, the block has no test. An example is a block that ends in an `invoke`.
    pub tests: Vec<(Block, Test)>,
    /// Whether the function is local to its module.
    pub is_local: bool,
    /// Whether the function returns a value.
    pub returns_value: bool,
    /// The number of parameters.
    pub parameters: u32,
}

/// The statistics of a block. Debug and lifetime intrinsics are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockStatistics {
    /// All instructions, including phis and the terminator.
    pub instructions: u32,
    /// Calls, except calls of LLVM's intrinsics.
    pub calls: u32,
    /// Calls through pointers. The field `calls` includes these calls.
    pub indirect_calls: u32,
    /// Calls with a constant string as an argument, for example to print a message.
    pub text_calls: u32,
    /// Loads from memory.
    pub loads: u32,
    /// Stores to memory.
    pub stores: u32,
    /// Phis.
    pub phis: u32,
    /// Multiplications, divisions, and floating-point operations.
    pub arithmetic: u32,
    /// The kind of value that the block returns.
    pub returned: Returned,
}

/// The statistics of an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeStatistics {
    /// The number of phis in the target block that have a constant incoming value for this edge.
    pub constants: u32,
    /// The kind of value that the edge's target block returns if execution takes this edge. If the value does not
    /// depend on the edge, the kind is [`Returned::DoesNot`].
    pub returned: Returned,
    /// If the edge belongs to a case of a switch, the kind of the constant of this case; otherwise `None`.
    pub case: Option<ConstantKind>,
    /// The constant of the case, limited to the range from 0 to [`MOST`](super::MOST).
    pub case_value: u32,
    /// Whether the target uses the tested value of the branch. If the target has another predecessor, this field is
    /// always false.
    pub uses_tested: bool,
}

/// The kind of value that a block returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Returned {
    /// The block does not return.
    #[default]
    DoesNot = 0,
    /// The block returns from the function without a value.
    Nothing = 1,
    /// The constant 0, false or null.
    Zero = 2,
    /// A negative constant.
    Negative = 3,
    /// The constant 1 or true.
    One = 4,
    /// Another constant.
    Constant = 5,
    /// The result of a phi.
    Merged = 6,
    /// The result of a call.
    Call = 7,
    /// A parameter.
    Parameter = 8,
    /// Another value.
    Value = 9,
}

impl Returned {
    /// All kinds of returned values, in the order of their numbers.
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
