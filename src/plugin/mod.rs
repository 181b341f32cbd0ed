//! The door: the only room that knows the pass manager.

mod border;
mod host;
mod options;
mod passes;
mod profile;
mod request;

pub use options::{OptionError, ValidOptions};
pub use request::{Analysis, Annotate, Request};

/// Tells the host which names we answer to.
fn register(host: &mut host::Host<'_>) {
    // A logger that the host has installed stays.
    let _ = env_logger::Builder::new().filter_level(log::LevelFilter::Off).parse_default_env().try_init();
    border::silence_panics();
    host.cache_profiles();
    host.answer_to(Request::parse);
}
