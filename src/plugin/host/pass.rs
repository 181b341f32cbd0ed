//! The interface between passes and the host.

use std::sync::Arc;

use crate::ir::llvm::prelude::{LLVMModuleRef, LLVMValueRef};
use crate::ir::{Definitions, FunctionRef, LiveFunction, Module};
use crate::plugin::failure::Failure;
use crate::plugin::guard::guard;
use crate::plugin::profile::ProfileCell;

/// A pass on functions.
pub(in crate::plugin) trait Pass: Send + Sync {
    /// The name of the pass, for messages.
    fn name(&self) -> &str;

    /// Whether the pass also runs on functions with `optnone`.
    #[cfg_attr(not(own_host), allow(dead_code, reason = "llvm-plugin has no required passes"))]
    fn is_required(&self) -> bool;

    /// Checks that the pass can run. The host calls this method when it parses the pass, before any pass runs.
    fn prepare(&self) -> Result<(), String> {
        Ok(())
    }

    /// Runs the pass on `live`. `cell` caches the profile of `live`.
    fn run(&self, live: LiveFunction, cell: &ProfileCell) -> Result<Preserved, Failure>;
}

/// A pass on whole modules. Like LLVM's own module passes, the pass also runs if functions of the module have the
/// attribute `optnone`.
pub(in crate::plugin) trait ModulePass: Send + Sync {
    /// The name of the pass, for messages.
    fn name(&self) -> &str;

    /// Checks that the pass can run. The host calls this method when it parses the pass, before any pass runs.
    fn prepare(&self) -> Result<(), String> {
        Ok(())
    }

    /// Runs the pass on `module`.
    fn run(&self, module: &mut Module<'_>) -> Result<Preserved, Failure>;
}

/// The pass of a pipeline element.
#[derive(Clone)]
pub(in crate::plugin) enum AnyPass {
    OnFunctions(Arc<dyn Pass>),
    OnModule(Arc<dyn ModulePass>),
    /// In a module pipeline, this pass prints one report on the whole module. In a function pipeline, this pass prints
    /// a report on each function.
    Either {
        functions: Arc<dyn Pass>,
        module: Arc<dyn ModulePass>,
    },
}

impl AnyPass {
    pub fn prepare(&self) -> Result<(), String> {
        match self {
            AnyPass::OnFunctions(pass) | AnyPass::Either { functions: pass, .. } => pass.prepare(),
            AnyPass::OnModule(pass) => pass.prepare(),
        }
    }

    /// The pass for a function pipeline. If this is a pass on modules, returns an error.
    pub fn on_functions(self) -> Result<Arc<dyn Pass>, String> {
        match self {
            AnyPass::OnFunctions(pass) | AnyPass::Either { functions: pass, .. } => Ok(pass),
            AnyPass::OnModule(pass) => Err(format!(
                "{}: this pass works on whole modules and cannot be used among passes on functions",
                pass.name()
            )),
        }
    }
}

/// The analyses that a pass preserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Preserved {
    /// All analyses are preserved. The pass has changed nothing.
    All,
    /// Analyses of blocks and edges are preserved. The pass has changed instructions or metadata, and therefore
    /// probabilities and frequencies.
    ControlFlow,
    /// No analyses are preserved. A pass on modules may have added or deleted functions.
    Nothing,
}

/// Parses a pipeline element. The result is `None` if the plugin has no pass of this name, and an error if the element
/// is invalid.
pub(in crate::plugin) type Parse = Arc<dyn Fn(&str) -> Option<Result<AnyPass, String>> + Send + Sync>;

/// Runs `pass` on `function`. `cell` returns the cache for the profile of `function`.
///
/// # Safety
///
/// `function` must be a valid function, and must stay valid during the call.
pub(super) unsafe fn run<'a>(
    pass: &dyn Pass,
    function: LLVMValueRef,
    cell: impl FnOnce() -> &'a ProfileCell,
) -> Preserved {
    // SAFETY: the caller guarantees that the function is valid.
    let function_ref = unsafe { FunctionRef::new(function) };
    guard(
        || format!("{} on function '{}'", pass.name(), function_ref.display_name()),
        // SAFETY: the caller guarantees that the function is valid. While a pass on functions uses the `LiveFunction`,
        // the pass adds no blocks.
        || match unsafe { LiveFunction::new(function) } {
            Some(live) => pass.run(live, cell()),
            None => Ok(Preserved::All),
        },
    )
}

/// Runs `pass` on `module`. If functions were added or deleted, the result is [`Preserved::Nothing`]. Cached results
/// about a deleted function must not be used for a new function at the same address.
///
/// # Safety
///
/// `module` must be a valid module, and must stay valid during the call.
pub(super) unsafe fn run_on_module(pass: &dyn ModulePass, module: LLVMModuleRef) -> Preserved {
    // SAFETY: the caller guarantees that the module is valid.
    let mut module = unsafe { Module::from_raw(module) };
    let name = module.name().into_owned();
    guard(
        || format!("{} on module '{name}'", pass.name()),
        || {
            let before = Definitions::of(&module);
            let preserved = pass.run(&mut module)?;
            Ok(if before.are_those_of(&module) { preserved } else { Preserved::Nothing })
        },
    )
}
