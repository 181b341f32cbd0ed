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
mod pipeline;
mod profile;
mod registry;
mod request;
mod stderr;

use std::sync::Arc;

use host::Pass;
pub use host::Preserved;
#[doc(hidden)]
pub use host::{c_strings, describe, PluginInfo};
pub use options::{OptionError, ValidOptions};
pub use output::Output;
pub use registry::Registry;
pub use request::{Analysis, Annotate, Form, Print, Request};

/// Adds the passes of `libbpa.so`, so that another plugin may have them too. Where a plugin that is loaded already has
/// added them, they are there.
pub fn add_passes(registry: &mut Registry<'_>) {
    if !registry.host.is_first("passes") {
        return;
    }
    let parse = |element: &str| {
        let request = Request::parse(element)?;
        fault::point("parse", None);
        Some(request.map(|request| Arc::new(request) as Arc<dyn Pass>).map_err(|error| error.to_string()))
    };
    registry.answer_to(Arc::new(parse));
}
