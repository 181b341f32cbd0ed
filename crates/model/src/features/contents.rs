//! What stands in the blocks of a function, counted.

use cranelift_entity::PrimaryMap;

use super::selects::Select;
use super::tested::Test;
use bpa_profile::cfg::Block;
use bpa_profile::facts::ConstantKind;

/// What stands in a function, beyond the facts that rules look at.
#[derive(Clone, Debug, Default)]
pub struct FunctionContents {
    /// Of each block.
    pub blocks: PrimaryMap<Block, BlockContents>,
    /// Of each edge, by its place in per-edge tables.
    pub edges: Vec<EdgeContents>,
    /// What decides where each block goes that has a choice, ascending by block. Blocks that decide by something that has no
    /// value, as exceptions do, are not among them.
    pub tests: Vec<(Block, Test)>,
    /// Its selects, block after block in layout order. Empty unless somebody asks for them.
    pub selects: Vec<Select>,
    /// Whether the function's name means it in its module alone.
    pub is_local: bool,
    /// Whether it gives something back.
    pub returns_value: bool,
    /// How many parameters it has.
    pub parameters: u32,
}

/// What stands in a block. What only describes the program to a debugger, or the lifetime of memory, does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockContents {
    /// Instructions of all kinds, phis and the terminator among them.
    pub instructions: u32,
    /// Calls of functions. LLVM's intrinsics are none.
    pub calls: u32,
    /// Calls through pointers, which are calls too.
    pub indirect_calls: u32,
    /// Calls that are given a constant text, as those that print a message are.
    pub text_calls: u32,
    /// Loads from memory.
    pub loads: u32,
    /// Stores to memory.
    pub stores: u32,
    /// Phis.
    pub phis: u32,
    /// What it returns, if it returns.
    pub returned: Returned,
}

/// What stands on an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeContents {
    /// Phis of the target that take a constant from this edge.
    pub constants: u32,
    /// What is returned by the target if it is entered by this edge, where that depends on it.
    pub returned: Returned,
    /// Of a switch: the constant that it is the case of.
    pub case: Option<ConstantKind>,
    /// That constant, if it is from 0 to [`MOST`](super::MOST); what is above counts as that, and what is below as 0.
    pub case_value: u32,
    /// Whether the target uses the value that the branch tests. Told only of targets that nothing else leads to.
    pub uses_tested: bool,
}

/// What a function returns at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Returned {
    /// It does not return there.
    #[default]
    DoesNot = 0,
    /// It returns, and nothing with it.
    Nothing = 1,
    /// 0, false or null.
    Zero = 2,
    /// A negative constant.
    Negative = 3,
    /// 1 or true.
    One = 4,
    /// Another constant.
    Constant = 5,
    /// Now this, now that: a phi.
    Merged = 6,
    /// What a call gave.
    Call = 7,
    /// A parameter.
    Parameter = 8,
    /// Something else.
    Value = 9,
}

impl Returned {
    /// All of them, by their numbers.
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
