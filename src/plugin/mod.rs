//! The door: the only room that knows the pass manager.

mod border;
mod extensions;
mod fault;
mod host;
mod options;
mod output;
mod passes;
mod pictures;
mod profile;
mod registry;
mod request;

use std::ffi::CStr;
use std::sync::Arc;

pub use host::Preserved;
#[doc(hidden)]
pub use host::{describe, PluginInfo};
use host::{Host, Pass};
pub use options::{OptionError, ValidOptions};
pub use output::Output;
pub use registry::Registry;
pub use request::{Analysis, Annotate, Form, Print, Request};

/// Adds the passes of `libbpa.so`, so that another plugin may have them too, and whatever `BPA_PIPELINE` asks for.
pub fn add_passes(registry: &mut Registry<'_>) {
    start_logging();
    let parse = |element: &str| {
        let request = Request::parse(element)?;
        Some(request.map(|request| Arc::new(request) as Arc<dyn Pass>).map_err(|error| error.to_string()))
    };
    registry.host.answer_to(Arc::new(parse));
    extend_pipelines(&mut registry.host);
}

/// Logs if the environment asks for it. A logger that the host has installed stays.
fn start_logging() {
    // A logger is never freed, not even when the host unloads the plugin: there is none that nobody asks for.
    if std::env::var_os(env_logger::DEFAULT_FILTER_ENV).is_some() {
        let _ = env_logger::Builder::new().filter_level(log::LevelFilter::Off).parse_default_env().try_init();
    }
}

/// Adds what the environment asks for to the pipelines of compilers and linkers, which have no `-passes=`. A request
/// that cannot be met ends the process: nothing is ignored silently.
fn extend_pipelines(host: &mut Host<'_>) {
    let Some(text) = std::env::var_os(extensions::VARIABLE) else { return };
    let text = text.to_string_lossy();
    match extensions::parse(&text, &Host::extension_points()) {
        Ok(extensions) => {
            for extension in extensions {
                log::debug!("running {} at {}", extension.text, extension.point);
                if let Err(error) = extension.request.prepare() {
                    border::give_up(&error);
                }
                host.extend(extension.point, Arc::new(extension.request), extension.text);
            }
        }
        Err(error) => border::give_up(&format!("{}: {error}", extensions::VARIABLE)),
    }
}

/// Makes the shared object that this is used in a plugin: exports what `opt`, clang and lld look for in one.
///
/// It takes the plugin's name, which messages about it begin with, and a function from a [`Registry`](crate::plugin::Registry)
/// that adds its passes. A shared object is one plugin, so this stands in it once.
///
/// ```
/// use bpa::plugin::Registry;
/// use bpa::BlockFrequency;
///
/// bpa::plugin!("hot-blocks", register);
///
/// fn register(registry: &mut Registry) {
///     registry.add_printer("hot-blocks", |function| {
///         let profile = function.profile();
///         for block in profile.blocks().filter(|&block| profile.frequency(block) > BlockFrequency::UNITY) {
///             eprintln!("{}: {}", function.name(), function.block_name(block));
///         }
///     });
/// }
/// ```
#[macro_export]
macro_rules! plugin {
    ($name:literal, $register:expr) => {
        /// Called by the host when it has loaded the plugin.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub extern "C" fn llvmGetPassPluginInfo() -> $crate::plugin::PluginInfo {
            const TEXTS: [&::std::ffi::CStr; 2] =
                $crate::plugin::c_strings([concat!($name, "\0"), concat!(env!("CARGO_PKG_VERSION"), "\0")]);
            $crate::plugin::describe(TEXTS[0], TEXTS[1], $register)
        }
    };
}

/// Texts for C, which end with a NUL, in [`plugin!`](crate::plugin!).
#[doc(hidden)]
pub const fn c_strings<const N: usize>(texts: [&'static str; N]) -> [&'static CStr; N] {
    let mut strings = [c""; N];
    let mut place = 0;
    while place < N {
        strings[place] = match CStr::from_bytes_with_nul(texts[place].as_bytes()) {
            Ok(string) => string,
            Err(_) => panic!("a name has no NUL in it"),
        };
        place += 1;
    }
    strings
}
