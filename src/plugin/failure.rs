//! Errors that end the process. Only the guard around the plugin's code ends the process.

/// An error of the plugin: the message, which is one line. Errors of options have a [type](super::OptionError) of their
/// own, because other plugins also create them.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct Failure(pub String);

impl From<super::OptionError> for Failure {
    fn from(error: super::OptionError) -> Self {
        Failure(error.to_string())
    }
}
