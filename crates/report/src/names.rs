//! The names of a function and its blocks, and source positions as text.

use bpa_profile::cfg::Block;
use bpa_profile::source::Position;
use cranelift_entity::PrimaryMap;

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

/// The source positions of a branch and of the destination of one edge, as text. The result is `None` if both positions
/// are unknown.
pub(super) fn edge_positions(branch: Option<&Position>, target: Option<&Position>) -> Option<String> {
    match (branch, target) {
        (Some(branch), Some(target)) => Some(format!("at {branch}; leads to {target}")),
        (Some(branch), None) => Some(format!("at {branch}")),
        (None, Some(target)) => Some(format!("leads to {target}")),
        (None, None) => None,
    }
}

/// Formats the position `there` for a text about the position `here`. If both positions are in the same file, the
/// result omits the file name, and contains the column only if `with_column` is true.
pub(super) fn near(here: Option<&Position>, there: &Position, with_column: bool) -> String {
    let there = &there.frame;
    match here.map(|here| &here.frame).filter(|here| here.is_in_file_of(there)) {
        Some(_) if with_column && there.column > 0 => format!("line {}:{}", there.line, there.column),
        Some(_) => format!("line {}", there.line),
        None => there.to_string(),
    }
}
