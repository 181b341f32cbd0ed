//! What goes wrong, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use annotate_snippets::{Group, Level, Renderer};

pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot write: {0}")]
    Output(io::Error),
    #[error("cannot run {}: {source}", program.display())]
    Run { program: PathBuf, source: io::Error },
    /// Something that a user can set right, and how.
    #[error("{message}")]
    Advice { message: String, help: String },
    #[error("{program} says what cannot be read: {source}")]
    Data { program: String, source: serde_json::Error },
}

impl Error {
    pub fn advice(message: impl Into<String>, help: impl Into<String>) -> Self {
        Error::Advice { message: message.into(), help: help.into() }
    }

    pub fn read(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Error::Read { path: path.into(), source }
    }

    pub fn write(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Error::Write { path: path.into(), source }
    }

    /// Whether whoever reads has seen enough, as `head` has.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub fn print(&self) {
        anstream::eprintln!("{}", self.text());
    }

    fn text(&self) -> String {
        let title = Level::ERROR.primary_title(self.to_string());
        let mut group = Group::with_title(title);
        if let Error::Advice { help, .. } = self {
            if !help.is_empty() {
                group = group.element(Level::HELP.message(help.clone()));
            }
        }
        Renderer::styled().render(&[group])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_says_what_to_type() {
        let text = Error::advice("no opt", "apt-get install llvm-16").text();
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(plain, "error: no opt\n |\n = help: apt-get install llvm-16");
    }

    #[test]
    fn readers_that_have_seen_enough_are_no_error_to_tell() {
        assert!(Error::Output(io::ErrorKind::BrokenPipe.into()).is_broken_pipe());
        assert!(!Error::Output(io::ErrorKind::StorageFull.into()).is_broken_pipe());
    }
}
