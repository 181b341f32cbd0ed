//! The binding to the host's pass manager.
//!
//! This code registers and runs passes, caches a profile for each function, and reports preserved analyses. Up to
//! LLVM 18, the binding uses llvm-plugin. From LLVM 19 on, the binding uses bpa's own C++ code. Each binding adds the
//! same functions to the type `Host`, so the code that uses `Host` does not depend on the binding.

mod analyses;
#[cfg(not(own_host))]
mod llvm_plugin_host;
mod once;
#[cfg(own_host)]
mod own_host;
mod parser;
mod pass;
mod version;
mod watch;

use std::ffi::{c_void, CStr};
use std::marker::PhantomData;
use std::sync::OnceLock;

#[cfg(not(own_host))]
use llvm_plugin_host as binding;
#[cfg(own_host)]
use own_host as binding;

use super::message::Failure;

pub use binding::PluginInfo;
pub use pass::Preserved;

pub(super) use analyses::{ComputeProfile, FunctionAnalyses};
pub(super) use once::stay as stay_loaded;
pub(super) use pass::{OnFunction, OnModule, Parse, Pass};
pub(super) use version::check as check_version;
pub(super) use watch::{CachedAfter, CachedResults, PassWatch, Passed, Preserves, Watching};

/// The host, to which a plugin registers its passes.
///
/// The type contains a pointer to the builder instead of a reference, because a builder can have several `Host` values
/// at the same time. For example, if a plugin requests that the host parses an element, the host calls the parsers of
/// all plugins. Each parser has its own `Host` value.
pub(super) struct Host<'a> {
    /// LLVM's `PassBuilder`.
    builder: *mut c_void,
    while_alive: PhantomData<&'a ()>,
}

unsafe extern "C" {
    fn bpa_accepts(builder: *mut c_void, element: *const u8, length: usize) -> bool;
}

/// Drops a value that C++ returns to Rust.
extern "C" fn drop_boxed<T>(value: Box<T>) {
    drop(value);
}

/// A point in LLVM's own pipelines at which plugins can add passes.
struct ExtensionPoint {
    name: &'static str,
    /// Whether LLVM runs passes on modules instead of functions at this point.
    takes_module_passes: bool,
}

impl Host<'_> {
    /// The address of the pass builder. A closure that a pass builder owns must not assume that a builder at this
    /// address is alive: a host can copy or move a builder with its closures.
    pub fn address(&self) -> usize {
        self.builder as usize
    }

    /// The host at an address.
    ///
    /// # Safety
    ///
    /// A pass builder with this address must be alive while the result is used.
    pub unsafe fn at(address: usize) -> Self {
        Host { builder: address as *mut c_void, while_alive: PhantomData }
    }

    /// Whether the host or a plugin accepts a pipeline element.
    pub fn accepts(&self, element: &str) -> bool {
        // SAFETY: the builder is alive during registration.
        unsafe { bpa_accepts(self.builder, element.as_ptr(), element.len()) }
    }

    /// The names of the extension points.
    pub fn extension_points() -> Vec<&'static str> {
        binding::extension_points().map(|point| point.name).collect()
    }

    /// Adds a pass at `point`, one of [`Host::extension_points`]. `text` is the pass with its options, as the user
    /// typed it. Returns an error if `pass` cannot run at this point.
    pub fn extend(&self, point: &str, pass: Pass, text: &str) -> Result<(), Failure> {
        let found = binding::extension_points().enumerate().find(|(_, known)| known.name == point);
        let (place, ExtensionPoint { takes_module_passes, .. }) =
            found.expect("the extension point is known");
        let pass = if takes_module_passes { pass } else { pass.on_functions()? };
        self.extend_at(place, pass, text);
        Ok(())
    }
}

/// The function that registers the passes of the plugin.
static REGISTER: OnceLock<fn(Host<'_>)> = OnceLock::new();

/// Describes the plugin to the host. The host then calls `register`, and calls it again for every further pass builder.
pub(super) fn describe(name: &'static CStr, version: &'static CStr, register: fn(Host<'_>)) -> PluginInfo {
    REGISTER.get_or_init(|| register);
    binding::describe(name, version)
}

/// Registers the plugin. The host calls this function with a pass builder that is alive during the call.
unsafe extern "C" fn register(builder: *mut c_void) {
    if let Some(register) = REGISTER.get() {
        register(Host { builder, while_alive: PhantomData });
    }
}
