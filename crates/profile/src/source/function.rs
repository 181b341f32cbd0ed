//! The places of a function and its blocks.

use std::sync::Arc;

use cranelift_entity::PrimaryMap;

use super::position::{SourceFile, SourcePosition};
use crate::cfg::Block;

/// Where a function and its blocks stand in the source. The default is that nothing is known.
#[derive(Clone, Debug, Default)]
pub struct FunctionSource {
    /// Where the function is defined.
    pub definition: Option<Definition>,
    /// Of each block; or of none.
    pub blocks: PrimaryMap<Block, BlockSource>,
}

/// Where a function is defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name in the source.
    pub name: Arc<str>,
    /// The file.
    pub file: SourceFile,
    /// The line, from 1; 0 if it is not known.
    pub line: u32,
}

/// Where a block stands in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockSource {
    /// Where the branch stands that ends it.
    pub branch: Option<SourcePosition>,
    /// Where the block begins.
    pub first: Option<SourcePosition>,
    /// The lines in the function's own file that its instructions come from, in order, each once. What was inlined counts
    /// where it was called.
    pub lines: Vec<u32>,
}

impl FunctionSource {
    /// Where the branch that ends `block` stands.
    pub fn branch(&self, block: Block) -> Option<&SourcePosition> {
        self.blocks.get(block)?.branch.as_ref()
    }

    /// Where `block` begins.
    pub fn first(&self, block: Block) -> Option<&SourcePosition> {
        self.blocks.get(block)?.first.as_ref()
    }
}
