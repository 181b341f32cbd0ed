//! Errors and messages on stderr. Each message is one line and begins with the name of the plugin.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::sync::OnceLock;

/// The name of the plugin. A shared object contains at most one plugin.
static NAME: OnceLock<&'static str> = OnceLock::new();

/// Sets the prefix of messages to `name`.
pub(super) fn begin_with(name: &'static str) {
    NAME.get_or_init(|| name);
}

/// The name of the plugin, or the name of the library if there is no plugin.
pub(super) fn plugin_name() -> &'static str {
    NAME.get().copied().unwrap_or(env!("CARGO_PKG_NAME"))
}

/// Prints `text` as one line on stderr. If stderr cannot be written, the error is ignored.
pub(super) fn print_error(text: &str) {
    let _ = std::io::stderr().write_all(format!("{}: {}\n", plugin_name(), in_one_line(text)).as_bytes());
}

/// Escapes control characters in `text`. Options and function names can contain control characters.
fn in_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

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

/// Writes the complete `text` to stderr. Returns an error if this fails, so that no result is lost silently. LLVM's
/// printers also fail if stderr is closed. Rust's `io::stderr` ignores this error, so this function writes to a copy of
/// the descriptor.
pub(super) fn write(text: &[u8]) -> Result<(), Failure> {
    let lock = io::stderr().lock();
    let copy = lock.as_fd().try_clone_to_owned();
    copy.and_then(|copy| write_all(&mut copy.into(), text))
        .map_err(|reason| Failure(format!("cannot write to stderr: {reason}")))
}

/// Writes the complete `text` to `file`. If the reader of a non-blocking pipe is slow, the function waits, like LLVM.
pub(super) fn write_all(file: &mut File, mut text: &[u8]) -> io::Result<()> {
    while !text.is_empty() {
        match file.write(text) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => text = &text[written..],
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted) => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock) => std::thread::yield_now(),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(in_one_line("f(\"\u{e9}\\\")"), "f(\"\u{e9}\\\")");
        assert_eq!(in_one_line("a\nb\r\t\u{1b}[1m\0"), r"a\nb\r\t\u{1b}[1m\u{0}");
    }
}
