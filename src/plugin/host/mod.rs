//! The seam to the host's pass manager.
//!
//! What passes need of it is small: register names, run on functions, keep a profile for each, say what is
//! preserved, stand at an extension point. Behind the seam stands llvm-plugin, which reaches LLVM 18, and from LLVM 19
//! on our own C++. Both have a `Host` with the same functions, and nothing above the seam knows which one it has.

mod entry;
#[cfg(not(own_host))]
mod llvm_plugin_host;
mod once;
#[cfg(own_host)]
mod own_host;
mod version;

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

pub use entry::c_strings;
#[cfg(not(own_host))]
pub use llvm_plugin_host::{describe, PluginInfo};
pub(super) use once::Mark;
#[cfg(own_host)]
pub use own_host::{describe, PluginInfo};

#[cfg(not(own_host))]
pub(super) use llvm_plugin_host::Host;
#[cfg(own_host)]
pub(super) use own_host::Host;

use super::border::{complain, guard};
use super::fault;
use super::profile::ProfileCell;
use super::registry::Registry;
use crate::ir::llvm::prelude::LLVMValueRef;
use crate::ir::LiveFunction;

/// A pass over functions, as the host runs it.
pub(super) trait Pass: Send + Sync {
    /// Its name, for messages.
    fn name(&self) -> &str;

    /// Whether it also covers functions that are marked `optnone`.
    #[cfg_attr(not(own_host), allow(dead_code, reason = "llvm-plugin has no required passes"))]
    fn is_required(&self) -> bool;

    /// Makes sure that it can do its work; called when it is asked for, before anything runs.
    fn prepare(&self) -> Result<(), String> {
        Ok(())
    }

    /// Does its work on `live`, whose profile is in `cell`.
    fn run(&self, live: LiveFunction, cell: &ProfileCell) -> Preserved;
}

/// What a pass leaves as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Preserved {
    /// Everything: the pass has only looked.
    All,
    /// Blocks and edges. Instructions or metadata have changed, and with them probabilities and frequencies.
    ControlFlow,
    /// Nothing.
    Nothing,
}

/// Reads a pipeline element. Nothing if the name is not the plugin's, an error if the element is not good.
pub(super) type Parse = Arc<dyn Fn(&str) -> Option<Result<Arc<dyn Pass>, String>> + Send + Sync>;

/// The plugin that this library is part of: there is one in a shared object.
static PLUGIN: OnceLock<Plugin> = OnceLock::new();

struct Plugin {
    name: &'static str,
    register: fn(&mut Registry),
}

/// The name of the plugin, which its messages begin with.
pub(super) fn plugin_name() -> &'static str {
    PLUGIN.get().map_or(env!("CARGO_PKG_NAME"), |plugin| plugin.name)
}

/// Logs if the environment asks for it. A logger that the host has installed stays.
fn start_logging() {
    // A logger is never freed, not even when the host unloads the plugin: there is none that nobody asks for.
    if std::env::var_os(env_logger::DEFAULT_FILTER_ENV).is_some() {
        let _ = env_logger::Builder::new().filter_level(log::LevelFilter::Off).parse_default_env().try_init();
    }
}

/// Called when the host has loaded the plugin, and again for every further pass builder.
fn register(mut host: Host<'_>) {
    super::border::silence_panics();
    start_logging();
    guard(
        || "registration".to_string(),
        || {
            fault::point("register", None);
            let Some(plugin) = PLUGIN.get() else { return };
            // Not by its name: plugins of one name are different plugins.
            if host.is_first(&format!("image-{:p}", &raw const PLUGIN)) {
                host.cache_profiles();
                let mut registry = Registry::new(host);
                (plugin.register)(&mut registry);
                registry.finish(plugin.name);
            }
        },
    );
}

extern "C" {
    fn bpa_end_process() -> !;
}

/// Ends the process as a failure, and leaves no file behind that is not finished.
pub(super) fn end_process() -> ! {
    // SAFETY: LLVM removes files so by itself when it is interrupted, at any time and from any thread.
    unsafe { bpa_end_process() }
}

/// Runs `pass` on `function`, whose profile is where `cell` says.
///
/// # Safety
///
/// `function` is a valid function, and stays so meanwhile.
unsafe fn run<'a>(
    pass: &dyn Pass,
    function: LLVMValueRef,
    cell: impl FnOnce() -> &'a ProfileCell,
) -> Preserved {
    guard(
        || format!("{} on function '{}'", pass.name(), crate::ir::display_name(function)),
        || match LiveFunction::new(function) {
            Some(live) => pass.run(live, cell()),
            None => Preserved::All,
        },
    )
}

/// Reports bad elements, each once: the host offers an element that nobody takes to every parser it has. It then
/// refuses the pipeline by itself.
#[derive(Default)]
struct ErrorReport {
    reported: RefCell<Option<Vec<u8>>>,
}

impl ErrorReport {
    /// Reads a pipeline element, with `parse` if it is text. Nothing if it is not ours or not good.
    fn pass(&self, element: &[u8], has_parentheses: bool, parse: &Parse) -> Option<Arc<dyn Pass>> {
        guard(
            || format!("reading '{}'", element.escape_ascii()),
            || {
                let text = String::from_utf8_lossy(element);
                let error = match parse(&text)? {
                    Ok(_) if matches!(text, Cow::Owned(_)) => format!("'{text}' is not UTF-8"),
                    Ok(_) if has_parentheses => format!("{text}: it takes no passes in parentheses"),
                    Ok(pass) => match pass.prepare() {
                        Ok(()) => return Some(pass),
                        Err(error) => error,
                    },
                    Err(error) => error,
                };
                let mut reported = self.reported.borrow_mut();
                if reported.as_deref() != Some(element) {
                    complain(&error);
                    *reported = Some(element.to_vec());
                }
                None
            },
        )
    }
}
