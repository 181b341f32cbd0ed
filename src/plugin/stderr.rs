//! Stderr, the default output of printers.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;

use super::failure::Failure;

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
