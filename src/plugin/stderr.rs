//! The stream that printers print to.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;

/// Writes `text` on stderr, all of it or an error. The standard library's stderr takes a descriptor that is closed for one
/// that has taken everything; LLVM's printers fail there.
pub(super) fn write(text: &[u8]) -> io::Result<()> {
    let _turn = io::stderr().lock();
    // SAFETY: the descriptor is not closed afterwards. Whatever it is, LLVM writes to it too.
    let mut stderr = ManuallyDrop::new(unsafe { File::from_raw_fd(2) });
    write_all(&mut stderr, text)
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
