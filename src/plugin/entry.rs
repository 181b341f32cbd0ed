//! Defines the symbol that makes a shared object a plugin for the host.

use std::ffi::CStr;
use std::sync::OnceLock;

use super::extensions::VARIABLE;
use super::guard::{guard, silence_panics};
use super::host::{self, Host, PluginInfo};
use super::registry::Registry;
use super::{fault, message};

/// The function that registers the passes of the plugin. A shared object contains at most one plugin.
static REGISTER_PASSES: OnceLock<fn(&mut Registry)> = OnceLock::new();

/// Makes a shared object a plugin. The macro exports the symbol that `opt`, clang and lld look for.
///
/// The first argument is the plugin's name. The plugin's messages begin with this name. The second argument is a
/// function that adds the plugin's passes to a [`Registry`](crate::plugin::Registry). Each shared object must use this
/// macro only once.
///
/// ```
/// use bpa::plugin::Registry;
/// use bpa::BlockFrequency;
///
/// bpa::plugin!("hot-blocks", register);
///
/// fn register(registry: &mut Registry) {
///     registry.add_printer("hot-blocks", |function| {
///         let profile = function.cached_profile();
///         for block in profile.blocks().filter(|&block| profile.frequency(block) > BlockFrequency::UNITY) {
///             eprintln!("{}: {}", function.name(), profile.block_name(block));
///         }
///     });
/// }
/// ```
#[macro_export]
macro_rules! plugin {
    ($name:literal, $register:expr) => {
        /// The host calls this function after it has loaded the plugin.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub extern "C" fn llvmGetPassPluginInfo() -> $crate::plugin::__private::PluginInfo {
            $crate::plugin::__private::describe(
                const { $crate::plugin::__private::c_string(concat!($name, "\0")) },
                const { $crate::plugin::__private::c_string(concat!(env!("CARGO_PKG_VERSION"), "\0")) },
                $register,
            )
        }
    };
}

/// Converts a text that ends with NUL to a C string. The macro [`plugin!`](crate::plugin!) calls this function.
pub const fn c_string(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(string) => string,
        Err(_) => panic!("the name of the plugin contains a NUL"),
    }
}

/// Describes the plugin to the host. The host then calls `register`. The macro [`plugin!`](crate::plugin!) calls this
/// function.
pub fn describe(name: &'static CStr, version: &'static CStr, register: fn(&mut Registry)) -> PluginInfo {
    REGISTER_PASSES.get_or_init(|| register);
    message::begin_with(name.to_str().unwrap_or("plugin"));
    host::check_version();
    host::stay_loaded();
    host::describe(name, version, start)
}

/// Warns when the process ends if the host has loaded the plugin without asking for its passes, as `clang -fplugin=`
/// does. `BPA_PIPELINE` then has no effect.
#[cfg(target_os = "linux")]
#[used]
// SAFETY: the loader calls the functions of this section without arguments when the library is unloaded. The function
// uses only the standard streams and the environment, which are still valid then.
#[unsafe(link_section = ".fini_array")]
static WARN_AT_EXIT: extern "C" fn() = {
    extern "C" fn warn() {
        if REGISTER_PASSES.get().is_none() && std::env::var_os(VARIABLE).is_some_and(|text| !text.is_empty())
        {
            message::print_error(&format!(
                "{VARIABLE} has no effect, because the passes of the plugin were not requested; load the plugin with \
                 -fpass-plugin= (clang), --load-pass-plugin= (lld) or -load-pass-plugin= (opt)"
            ));
        }
    }
    warn
};

/// Registers the passes with a pass builder of the host.
fn start(host: Host<'_>) {
    silence_panics();
    start_logging();
    guard(
        || "registration".to_string(),
        || {
            fault::point("register", None);
            let Some(register) = REGISTER_PASSES.get() else { return Ok(()) };
            // The key is not the plugin's name, because different plugins can have the same name.
            if host.is_first(&format!("image-{:p}", &raw const REGISTER_PASSES)) {
                host.cache_profiles();
                let mut registry = Registry::new(host);
                register(&mut registry);
                registry.finish(message::plugin_name())?;
            }
            Ok(())
        },
    );
}

/// Starts the logger if the environment requests a log. If the host has already started a logger, that logger stays in
/// use.
fn start_logging() {
    // A logger is never freed, so it is created only if the environment requests it.
    if std::env::var_os(env_logger::DEFAULT_FILTER_ENV).is_some() {
        let _ = env_logger::Builder::new().filter_level(log::LevelFilter::Off).parse_default_env().try_init();
    }
}
