//! Opening a file to print to, so that nobody else's file suffers.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{flock, FlockOperation};

/// Opens `path` to add to it, unless the host reads or writes it too. A regular file is emptied, if it is not to keep
/// what is in it; a pipe or terminal is taken as it is.
pub(super) fn open(path: &Path, keeps_content: bool) -> io::Result<File> {
    if belongs_to_host(path) {
        return Err(io::Error::other("the command reads or writes this file itself"));
    }
    let file = beyond_standard_streams(OpenOptions::new().append(true).create(true).open(path)?)?;
    if file.metadata()?.is_file() && !keeps_content {
        file.set_len(0)?;
    }
    Ok(file)
}

/// Does `work`, which adds to `file`, while no other process does that takes care as well. If it fails, a regular file
/// is left as it was: half a line would spoil what others have written. What is no regular file is not locked.
pub(super) fn with_lock(file: &mut File, work: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    if !file.metadata()?.is_file() {
        return work(file);
    }
    flock(&*file, FlockOperation::LockExclusive)?;
    let before = file.metadata()?.len();
    let done = work(file);
    if done.is_err() {
        file.set_len(before)?;
    }
    flock(&*file, FlockOperation::Unlock)?;
    done
}

/// Stdout, as a file of its own.
pub(super) fn stdout() -> io::Result<File> {
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// `file` under a descriptor that is not that of a standard stream. It is where such a stream is closed, and would be
/// given all that the host writes there.
fn beyond_standard_streams(file: File) -> io::Result<File> {
    if file.as_raw_fd() > 2 {
        return Ok(file);
    }
    // The copy is: the standard library asks for a descriptor above these.
    file.try_clone()
}

/// Whether the host has been told of a file: by its command line, or as its stdin or stdout. A module that is emptied
/// while it is read is lost, and so is what is printed into a file that a module is written to.
fn belongs_to_host(path: &Path) -> bool {
    let Some(file) = Identity::of(path) else { return false };
    let streams = [io::stdin().as_fd().try_clone_to_owned(), io::stdout().as_fd().try_clone_to_owned()];
    let mut streams = streams.into_iter().flatten().filter_map(|stream| File::from(stream).metadata().ok());
    streams.any(|stream| file.inode == Some((stream.dev(), stream.ino())))
        || env::args_os().skip(1).any(|argument| {
            named_files(&argument)
                .any(|other| Identity::of(Path::new(&other)).is_some_and(|other| file.is(&other)))
        })
}

/// The files that an argument may name: `FILE`, `-oFILE`, `--output=FILE`.
fn named_files(argument: &OsStr) -> impl Iterator<Item = OsString> {
    let bytes = argument.as_bytes();
    let joined = bytes.strip_prefix(b"-o");
    let value = bytes.iter().position(|&byte| byte == b'=').map(|place| &bytes[place + 1..]);
    let names = [Some(bytes), joined, value].map(|name| name.map(|name| OsStr::from_bytes(name).to_owned()));
    names.into_iter().flatten().filter(|name| !name.is_empty())
}

/// What tells a regular file from all others, whether or not it is there already.
struct Identity {
    inode: Option<(u64, u64)>,
    path: PathBuf,
}

impl Identity {
    /// Nothing for what is there and is no regular file, or cannot be.
    fn of(path: &Path) -> Option<Self> {
        let inode = match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => Some((metadata.dev(), metadata.ino())),
            Ok(_) => return None,
            Err(_) => None,
        };
        let directory = match path.parent()? {
            here if here.as_os_str().is_empty() => Path::new("."),
            directory => directory,
        };
        Some(Identity { inode, path: directory.canonicalize().ok()?.join(path.file_name()?) })
    }

    fn is(&self, other: &Identity) -> bool {
        self.path == other.path || (self.inode.is_some() && self.inode == other.inode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_name_files_in_three_ways() {
        let names = |argument: &str| named_files(OsStr::new(argument)).collect::<Vec<_>>();
        assert_eq!(names("a.ll"), ["a.ll"]);
        assert_eq!(names("-oa.bc"), ["-oa.bc", "a.bc"]);
        assert_eq!(names("--output=a.bc"), ["--output=a.bc", "a.bc"]);
        assert_eq!(names("-o"), ["-o"]);
    }

    #[test]
    fn a_file_is_itself_by_any_name_and_before_it_is_there() {
        let same =
            |one: &str, other: &str| match (Identity::of(Path::new(one)), Identity::of(Path::new(other))) {
                (Some(one), Some(other)) => one.is(&other),
                _ => false,
            };
        assert!(same("Cargo.toml", "./src/../Cargo.toml"));
        assert!(same("not-there", "src/../not-there"));
        assert!(!same("Cargo.toml", "build.rs"));
        assert!(!same("/dev/null", "/dev/null"));
        assert!(!same("no/such/directory", "no/such/directory"));
    }
}
