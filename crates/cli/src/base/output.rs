//! Writes results to standard output and to files. A file is written completely or not at all.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use tempfile::NamedTempFile;

use crate::base::error::{Error, Result};
use crate::base::process::Registered;

/// The file name for standard output.
pub const STANDARD_OUTPUT: &str = "-";

/// Writes `bytes` to `path`, or to standard output if `path` is `-`.
///
/// A regular file is replaced in one step after all bytes are written. If writing fails, for example on a full disk,
/// the old file remains.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if path == Path::new(STANDARD_OUTPUT) {
        let mut out = io::stdout().lock();
        return out.write_all(bytes).and_then(|()| out.flush()).map_err(Error::Output);
    }
    match path.metadata() {
        // A device or a pipe cannot be replaced.
        Ok(metadata) if !metadata.is_file() => std::fs::write(path, bytes),
        _ => replace(path, bytes),
    }
    .map_err(Error::write(path))
}

/// Returns the error of [`write`] for a `path` that cannot be written, before there is anything to write.
pub fn require_writable(path: &Path) -> Result<()> {
    if path == Path::new(STANDARD_OUTPUT) {
        return Ok(());
    }
    match path.metadata() {
        Ok(metadata) if !metadata.is_file() => OpenOptions::new().write(true).open(path).map(drop),
        _ => {
            let path = path.canonicalize().unwrap_or_else(|_| path.into());
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            temporary_file(folder.unwrap_or(Path::new("."))).map(drop)
        }
    }
    .map_err(Error::write(path))
}

/// Replaces the file `path` by a file with `bytes`, in one step.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // If the path is a symbolic link, its target is replaced. `canonicalize` needs an existing target.
    if path.is_symlink() {
        OpenOptions::new().append(true).create(true).open(path)?;
    }
    let path = &path.canonicalize().unwrap_or_else(|_| path.into());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (mut file, _registered) = Registered::make(|| temporary_file(folder), |file| file.path())?;
    file.as_file_mut().write_all(bytes)?;
    if let Ok(metadata) = path.metadata() {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.persist(path).map(drop).map_err(|failed| failed.error)
}

/// Creates a temporary file in `folder`. If the file cannot be created, the error contains the error number of the
/// operating system. An error of the crate `tempfile` contains the name of the temporary file instead of this number.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut number = None;
    let made = tempfile::Builder::new().prefix(".bpa-").make_in(folder, |path| {
        let opened = OpenOptions::new().write(true).create_new(true).open(path);
        opened.inspect_err(|error| number = error.raw_os_error())
    });
    made.map_err(|error| number.map_or(error, io::Error::from_raw_os_error))
}

/// Writes a text to standard output. Removes colour codes if colours are turned off.
pub fn print(text: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Error::Output)
}

/// Prints each of `rows` as a line of JSON.
pub fn print_json_lines<T: Serialize>(rows: impl IntoIterator<Item = T>) -> Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for row in rows {
        serde_json::to_writer(&mut out, &row).map_err(io::Error::from).map_err(Error::Output)?;
        out.write_all(b"\n").map_err(Error::Output)?;
    }
    out.flush().map_err(Error::Output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("page.html");
        for text in ["first", "second"] {
            write(&path, text.as_bytes()).expect("it is written");
            assert_eq!(std::fs::read_to_string(&path).expect("it is there"), text);
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn the_target_of_a_link_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let [link, target] = ["link.html", "page.html"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("page.html", &link).expect("a link");
        // The target does not exist before the first call.
        for text in ["first", "second"] {
            write(&link, text.as_bytes()).expect("it is written");
            assert_eq!(std::fs::read_to_string(&target).expect("it is there"), text);
            assert!(link.is_symlink());
        }
    }

    #[test]
    fn write_errors_name_the_file() {
        let error = write(Path::new("/no/such/page.html"), b"x").expect_err("there is no such folder");
        assert!(error.to_string().contains("/no/such/page.html: No such file or directory"), "{error}");
        let early = require_writable(Path::new("/no/such/page.html")).expect_err("there is no such folder");
        assert_eq!(early.to_string(), error.to_string());
        require_writable(Path::new("/dev/null")).expect("a device");
        let folder = tempfile::tempdir().expect("a folder");
        require_writable(&folder.path().join("page.html")).expect("a new file");
        assert!(require_writable(folder.path()).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
        write(Path::new("/dev/null"), b"x").expect("/dev/null accepts all bytes");
        let full = write(Path::new("/dev/full"), b"x").expect_err("it is full");
        assert!(full.to_string().contains("/dev/full"), "{full}");
    }
}
