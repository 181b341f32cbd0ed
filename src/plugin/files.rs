//! Opens output files, and refuses files that the host itself uses.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{flock, FlockOperation};

/// Opens `path` for appending. Returns an error if the host itself reads or writes this file. A regular file is
/// truncated unless `keeps_content` is set. A pipe or terminal is not truncated.
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

/// Locks `file` and runs `work`, which appends to `file`. Other bpa processes use the same lock. If `work` fails, the
/// file is truncated to its old length, because an incomplete line would damage the output of other processes. Only
/// regular files are locked.
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

/// Returns stdout as a file with its own descriptor.
pub(super) fn stdout() -> io::Result<File> {
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Returns `file` with a descriptor that is not 0, 1 or 2. If the host has closed a standard stream, a new file gets
/// the descriptor of this stream. All output to this stream would then go to the new file.
fn beyond_standard_streams(file: File) -> io::Result<File> {
    if file.as_raw_fd() > 2 {
        return Ok(file);
    }
    // `try_clone` never returns the descriptor 0, 1 or 2.
    file.try_clone()
}

/// Returns true if the host's command line names the file `path`, or if the file is the host's stdin or stdout.
/// Truncating this file could destroy the host's input or output.
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

/// The parts of an argument that can be file names: `FILE`, `-oFILE`, `--output=FILE`.
fn named_files(argument: &OsStr) -> impl Iterator<Item = OsString> {
    let bytes = argument.as_bytes();
    let joined = bytes.strip_prefix(b"-o");
    let value = bytes.iter().position(|&byte| byte == b'=').map(|place| &bytes[place + 1..]);
    let names = [Some(bytes), joined, value].map(|name| name.map(|name| OsStr::from_bytes(name).to_owned()));
    names.into_iter().flatten().filter(|name| !name.is_empty())
}

/// Identifies a regular file. The file need not exist, but its directory must exist.
struct Identity {
    inode: Option<(u64, u64)>,
    path: PathBuf,
}

impl Identity {
    /// Returns `None` if the path exists but is not a regular file, or if its directory does not exist.
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
    fn names_of_one_file_have_the_same_identity_even_before_it_exists() {
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
