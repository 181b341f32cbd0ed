//! Registers a plugin only once with each pass builder, even if the plugin is loaded several times.
//!
//! A file may be loaded twice. If copies of a file have different names, each copy has its own static variables.
//! Several plugins may also add the passes of this library. The pass builder is the only object that all loaded copies
//! and plugins share. Each registration therefore adds a parser for a key, which is a pipeline element that no user
//! types. A later registration checks whether the builder already parses this key. A static table of builder addresses
//! would be wrong, because a later builder may have the same address.

use std::sync::Arc;

use super::pass::{AnyPass, Pass, Preserved};
use super::Host;
use crate::ir::LiveFunction;
use crate::plugin::failure::Failure;
use crate::plugin::profile::ProfileCell;

impl Host<'_> {
    /// Registers `what` with this pass builder. Returns false if `what` has already been registered.
    pub fn is_first(&self, what: &str) -> bool {
        let key = format!("bpa-registered-{what}");
        if self.accepts(&key) {
            log::debug!("{what} is registered already");
            return false;
        }
        let find = move |element: &str| {
            let pass = AnyPass::OnFunctions(Arc::new(KeyPass));
            (element == key).then_some(Ok(pass))
        };
        self.add_parser(Arc::new(find));
        true
    }
}

/// The pass that belongs to a key. It does nothing.
pub(in crate::plugin) struct KeyPass;

impl Pass for KeyPass {
    fn name(&self) -> &str {
        "bpa-registered"
    }

    fn is_required(&self) -> bool {
        false
    }

    fn run(&self, _: LiveFunction, _: &ProfileCell) -> Result<Preserved, Failure> {
        Ok(Preserved::All)
    }
}
