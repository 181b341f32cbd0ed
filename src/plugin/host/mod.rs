//! The binding to the host's pass manager.
//!
//! What passes need of it is small: register names, run on functions, keep a profile for each, say what is
//! preserved, stand at an extension point. Behind the binding stands llvm-plugin, which reaches LLVM 18, and from
//! LLVM 19 on our own C++. Both have a `Host` with the same functions, and nothing above the binding knows which one
//! it has.

mod errors;
#[cfg(not(own_host))]
mod llvm_plugin_host;
mod loaded;
mod once;
#[cfg(own_host)]
mod own_host;
mod pass;
mod version;

#[cfg(not(own_host))]
pub use llvm_plugin_host::PluginInfo;
#[cfg(own_host)]
pub use own_host::PluginInfo;
pub use pass::Preserved;

#[cfg(not(own_host))]
pub(super) use llvm_plugin_host::{describe, Host};
pub(super) use loaded::stay as stay_loaded;
pub(super) use once::Mark;
#[cfg(own_host)]
pub(super) use own_host::{describe, Host};
pub(super) use pass::{AnyPass, ModulePass, Parse, Pass};
pub(super) use version::check as check_version;
