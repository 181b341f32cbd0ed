//! Keys of cache entries: hashes of everything that a cached result depends on.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

/// The version of the cache format. Every key contains the version, so entries of other versions are not found.
const VERSION: &str = concat!("bpa-cache-2-", env!("CARGO_PKG_VERSION"));

/// The key of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(blake3::Hash);

impl Key {
    pub fn hex(self) -> String {
        self.0.to_hex().to_string()
    }
}

/// Computes a key. The key depends on the order in which the inputs are added.
pub struct KeyBuilder(blake3::Hasher);

impl KeyBuilder {
    /// Starts a key. Two keys of different kinds differ, even if the inputs are the same.
    pub fn new(kind: &str) -> Self {
        KeyBuilder(blake3::Hasher::new()).text(VERSION).text(kind)
    }

    /// Adds `bytes` and their length to the key. Without the length, the texts `ab` and `c` would give the same key
    /// as the texts `a` and `bc`.
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        self
    }

    pub fn text(self, text: impl AsRef<OsStr>) -> Self {
        self.bytes(text.as_ref().as_bytes())
    }

    pub fn key(self, key: Key) -> Self {
        self.bytes(key.0.as_bytes())
    }

    /// Adds the content of a file.
    pub fn file(self, path: &Path) -> io::Result<Self> {
        Ok(self.key(content(path)?))
    }

    /// Adds the path, size and modification time of a program. The content can be large, so it is not hashed.
    pub fn program(self, path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        let State { size, modified: (seconds, nanoseconds) } = State::of(&path.metadata()?);
        let key = self.text(&path).bytes(&size.to_le_bytes());
        Ok(key.bytes(&seconds.to_le_bytes()).bytes(&nanoseconds.to_le_bytes()))
    }

    pub fn finish(self) -> Key {
        Key(self.0.finalize())
    }
}

/// The hashes of the files that this process has read, with the state of the file before it was read.
static HASHES: LazyLock<Mutex<HashMap<PathBuf, (State, Key)>>> = LazyLock::new(Mutex::default);

/// The size and modification time of a file. The time consists of seconds and nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    size: u64,
    modified: (i64, i64),
}

impl State {
    fn of(metadata: &Metadata) -> Self {
        State { size: metadata.len(), modified: (metadata.mtime(), metadata.mtime_nsec()) }
    }
}

/// The hash of a file's content. A file that has not changed is hashed once.
pub fn content(path: &Path) -> io::Result<Key> {
    let state = State::of(&path.metadata()?);
    let known = || HASHES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, key)) = known().get(path).filter(|(known, _)| *known == state) {
        return Ok(*key);
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    let key = Key(hasher.finalize());
    known().insert(path.into(), (state, key));
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_depend_on_kind_text_and_order() {
        let key = |kind: &str, texts: &[&str]| {
            texts.iter().fold(KeyBuilder::new(kind), |key, text| key.text(text)).finish()
        };
        assert_eq!(key("k", &["a", "b"]), key("k", &["a", "b"]));
        let all = [key("k", &["a", "b"]), key("k", &["ab"]), key("k", &["b", "a"]), key("l", &["a", "b"])];
        assert!((1..all.len()).all(|place| !all[..place].contains(&all[place])));
    }

    #[test]
    fn changed_files_are_hashed_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.h");
        std::fs::write(&path, "1").expect("a file");
        let first = content(&path).expect("a file");
        assert_eq!(content(&path).expect("a file"), first);
        std::fs::write(&path, "22").expect("a file");
        assert_ne!(content(&path).expect("a file"), first);
    }
}
