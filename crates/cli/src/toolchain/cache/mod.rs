//! A cache on disk for bitcode, and for the plugin's output for each bitcode file.
//!
//! Entries are files in the user's cache directory. The name of an entry is a hash of everything that the entry depends
//! on, so an existing entry is always valid. If reading or writing the cache fails, the command computes the result
//! again.

mod key;
mod store;

pub use key::{content, Key, KeyBuilder};
pub use store::{Statistics, Store};

use std::path::PathBuf;

use crate::base::error::{Error, Result};

/// The folder of the cache: the path in `BPA_CACHE_DIR`, or the folder `bpa` in the user's cache directory if the
/// variable is not set.
pub fn directory() -> Option<PathBuf> {
    let named = std::env::var_os("BPA_CACHE_DIR").filter(|name| !name.is_empty()).map(PathBuf::from);
    named.or_else(|| Some(directories::BaseDirs::new()?.cache_dir().join("bpa")))
}

/// The default of [`limit`].
const DEFAULT_LIMIT: u64 = 2_000_000_000;

/// The size limit in bytes. `BPA_CACHE_LIMIT` sets the limit in megabytes. The default is 2,000 MB.
pub fn limit() -> Result<u64> {
    let Some(text) = std::env::var_os("BPA_CACHE_LIMIT").filter(|text| !text.is_empty()) else {
        return Ok(DEFAULT_LIMIT);
    };
    let number: Option<u64> = text.to_str().and_then(|text| text.parse().ok());
    number.and_then(|megabytes| megabytes.checked_mul(1_000_000)).ok_or_else(|| {
        let text = text.to_string_lossy();
        Error::advice(
            format!("BPA_CACHE_LIMIT is not a number of megabytes: {text}"),
            "set it to a number, such as 500",
        )
    })
}
