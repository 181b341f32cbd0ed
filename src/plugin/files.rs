//! Opens a file to print to, without damage to other files.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{flock, FlockOperation};

/// Opens `path` to append to it, unless the host reads or writes the same file. A regular file is truncated, unless it
/// keeps its content; a pipe or terminal is used as it is.
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

/// Does `work`, which appends to `file`, under a lock that other processes of bpa respect. If it fails, a regular file
/// is restored: half a line would damage the output of others. Only regular files are locked.
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

/// Stdout, as a separate file.
pub(super) fn stdout() -> io::Result<File> {
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// `file` under a descriptor that is not a standard stream's. If the host has closed a standard stream, the new file
/// gets its descriptor, and would receive all output of the host to that stream.
fn beyond_standard_streams(file: File) -> io::Result<File> {
    if file.as_raw_fd() > 2 {
        return Ok(file);
    }
    // The copy has one: the standard library requests a descriptor above these.
    file.try_clone()
}

/// Whether the host uses a file: its command line names it, or it is its stdin or stdout. A module that is truncated
/// while the host reads it is lost, and so is output to a file that the host writes a module to.
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

/// The identity of a regular file, whether or not it exists already.
struct Identity {
    inode: Option<(u64, u64)>,
    path: PathBuf,
}

impl Identity {
    /// None if it exists and is not a regular file, or cannot exist.
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
    fn arguments_name_files_in_three_forms() {
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
