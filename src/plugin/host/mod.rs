//! The binding to the host's pass manager.
//!
//! The binding registers and runs passes, caches a profile for each function, and reports preserved analyses. Up to
//! LLVM 18, the binding uses llvm-plugin. From LLVM 19 on, the binding uses bpa's own C++ code. Both bindings have a
//! type `Host` with the same functions, so the code that uses `Host` does not depend on the binding.

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
pub(super) use once::KeyPass;
#[cfg(own_host)]
pub(super) use own_host::{describe, Host};
pub(super) use pass::{AnyPass, ModulePass, Parse, Pass};
pub(super) use version::check as check_version;
