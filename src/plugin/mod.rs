//! The door: the only room that knows the pass manager.

mod border;
mod extensions;
mod fault;
mod host;
mod options;
mod output;
mod passes;
mod profile;
mod request;

pub use options::{OptionError, ValidOptions};
pub use output::Output;
pub use request::{Analysis, Annotate, Form, Print, Request};

/// Called when the host has loaded the plugin, and again for every further pass builder.
fn register(host: &mut host::Host<'_>) {
    border::silence_panics();
    border::guard(|| "registration".to_string(), || introduce(host));
}

/// Tells the host which names we answer to.
fn introduce(host: &mut host::Host<'_>) {
    fault::point("register", None);
    // A logger that the host has installed stays.
    let _ = env_logger::Builder::new().filter_level(log::LevelFilter::Off).parse_default_env().try_init();
    host.cache_profiles();
    host.answer_to(Request::parse);
    extend_pipelines(host);
}

/// Adds what the environment asks for to the pipelines of compilers and linkers, which have no `-passes=`. A request
/// that cannot be met ends the process: nothing is ignored silently.
fn extend_pipelines(host: &mut host::Host<'_>) {
    let Some(text) = std::env::var_os(extensions::VARIABLE) else { return };
    let text = text.to_string_lossy();
    match extensions::parse(&text, &host::Host::extension_points()) {
        Ok(extensions) => {
            for extension in extensions {
                log::debug!("running {} at {}", extension.text, extension.point);
                if let Err(error) = output::prepare(&extension.request) {
                    border::give_up(&error.to_string());
                }
                host.extend(extension.point, extension.request, extension.text);
            }
        }
        Err(error) => border::give_up(&format!("{}: {error}", extensions::VARIABLE)),
    }
}
