//! Prints the position of a branch.

use std::fmt;

use bpa_profile::source::Position;

/// The position of a branch, in a form for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The function.
    pub function: String,
    /// The block, as an operand: `%entry`.
    pub block: String,
    /// The position of the branch in the source, if it is known.
    pub source: Option<Position>,
}

impl fmt::Display for Site {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} in {}", self.block, self.function)?;
        match &self.source {
            Some(position) => write!(out, ", {position}"),
            None => Ok(()),
        }
    }
}
