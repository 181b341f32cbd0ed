//! Plugins and passes: all code that uses LLVM's pass manager.

mod check;
mod entry;
mod entry_counts;
mod extensions;
mod failure;
mod fault;
mod features;
mod files;
mod guard;
mod hints;
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
mod stderr;

use std::sync::Arc;

use hints::HintsForModule;
pub use host::Preserved;
use host::{AnyPass, ModulePass};
pub use registry::Registry;
use request::{EntryCountRequest, Request};
pub use request::{OptionError, OptionProblem, Options, ValidOptions};
use score::ScoreOfModule;

/// The items that the macro [`plugin!`](crate::plugin!) uses in other crates. The module is hidden because other code
/// must not use these items.
#[doc(hidden)]
pub mod __private {
    pub use super::entry::{c_strings, describe};
    pub use super::host::PluginInfo;
}

/// Adds the passes of `libbpa.so` to a plugin. If another loaded plugin has already added these passes, does nothing.
pub fn add_passes(registry: &mut Registry<'_>) {
    if !registry.host.is_first("passes") {
        return;
    }
    let parse = |element: &str| {
        let request = Request::parse(element)?;
        fault::point("parse", None);
        Some(request.map(pass).map_err(|error| error.to_string()))
    };
    registry.add_parser(Arc::new(parse));
    let parse_module_pass = |element: &str| {
        let request = EntryCountRequest::parse(element)?;
        let pass = request.map(|request| AnyPass::OnModule(Arc::new(request)));
        Some(pass.map_err(|error| error.to_string()))
    };
    registry.add_parser(Arc::new(parse_module_pass));
}

/// Creates the pass that executes `request`.
fn pass(request: Request) -> AnyPass {
    let on_module: Option<Arc<dyn ModulePass>> = match &request {
        Request::Score(how) => Some(Arc::new(ScoreOfModule(how.clone()))),
        Request::Hints(how) => Some(Arc::new(HintsForModule(how.clone()))),
        _ => None,
    };
    let functions = Arc::new(request);
    match on_module {
        Some(module) => AnyPass::Either { functions, module },
        None => AnyPass::OnFunctions(functions),
    }
}
