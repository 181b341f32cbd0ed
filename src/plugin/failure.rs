//! Errors that end the process. Only the guard around the plugin's code ends the process.

use std::io;
use std::path::PathBuf;

use super::extensions::{ExtensionError, VARIABLE};
use super::output::OutputError;

/// An error of the plugin. The message of each error is one line.
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
    #[error("{requested_by}: {problem}")]
    Extension { requested_by: String, problem: String },
    #[error("{VARIABLE}: unknown pass '{0}'")]
    VariablePass(String),
}

/// Errors in the passes, options and extensions that a plugin registers.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum RegistrationError {
    #[error("'{0}' is not a valid name for a pass")]
    PassName(&'static str),
    #[error("'{option}' is not a valid name for an option of '{pass}'")]
    OptionName { pass: &'static str, option: &'static str },
    #[error("'{pass}' has the option '{option}' twice")]
    OptionTwice { pass: &'static str, option: &'static str },
    #[error("the pass '{0}' is registered twice")]
    PassTwice(&'static str),
    #[error("LLVM or another plugin already has a pass '{0}'")]
    PassExists(&'static str),
    #[error(transparent)]
    Point(#[from] ExtensionError),
    #[error("unknown pass '{pass}' for the extension point '{point}'")]
    UnknownPass { pass: String, point: String },
}
