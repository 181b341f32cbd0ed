//! The files of the cache.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::SystemTime;

use lz4_flex::frame::{FrameDecoder, FrameEncoder, FrameInfo};
use serde::de::DeserializeOwned;
use serde::Serialize;

use super::Key;
use crate::base::error::{Error, Result};
use crate::base::output;

/// A file with this name identifies the folder as a cache directory: <https://bford.info/cachedir/>. Backup programs
/// skip folders with this file.
const TAG: &str = "CACHEDIR.TAG";
const TAG_TEXT: &[u8] =
    b"Signature: 8a477f597d28d172789f06886806bc55\n# Kept by bpa; it may be removed at any time.\n";

/// If the cache exceeds its limit, entries are removed until the size of the cache is 90% of the limit. Without this
/// margin, every run would remove entries.
const KEPT_PARTS: (u64, u64) = (9, 10);

/// The cache: finds and stores entries by their keys.
pub struct Store {
    /// The folder of the cache. `None` if nothing is cached.
    root: Option<PathBuf>,
    limit: u64,
    /// The number of bytes that this process has added to the cache.
    added: AtomicU64,
    has_warned: AtomicBool,
}

/// The size of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub bytes: u64,
    pub files: u64,
}

struct Entry {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

impl Store {
    /// The cache in the folder `root`, with at most `limit` bytes. If `root` is `None`, nothing is cached.
    pub fn new(root: Option<PathBuf>, limit: u64) -> Self {
        Store { root, limit, added: AtomicU64::new(0), has_warned: AtomicBool::new(false) }
    }

    /// The path of a cache entry. The first two digits of the key are the name of the folder.
    fn path(&self, key: Key, ending: &str) -> Option<PathBuf> {
        let name = key.hex();
        Some(self.root.as_ref()?.join(&name[..2]).join(format!("{}.{ending}", &name[2..])))
    }

    /// The path of an existing entry. Sets the modification time of the file to the current time. The cache uses the
    /// modification time as the time of the last use.
    pub fn file(&self, key: Key, ending: &str) -> Option<PathBuf> {
        let path = self.path(key, ending)?;
        open(&path)?;
        Some(path)
    }

    /// Stores `bytes` as a file. Returns the path of the file on success.
    pub fn keep_file(&self, key: Key, ending: &str, bytes: &[u8]) -> Option<PathBuf> {
        let path = self.path(key, ending)?;
        let kept = self.write(&path, bytes);
        if let Err(error) = &kept {
            self.warn(error);
        }
        kept.is_ok().then_some(path)
    }

    /// The decompressed data of an entry, or `None` if the entry does not exist or is damaged.
    pub fn data(&self, key: Key) -> Option<Vec<u8>> {
        let path = self.path(key, "lz4")?;
        let mut bytes = Vec::new();
        FrameDecoder::new(std::io::BufReader::new(open(&path)?)).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Compresses and stores `bytes`.
    pub fn keep_data(&self, key: Key, bytes: &[u8]) {
        let Some(path) = self.path(key, "lz4") else { return };
        let mut encoder = FrameEncoder::with_frame_info(FrameInfo::new().content_checksum(true), Vec::new());
        let compressed = encoder.write_all(bytes).map(|()| encoder.finish());
        let Ok(Ok(compressed)) = compressed else { return };
        if let Err(error) = self.write(&path, &compressed) {
            self.warn(&error);
        }
    }

    /// The value that [`keep_value`](Self::keep_value) stored with this key.
    pub fn value<T: DeserializeOwned>(&self, key: Key) -> Option<T> {
        serde_json::from_slice(&self.data(key)?).ok()
    }

    /// Stores `value` as compressed JSON. A value with a path that is not UTF-8 has no JSON, and is not stored.
    pub fn keep_value<T: Serialize>(&self, key: Key, value: &T) {
        if let Ok(json) = serde_json::to_vec(value) {
            self.keep_data(key, &json);
        }
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        let folder = path.parent().expect("an entry has a folder");
        std::fs::create_dir_all(folder)?;
        output::replace(path, bytes)?;
        self.added.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// On the first call, prints the reason why results are not cached.
    fn warn(&self, error: &std::io::Error) {
        let root = self.root.as_deref().unwrap_or(Path::new(""));
        if !self.has_warned.swap(true, Ordering::Relaxed) {
            crate::base::messages::note(&format!("results are not cached in {}: {error}", root.display()));
        }
    }

    /// If the limit is exceeded, removes the least recently used entries.
    fn shrink(&self) {
        let Some(root) = &self.root else { return };
        if !root.join(TAG).exists() {
            let _ = output::replace(&root.join(TAG), TAG_TEXT);
        }
        let mut entries = entries(root);
        let mut bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
        if bytes <= self.limit {
            return;
        }
        entries.sort_by_key(|entry| entry.used);
        for entry in entries {
            if bytes <= self.limit / KEPT_PARTS.1 * KEPT_PARTS.0 {
                break;
            }
            if std::fs::remove_file(&entry.path).is_ok() {
                bytes -= entry.bytes;
            }
        }
    }

    /// The size of the cache in `root`.
    pub fn statistics(root: &Path) -> Statistics {
        entries(root).iter().fold(Statistics::default(), |sum, entry| Statistics {
            bytes: sum.bytes + entry.bytes,
            files: sum.files + 1,
        })
    }

    /// Removes all entries. Returns the number and total size of the removed entries.
    pub fn clear(root: &Path) -> Result<Statistics> {
        let mut removed = Statistics::default();
        for entry in entries(root) {
            std::fs::remove_file(&entry.path).map_err(Error::write(&entry.path))?;
            removed.bytes += entry.bytes;
            removed.files += 1;
        }
        Ok(removed)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if *self.added.get_mut() > 0 {
            self.shrink();
        }
    }
}

/// The entries in the cache folder `root`. Other files are ignored.
fn entries(root: &Path) -> Vec<Entry> {
    let is_shard = |name: &str| name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let children = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten();
    let shards = children(root).filter(|child| child.file_name().to_str().is_some_and(is_shard));
    let files = shards.flat_map(|shard| children(&shard.path()));
    let entry = |file: std::fs::DirEntry| {
        let metadata = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some(Entry { path: file.path(), bytes: metadata.len(), used: metadata.modified().ok()? })
    };
    files.filter_map(entry).collect()
}

/// Opens the file of an entry, and sets its modification time to the current time. No entry is an empty file, but a
/// loss of power can leave one.
fn open(path: &Path) -> Option<std::fs::File> {
    let file = std::fs::File::open(path).ok()?;
    // If the cache is read-only, bpa cannot set the modification time, but can use the entry.
    let _ = file.set_modified(SystemTime::now());
    (file.metadata().ok()?.len() > 0).then_some(file)
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;
    use std::time::Duration;

    use super::super::KeyBuilder;
    use super::*;

    fn key(name: &str) -> Key {
        KeyBuilder::new("test").text(name).finish()
    }

    #[test]
    fn stored_entries_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(Some(folder.path().into()), 1_000_000);
        assert_eq!(store.data(key("a")), None);
        store.keep_data(key("a"), b"text text text");
        assert_eq!(store.data(key("a")).as_deref(), Some(b"text text text" as &[u8]));
        let path = store.keep_file(key("b"), "bc", b"BC").expect("the file is written");
        assert_eq!(store.file(key("b"), "bc"), Some(path.clone()));
        for path in [path, store.path(key("a"), "lz4").expect("a folder")] {
            std::fs::write(path, "").expect("the file is truncated");
        }
        assert_eq!((store.data(key("a")), store.file(key("b"), "bc")), (None, None));
        assert_eq!(Store::statistics(folder.path()).files, 2);
        assert_eq!(Store::clear(folder.path()).expect("the entries are removed").files, 2);
        assert_eq!(store.data(key("a")), None);
    }

    #[test]
    fn damaged_entries_are_not_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(Some(folder.path().into()), 1_000_000);
        store.keep_data(key("a"), b"{\"line\": 123, \"column\": 4}");
        let path = store.path(key("a"), "lz4").expect("a folder");
        let bytes = std::fs::read(&path).expect("it is there");
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            std::fs::write(&path, damaged).expect("a file");
            let found = store.data(key("a"));
            assert!(found.is_none_or(|found| found == b"{\"line\": 123, \"column\": 4}"), "{place}");
        }
        store.keep_value(key("b"), &Path::new(std::ffi::OsStr::from_bytes(b"d\xfe")));
        assert_eq!(store.value::<PathBuf>(key("b")), None);
    }

    #[test]
    fn the_least_recently_used_entries_are_removed_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(Some(folder.path().into()), 2_500);
        for (name, hours) in [("old", 3), ("used", 2), ("new", 1)] {
            let path = store.keep_file(key(name), "bc", &[0; 1000]).expect("the file is written");
            let file = std::fs::File::options().append(true).open(path).expect("it is there");
            file.set_modified(SystemTime::now() - Duration::from_secs(3600 * hours)).expect("a time");
        }
        let again = store.file(key("old"), "bc");
        assert!(again.is_some());
        drop(store);
        let store = Store::new(Some(folder.path().into()), 2_500);
        let left = ["old", "used", "new"].map(|name| store.file(key(name), "bc").is_some());
        assert_eq!(left, [true, false, true]);
    }

    #[test]
    fn an_unwritable_cache_is_not_an_error() {
        let store = Store::new(Some("/proc/no/such/folder".into()), 1000);
        store.keep_data(key("a"), b"x");
        assert_eq!(store.data(key("a")), None);
        let none = Store::new(None, 1000);
        none.keep_data(key("a"), b"x");
        assert!(none.keep_file(key("a"), "bc", b"x").is_none());
    }
}
