//! Registers a plugin once with each pass builder, however often it is loaded.
//!
//! The same file may be loaded twice, or under two names. A copy of it is another image with its own statics, and
//! several plugins may add the passes of the library. They only share the pass builder. So each registration adds a
//! parser for a key, a pipeline element that nobody types, and later ones check whether the builder knows the key.
//! Statics keyed by the builder would not do: another builder may get its address later.

use std::sync::Arc;

use super::pass::{AnyPass, Pass, Preserved};
use super::Host;
use crate::ir::LiveFunction;
use crate::plugin::failure::Failure;
use crate::plugin::profile::ProfileCell;

impl Host<'_> {
    /// Whether nobody has registered `what` with this pass builder before. It is registered from now on.
    pub fn is_first(&self, what: &str) -> bool {
        let key = format!("bpa-mark-{what}");
        if self.knows(&key) {
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

/// The pass that a key is parsed as, which does nothing.
pub(in crate::plugin) struct KeyPass;

impl Pass for KeyPass {
    fn name(&self) -> &str {
        "bpa-mark"
    }

    fn is_required(&self) -> bool {
        false
    }

    fn run(&self, _: LiveFunction, _: &ProfileCell) -> Result<Preserved, Failure> {
        Ok(Preserved::All)
    }
}
