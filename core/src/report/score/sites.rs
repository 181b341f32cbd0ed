//! Where a branch stands.

use std::fmt;

/// A line of the program's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// The file, as the compiler was told of it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// Where a branch stands, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The function.
    pub function: String,
    /// The block, as an operand: `%entry`.
    pub block: String,
    /// The line of the source, if that is known.
    pub source: Option<SourceLine>,
}

impl fmt::Display for Site {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} in {}", self.block, self.function)?;
        match &self.source {
            Some(SourceLine { file, line }) => write!(out, ", {file}:{line}"),
            None => Ok(()),
        }
    }
}
