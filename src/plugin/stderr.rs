//! The stream that printers print to.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;

/// Writes `text` on stderr, all of it or an error. The standard library's stderr takes a descriptor that is closed
/// for one that has taken everything, where LLVM's printers fail; so this writes to a copy of the descriptor.
pub(super) fn write(text: &[u8]) -> io::Result<()> {
    let turn = io::stderr().lock();
    write_all(&mut turn.as_fd().try_clone_to_owned()?.into(), text)
}

/// Writes all of `text`. Where a reader is slow, and does not let writers wait, this waits as LLVM does.
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
