//! Stderr, the default output of printers.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;

/// Writes all of `text` on stderr, or returns an error. LLVM's printers fail if stderr is closed. Rust's `io::stderr`
/// ignores this error, so this function writes to a copy of the descriptor.
pub(super) fn write(text: &[u8]) -> io::Result<()> {
    let lock = io::stderr().lock();
    write_all(&mut lock.as_fd().try_clone_to_owned()?.into(), text)
}

/// Writes all of `text`. If the reader of a non-blocking pipe is slow, the function waits, like LLVM.
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
