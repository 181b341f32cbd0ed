//! Errors that end the process, in the plugin's outermost guard and nowhere else.

use std::io;
use std::path::PathBuf;

use super::extensions::{ExtensionError, VARIABLE};
use super::output::OutputError;

/// Each message is one line.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("cannot write to stderr: {0}")]
    Stderr(io::Error),
    #[error("cannot write '{}': {reason}", path.display())]
    Picture { path: PathBuf, reason: io::Error },
    #[error("{pass}: function '{function}', {difference}")]
    Different { pass: &'static str, function: String, difference: String },
    #[error("rust-entry-counts: module '{module}' defines no function '{function}'")]
    NoFunction { module: String, function: String },
    #[error(transparent)]
    Registration(#[from] RegistrationError),
    #[error("{VARIABLE}: {0}")]
    Variable(ExtensionError),
    #[error("{asked_by}: {problem}")]
    Extension { asked_by: String, problem: String },
    #[error("{VARIABLE}: unknown pass '{0}'")]
    VariablePass(String),
}

/// Errors in the passes, options and extensions that a plugin registers.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum RegistrationError {
    #[error("no pass can go by the name of '{0}'")]
    PassName(&'static str),
    #[error("no option of '{pass}' can go by the name of '{option}'")]
    OptionName { pass: &'static str, option: &'static str },
    #[error("'{pass}' has the option '{option}' twice")]
    OptionTwice { pass: &'static str, option: &'static str },
    #[error("a pass by the name of '{0}' is registered twice")]
    PassTwice(&'static str),
    #[error("LLVM or another plugin has a pass by the name of '{0}' already")]
    PassExists(&'static str),
    #[error(transparent)]
    Point(#[from] ExtensionError),
    #[error("unknown pass '{pass}' for the extension point '{point}'")]
    UnknownPass { pass: String, point: String },
}
