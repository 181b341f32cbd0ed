//! The door: the only room that knows the pass manager.

mod border;
mod extensions;
mod fault;
mod files;
mod host;
mod options;
mod output;
mod passes;
mod pictures;
mod profile;
mod registry;
mod request;
mod stderr;

use std::sync::Arc;

pub use host::Preserved;
#[doc(hidden)]
pub use host::{c_strings, describe, PluginInfo};
use host::{Host, Pass};
pub use options::{OptionError, ValidOptions};
pub use output::Output;
pub use registry::Registry;
pub use request::{Analysis, Annotate, Form, Print, Request};

/// Adds the passes of `libbpa.so`, so that another plugin may have them too, and whatever `BPA_PIPELINE` asks for. Where
/// another plugin that is loaded has added them, they are there.
pub fn add_passes(registry: &mut Registry<'_>) {
    start_logging();
    if !registry.host.is_first("passes") {
        return;
    }
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
