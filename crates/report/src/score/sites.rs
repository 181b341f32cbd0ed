//! Where a branch stands.

use std::fmt;

use bpa_profile::source::SourcePosition;

/// Where a branch stands, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The function.
    pub function: String,
    /// The block, as an operand: `%entry`.
    pub block: String,
    /// Where in the source, if that is known.
    pub source: Option<SourcePosition>,
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
