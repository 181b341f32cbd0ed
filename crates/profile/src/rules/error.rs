//! Why a text describes no predictor.

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {expected}")]
pub struct RuleSetError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected there.
    pub expected: String,
}
