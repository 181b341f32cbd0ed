//! Errors in rule files.

/// An error in a rule file, with its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {problem}")]
#[non_exhaustive]
pub struct RuleSetError {
    /// The line, from 1.
    pub line: usize,
    /// The error on this line, or what was expected.
    pub problem: String,
}

impl RuleSetError {
    /// The error `problem` in `line`, counted from 1.
    pub fn new(line: usize, problem: impl Into<String>) -> Self {
        RuleSetError { line, problem: problem.into() }
    }
}
