//! Errors that end the process. Only the guard around the plugin's code ends the process.

/// The message of an error of the plugin. The message is one line. Errors of options have a separate
/// [type](super::OptionError), because other plugins also create such errors.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct Failure(pub String);

impl From<super::OptionError> for Failure {
    fn from(error: super::OptionError) -> Self {
        Failure(error.to_string())
    }
}
