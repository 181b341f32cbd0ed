//! Errors with advice.

use std::io;
use std::path::{Path, PathBuf};

use annotate_snippets::{Group, Level, Renderer};

use crate::base::input::Input;

pub type Result<T> = std::result::Result<T, Error>;

/// The advice for a full disk, and for a folder in which no file can be written.
pub const OTHER_FOLDER: &str =
    "set another folder: TMPDIR for temporary files (default: /tmp), BPA_CACHE_DIR for the cache, -o for a \
                                page; if a disk is full, free space";

/// Returns true if the output of a program reports a full disk.
pub fn is_about_space(text: &str) -> bool {
    text.contains("No space left on device") || text.contains("no space left on device")
}

/// The reason why a compiler rejects one or several files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The source file or an included file does not exist.
    Missing(String),
    /// An error without a position in the source.
    Message(String),
}

/// An error of the command.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot write to the standard output: {0}")]
    Output(io::Error),
    #[error("cannot run {}: {source}", program.display())]
    Run { program: PathBuf, source: io::Error },
    /// An error with advice.
    #[error("{message}")]
    Advice { message: String, help: String },
    /// A compiler rejects a file. `first` is the first error that the compiler prints.
    #[error("cannot compile {}: {first}", path.display())]
    Compile { path: PathBuf, first: String, help: String },
    /// Several files fail for the same reason.
    #[error("{failed} of {all} files cannot be compiled: {cause}")]
    Alike { failed: usize, all: usize, cause: String, help: String },
    /// The error of one file, if the command processes several files.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: Box<Error> },
    /// Some files failed. The error of each failed file is printed before this error.
    #[error("{failed} of {all} files failed")]
    Incomplete { failed: usize, all: usize },
    #[error("cannot read what {program} prints: {source}")]
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

    /// The compiler rejects `input`, and prints `text`.
    pub fn compile(input: &Input, text: &str, help: &str) -> Self {
        let help = if is_about_space(text) { OTHER_FOLDER } else { help };
        let first = with_shown_path(input, &first_error(text));
        Error::Compile { path: input.shown().into(), first, help: help.into() }
    }

    /// The reason why a file does not compile. The result is `None` if no other file can fail for the same reason.
    pub fn cause(&self) -> Option<Cause> {
        let Error::Compile { first, .. } = self else { return None };
        let parts = first.split_once("error: ").or_else(|| first.split_once("error["));
        let (place, text) = parts.unwrap_or(("", first));
        let quoted = || text.split('\'').nth(1).map(str::to_string);
        if text.contains("' file not found") || text.starts_with("no such file or directory: '") {
            return quoted().map(Cause::Missing);
        }
        // If a message contains a source position, other files do not fail with the same message.
        Some(Cause::Message(first.clone())).filter(|_| !place.trim_end_matches(": ").contains(':'))
    }

    /// Adds the name of the file to the error.
    pub fn of_file(self, path: &Path) -> Self {
        Error::File { path: path.into(), error: Box::new(self) }
    }

    /// The advice for this error, or an empty string.
    pub fn help(&self) -> &str {
        match self {
            Error::Advice { help, .. } | Error::Compile { help, .. } | Error::Alike { help, .. } => help,
            Error::File { error, .. } => error.help(),
            Error::Write { .. } => OTHER_FOLDER,
            Error::Read { source, .. } | Error::Output(source) | Error::Run { source, .. }
                if source.kind() == io::ErrorKind::StorageFull =>
            {
                OTHER_FOLDER
            }
            Error::Data { .. } => {
                "install the plugin and the command in the same version; `bpa doctor` shows both"
            }
            _ => "",
        }
    }

    /// Returns true if the program that reads the standard output, such as `head`, has closed the pipe.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub fn print(&self) {
        anstream::eprintln!("{}", self.text());
    }

    fn text(&self) -> String {
        let title = Level::ERROR.primary_title(self.to_string());
        let mut group = Group::with_title(title);
        if !self.help().is_empty() {
            group = group.element(Level::HELP.message(self.help()));
        }
        Renderer::styled().render(&[group])
    }
}

/// The first error line of a compiler's output. rustc prints the position in a line below: ` --> a.rs:1:2`.
fn first_error(text: &str) -> String {
    let lines = || text.lines().map(str::trim);
    let is_error = |line: &&str| line.contains("error: ") || line.starts_with("error[");
    let mut from_error = lines().skip_while(|line| !is_error(line));
    match from_error.next() {
        Some(error) => {
            let place =
                from_error.take_while(|line| !line.is_empty()).find_map(|line| line.strip_prefix("--> "));
            place.map_or_else(|| error.to_string(), |place| format!("{place}: {error}"))
        }
        None => lines().find(|line| !line.is_empty()).unwrap_or("the compiler prints no error").to_string(),
    }
}

/// If `line` begins with a source position, makes the path of the position relative to the current directory. `line` is
/// from the compiler's output.
fn with_shown_path(input: &Input, line: &str) -> String {
    match line.split_once(':') {
        Some((name, rest)) if rest.starts_with(|first: char| first.is_ascii_digit()) => {
            format!("{}:{rest}", input.shown_name(name))
        }
        _ => line.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_errors_are_relative_to_the_current_directory() {
        let directory = std::env::current_dir().expect("a directory").join("sub");
        let command = Some(crate::base::input::BuildCommand { directory, ..Default::default() });
        let input = Input { path: "a.c".into(), language: crate::base::input::Language::C, command };
        let message = |text: &str| Error::compile(&input, text, "").to_string();
        let first = "../b.h:2:1: error: unknown type name 'x'";
        assert_eq!(message(first), "cannot compile sub/a.c: b.h:2:1: error: unknown type name 'x'");
        let without_place = "clang: error: no such file or directory: 'a.c'";
        assert_eq!(message(without_place), format!("cannot compile sub/a.c: {without_place}"));
    }

    #[test]
    fn advice_is_printed_below_the_error() {
        let text = Error::advice("no opt", "apt-get install llvm-16").text();
        let plain = anstream::adapter::strip_str(&text).to_string();
        // The indentation depends on the version of annotate-snippets.
        let lines: Vec<_> = plain.lines().map(str::trim).collect();
        assert_eq!(lines, ["error: no opt", "|", "= help: apt-get install llvm-16"]);
    }

    #[test]
    fn the_first_error_is_printed() {
        let text = "In file included from a.c:1:\nb.h:2:1: fatal error: 'x.h' file not found\n    \
                    2 | #include\n1 error\n";
        assert_eq!(first_error(text), "b.h:2:1: fatal error: 'x.h' file not found");
        assert_eq!(first_error("\nKilled\n"), "Killed");
        let text =
            "warning: x\n --> a.rs:3:4\n\nerror[E0308]: types\n --> a.rs:1:2\n  |\n\nerror: aborting\n";
        assert_eq!(first_error(text), "a.rs:1:2: error[E0308]: types");
        assert_eq!(
            first_error("error: linking failed\n\nerror: x\n --> a.rs:1:2\n"),
            "error: linking failed"
        );
        assert!(first_error("").contains("prints no error"));
    }

    #[test]
    fn a_full_disk_has_its_own_advice() {
        let input = Input { path: "a.c".into(), language: crate::base::input::Language::C, command: None };
        let printed =
            "error: unable to open output file 'a.bc': 'No space left on device'\n1 error generated.\n";
        assert_eq!(Error::compile(&input, printed, "write flags after --").help(), OTHER_FOLDER);
        assert_eq!(Error::compile(&input, "a.c:1:1: error: x\n", "flags").help(), "flags");
        let full = Error::Output(io::ErrorKind::StorageFull.into());
        assert_eq!(full.help(), OTHER_FOLDER);
        let read_only = Error::write(Path::new("/tmp"))(io::ErrorKind::ReadOnlyFilesystem.into());
        assert_eq!(read_only.help(), OTHER_FOLDER);
    }

    #[test]
    fn missing_files_are_a_common_cause() {
        let cause = |first: &str| {
            Error::Compile { path: "a.c".into(), first: first.into(), help: String::new() }.cause()
        };
        assert_eq!(cause("b.h:2:1: fatal error: 'x.h' file not found"), Some(Cause::Missing("x.h".into())));
        assert_eq!(
            cause("clang: error: no such file or directory: 'y.cc'"),
            Some(Cause::Missing("y.cc".into()))
        );
        let other = "clang: error: cannot specify -o when generating multiple output files";
        assert_eq!(cause(other), Some(Cause::Message(other.into())));
        assert_eq!(cause("a.c:3:1: error: expected expression"), None);
        assert_eq!(cause("a.rs:3:1: error[E0308]: mismatched types"), None);
    }

    #[test]
    fn a_broken_pipe_is_recognised() {
        assert!(Error::Output(io::ErrorKind::BrokenPipe.into()).is_broken_pipe());
        assert!(!Error::Output(io::ErrorKind::StorageFull.into()).is_broken_pipe());
    }
}
