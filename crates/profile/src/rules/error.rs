//! Why a text does not describe a predictor.

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {problem}")]
#[non_exhaustive]
pub struct RuleSetError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there, or what was expected.
    pub problem: String,
}

impl RuleSetError {
    /// The error that `problem` is in `line`, counted from 1.
    pub fn new(line: usize, problem: impl Into<String>) -> Self {
        RuleSetError { line, problem: problem.into() }
    }
}
