//! `bpa cache`: the size of the cache, and its removal.

use bpa_schema::FORMAT;

use crate::args;
use crate::base::error::{Error, Result};
use crate::base::output;
use crate::base::shares::grouped;
use crate::toolchain::cache::{directory, limit, Statistics, Store};

/// `bpa cache`: prints the size of the cache or removes its entries.
pub fn run(arguments: &args::Cache) -> Result<()> {
    let root = directory().ok_or_else(|| {
        Error::advice("no cache directory is known", "set the environment variable BPA_CACHE_DIR or HOME")
    })?;
    let (statistics, has_removed) = match arguments.action {
        Some(args::CacheAction::Clear) => (Store::clear(&root)?, true),
        None => (Store::statistics(&root), false),
    };
    let Statistics { bytes, files } = statistics;
    let text = match (arguments.json, has_removed) {
        (true, _) => {
            let counted = if has_removed { "removed" } else { "kept" };
            let sizes = serde_json::json!({"bytes": bytes, "files": files});
            serde_json::json!({"format": FORMAT, "directory": root, counted: sizes, "limit": limit()?})
                .to_string()
        }
        (false, true) => format!("{}: removed {} in {files} files", root.display(), size(bytes)),
        (false, false) => {
            format!("{}: {} in {files} files, at most {}", root.display(), size(bytes), size(limit()?))
        }
    };
    output::print(&format!("{text}\n"))
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{} MB", grouped(bytes.div_ceil(1_000_000))),
    }
}
