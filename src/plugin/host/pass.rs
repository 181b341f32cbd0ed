//! The interface between passes and the host.

use std::sync::Arc;

use super::analyses::FunctionAnalyses;
use crate::ir::llvm::prelude::{LLVMModuleRef, LLVMValueRef};
use crate::ir::{Definitions, FunctionRef, LiveFunction, Module};
use crate::plugin::guard::guard;
use crate::plugin::message::Failure;
use crate::plugin::output::Output;
use crate::plugin::profile::ProfileCell;

/// The pass of a pipeline element. Some passes can run in module pipelines and in function pipelines. In a module
/// pipeline, such a pass prints one report on the whole module. In a function pipeline, such a pass prints a report on
/// each function.
#[derive(Clone)]
pub(in crate::plugin) struct Pass {
    /// The name of the pass, for messages.
    pub name: Arc<str>,
    /// Whether the pass also runs on functions with `optnone`. Like LLVM's own module passes, a pass on modules always
    /// runs, even if functions of the module have this attribute.
    #[cfg_attr(not(own_host), allow(dead_code, reason = "llvm-plugin has no required passes"))]
    pub is_required: bool,
    /// The output file or directory. The host prepares this output while it parses the pipeline, before any pass runs.
    pub output: Option<Output>,
    pub on_function: Option<OnFunction>,
    pub on_module: Option<OnModule>,
}

/// Runs a pass on a function. The [`ProfileCell`] caches the profile of the function.
pub(in crate::plugin) type OnFunction =
    Arc<dyn Fn(LiveFunction<'_>, &ProfileCell) -> Result<Preserved, Failure> + Send + Sync>;

/// Runs a pass on a module. The second argument has the analyses of the module's functions.
pub(in crate::plugin) type OnModule =
    Arc<dyn Fn(&mut Module<'_>, FunctionAnalyses) -> Result<Preserved, Failure> + Send + Sync>;

impl Pass {
    /// A pass without any work.
    pub fn named(name: &str) -> Self {
        Pass { name: name.into(), is_required: false, output: None, on_function: None, on_module: None }
    }

    /// Checks that the output can be written.
    pub fn prepare(&self) -> Result<(), Failure> {
        self.output.as_ref().map_or(Ok(()), Output::prepare)
    }

    /// The pass for a function pipeline. If this is a pass on modules, returns an error.
    pub fn on_functions(self) -> Result<Self, Failure> {
        if self.on_function.is_none() {
            return Err(Failure(format!(
                "{}: this pass works on modules, so it cannot be in a pipeline of function passes",
                self.name
            )));
        }
        Ok(Pass { on_module: None, ..self })
    }
}

/// The analyses that a pass preserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Preserved {
    /// All analyses are preserved. The pass has changed nothing.
    All,
    /// Analyses of blocks and edges are preserved. Probabilities and frequencies are not preserved, because the pass
    /// has changed instructions or metadata.
    ControlFlow,
    /// No analyses are preserved. If the pass works on modules, it can have added or deleted functions.
    Nothing,
}

/// Parses a pipeline element. The result is `None` if the plugin has no pass of this name, and an error if the element
/// is invalid.
pub(in crate::plugin) type Parse = Arc<dyn Fn(&str) -> Option<Result<Pass, Failure>> + Send + Sync>;

/// Runs `pass` on `function`. `cell` returns the cache for the profile of `function`.
///
/// # Safety
///
/// `function` must be a valid function, and must stay valid during the call.
pub(super) unsafe fn run<'a>(
    pass: &Pass,
    function: LLVMValueRef,
    cell: impl FnOnce() -> &'a ProfileCell,
) -> Preserved {
    let Some(on_function) = &pass.on_function else { return Preserved::All };
    // SAFETY: the caller guarantees that the function is valid.
    let function = unsafe { FunctionRef::new(function) };
    guard(
        || format!("{} on function '{}'", pass.name, function.display_name()),
        || match LiveFunction::new(function) {
            Some(live) => on_function(live, cell()),
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
pub(super) unsafe fn run_on_module(
    pass: &Pass,
    module: LLVMModuleRef,
    functions: FunctionAnalyses,
) -> Preserved {
    let Some(on_module) = &pass.on_module else { return Preserved::All };
    // SAFETY: the caller guarantees that the module is valid.
    let mut module = unsafe { Module::from_raw(module) };
    let name = module.name().into_owned();
    guard(
        || format!("{} on module '{name}'", pass.name),
        || {
            let before = Definitions::of(&module);
            let preserved = on_module(&mut module, functions)?;
            Ok(if before.are_those_of(&module) { preserved } else { Preserved::Nothing })
        },
    )
}
