//! Source positions of a function and its blocks.

use std::sync::Arc;

use cranelift_entity::PrimaryMap;

use super::position::{SourceFile, SourcePosition};
use crate::cfg::Block;

/// Source positions of a function and its blocks. The default has none.
#[derive(Clone, Debug, Default)]
pub struct FunctionSource {
    /// The position of the function's definition.
    pub definition: Option<Definition>,
    /// The positions of all blocks, or an empty table.
    pub blocks: PrimaryMap<Block, BlockSource>,
}

/// The position of a function's definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name in the source.
    pub name: Arc<str>,
    /// The file.
    pub file: SourceFile,
    /// The line, from 1; 0 if it is not known.
    pub line: u32,
}

/// The source positions of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockSource {
    /// The position of the branch at the end of the block.
    pub branch: Option<SourcePosition>,
    /// The position of the block's beginning.
    pub first: Option<SourcePosition>,
    /// The lines in the function's own file that its instructions come from, in order, each once. For inlined
    /// instructions, the line of the call counts.
    pub lines: Vec<u32>,
}

impl FunctionSource {
    /// The position of the branch at the end of `block`.
    pub fn branch(&self, block: Block) -> Option<&SourcePosition> {
        self.blocks.get(block)?.branch.as_ref()
    }

    /// The position of the beginning of `block`.
    pub fn first(&self, block: Block) -> Option<&SourcePosition> {
        self.blocks.get(block)?.first.as_ref()
    }
}
