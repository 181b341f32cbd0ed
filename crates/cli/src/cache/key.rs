//! Keys of cache entries: hashes of everything that a cached result depends on.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

/// The version of the cache format. Every key contains the version, so entries of other versions are not found.
const VERSION: &str = concat!("bpa-cache-1-", env!("CARGO_PKG_VERSION"));

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
        let metadata = path.metadata()?;
        let key = self.text(&path).bytes(&metadata.len().to_le_bytes());
        Ok(key.bytes(&metadata.mtime().to_le_bytes()).bytes(&metadata.mtime_nsec().to_le_bytes()))
    }

    pub fn finish(self) -> Key {
        Key(self.0.finalize())
    }
}

/// The hashes of all files that this process has read. Each file is hashed once.
static HASHES: LazyLock<Mutex<HashMap<PathBuf, Key>>> = LazyLock::new(Mutex::default);

/// The hash of a file's content.
pub fn content(path: &Path) -> io::Result<Key> {
    let known = || HASHES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&key) = known().get(path) {
        return Ok(key);
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    let key = Key(hasher.finalize());
    known().insert(path.into(), key);
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
}
