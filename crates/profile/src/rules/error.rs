//! Errors in rule files.

/// An error in a rule file, with its line number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {problem}")]
#[non_exhaustive]
pub struct RuleSetError {
    /// The line number, from 1.
    pub line: usize,
    /// What is wrong, or what the parser expected instead.
    pub problem: String,
}

impl RuleSetError {
    /// Creates an error from a line number and a description. Lines are counted from 1.
    pub fn new(line: usize, problem: impl Into<String>) -> Self {
        RuleSetError { line, problem: problem.into() }
    }
}
