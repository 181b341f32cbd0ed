//! Plugins and passes: all code that uses LLVM's pass manager.

mod audit;
mod check;
mod entry;
mod entry_counts;
mod extensions;
mod fault;
mod files;
mod guard;
mod host;
mod message;
mod named_pass;
mod output;
mod passes;
mod pictures;
mod pipeline;
mod profile;
mod registry;
mod remarks;
mod request;
mod score;
mod source_branches;

use std::sync::Arc;

use audit::Auditor;
pub use host::Preserved;
use message::Failure;
pub use registry::Registry;
use request::Request;
pub use request::{OptionError, OptionProblem, Options, ValidOptions};

/// The items that the expansion of the macro [`plugin!`](crate::plugin!) uses. The items are public because other
/// crates expand the macro. The module is hidden because other code must not use these items.
#[doc(hidden)]
pub mod __private {
    pub use super::entry::{c_string, describe};
    pub use super::host::PluginInfo;
}

/// Adds the passes of `libbpa.so` to a plugin. If another loaded plugin has already added these passes, does nothing.
pub fn add_passes(registry: &mut Registry<'_>) {
    if !registry.host.is_first("passes") {
        return;
    }
    let auditor = Arc::new(Auditor::new(registry.host.pass_watch()));
    let parse = move |element: &str| {
        let request = Request::parse(element)?;
        fault::point("parse", None);
        Some(request.map(|request| passes::pass(request, &auditor)).map_err(Failure::from))
    };
    registry.add_parser(Arc::new(parse));
}
