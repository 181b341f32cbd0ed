//! Source positions of a function, from debug information.
//!
//! An inlined instruction has several positions: its own position, and the position of each inlined call around it.

use std::sync::Arc;

use cranelift_entity::PrimaryMap;

pub use bpa_schema::{Definition, Frame, Position};

use crate::cfg::Block;

/// The source positions of a function and its blocks. The default value contains no positions.
#[derive(Clone, Debug, Default)]
pub struct FunctionSource {
    /// The name of the function in the source, if it is known.
    pub name: Option<Arc<str>>,
    /// The position of the function's definition.
    pub definition: Option<Definition>,
    /// The positions of all blocks, or an empty table if they are unknown.
    pub blocks: PrimaryMap<Block, BlockSource>,
}

/// The source positions of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockSource {
    /// The position of the branch at the end of the block.
    pub branch: Option<Position>,
    /// The position of the beginning of the block.
    pub first: Option<Position>,
    /// The lines of the block's instructions in the function's own file, in ascending order and without duplicates. For
    /// an inlined instruction, this is the line of the call in this function.
    pub lines: Vec<u32>,
    /// Whether the branch at the end of the block searches the handler of an exception: the branch compares the type of
    /// the exception with the type of a `catch` clause.
    pub searches_handler: bool,
}

impl FunctionSource {
    /// The position of the branch at the end of `block`.
    pub fn branch(&self, block: Block) -> Option<&Position> {
        self.blocks.get(block)?.branch.as_ref()
    }

    /// Whether the branch at the end of `block` searches the handler of an exception.
    pub fn searches_handler(&self, block: Block) -> bool {
        self.blocks.get(block).is_some_and(|source| source.searches_handler)
    }

    /// The position of the beginning of `block`.
    pub fn first(&self, block: Block) -> Option<&Position> {
        self.blocks.get(block)?.first.as_ref()
    }
}
