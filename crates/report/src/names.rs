//! The names of a function and its blocks.

use cranelift_entity::PrimaryMap;

use bpa_profile::cfg::Block;

/// The names that a report about one function prints.
pub struct Names<'a> {
    /// The module's name, usually a file name.
    pub module: &'a [u8],
    /// The function's name.
    pub function: &'a [u8],
    /// The name of each block, in the form of an operand in LLVM assembly: `%entry`, `%7`, `%"a b"`. A name is always
    /// ASCII.
    pub blocks: PrimaryMap<Block, String>,
}
