//! The installed tools, the plugin, runs of `opt`, and the cache of their results.

pub mod cache;
pub mod find;
pub mod opt;
pub mod origin;
pub mod plugin;
