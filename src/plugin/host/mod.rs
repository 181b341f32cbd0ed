//! The binding to the host's pass manager.
//!
//! Passes need few operations: register a name, run on functions, cache a profile for each function, report preserved
//! analyses, and run at an extension point. Through LLVM 18, the binding uses llvm-plugin, and from LLVM 19 on our own
//! C++. Both bindings have a type `Host` with the same functions, so the code above them is the same.

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
