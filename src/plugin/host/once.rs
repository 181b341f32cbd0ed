//! Once is enough: however often a plugin is loaded, it registers once with each pass builder.
//!
//! The same file may be named twice, or be there under two names, a copy of it is another image with variables of its
//! own, and several plugins may bring the passes of the library. What all of them share is the pass builder. So whoever
//! registers has it answer to a mark, a pipeline element that nobody types, and whoever comes next asks for it. A mark
//! goes with its builder, whose address may be that of another later.

use std::sync::Arc;

use super::pass::{AnyPass, Pass, Preserved};
use super::Host;
use crate::ir::LiveFunction;
use crate::plugin::failure::Failure;
use crate::plugin::profile::ProfileCell;

impl Host<'_> {
    /// Whether `what` has not been marked with this pass builder. It is from now on.
    pub fn is_first(&self, what: &str) -> bool {
        let mark = format!("bpa-mark-{what}");
        if self.knows(&mark) {
            log::debug!("{what} is registered already");
            return false;
        }
        let find = move |element: &str| {
            let pass = AnyPass::OnFunctions(Arc::new(Mark));
            (element == mark).then_some(Ok(pass))
        };
        self.answer_to(Arc::new(find));
        true
    }
}

/// What a mark is read as.
pub(in crate::plugin) struct Mark;

impl Pass for Mark {
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
