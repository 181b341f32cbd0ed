//! A pass, as hosts run it.

use std::sync::Arc;

use crate::ir::llvm::prelude::LLVMValueRef;
use crate::ir::LiveFunction;
use crate::plugin::guard::guard;
use crate::plugin::profile::ProfileCell;

/// A pass over functions, as the host runs it.
pub(in crate::plugin) trait Pass: Send + Sync {
    /// Its name, for messages.
    fn name(&self) -> &str;

    /// Whether it also covers functions that are marked `optnone`.
    #[cfg_attr(not(own_host), allow(dead_code, reason = "llvm-plugin has no required passes"))]
    fn is_required(&self) -> bool;

    /// Makes sure that it can do its work; called when it is asked for, before anything runs.
    fn prepare(&self) -> Result<(), String> {
        Ok(())
    }

    /// Does its work on `live`, whose profile is in `cell`.
    fn run(&self, live: LiveFunction, cell: &ProfileCell) -> Preserved;
}

/// What a pass leaves as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Preserved {
    /// Everything: the pass has only looked.
    All,
    /// Blocks and edges. Instructions or metadata have changed, and with them probabilities and frequencies.
    ControlFlow,
    /// Nothing.
    Nothing,
}

/// Reads a pipeline element. Nothing if the name is not the plugin's, an error if the element is not good.
pub(in crate::plugin) type Parse = Arc<dyn Fn(&str) -> Option<Result<Arc<dyn Pass>, String>> + Send + Sync>;

/// Runs `pass` on `function`, whose profile is where `cell` says.
///
/// # Safety
///
/// `function` is a valid function, and stays so meanwhile.
pub(super) unsafe fn run<'a>(
    pass: &dyn Pass,
    function: LLVMValueRef,
    cell: impl FnOnce() -> &'a ProfileCell,
) -> Preserved {
    guard(
        || format!("{} on function '{}'", pass.name(), crate::ir::display_name(function)),
        || match LiveFunction::new(function) {
            Some(live) => pass.run(live, cell()),
            None => Preserved::All,
        },
    )
}
