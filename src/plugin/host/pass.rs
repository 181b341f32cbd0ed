//! A pass, as hosts run it.

use std::sync::Arc;

use crate::ir::llvm::prelude::{LLVMModuleRef, LLVMValueRef};
use crate::ir::{module_display_name, Handles, LiveFunction, Module};
use crate::plugin::failure::Failure;
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
    fn run(&self, live: LiveFunction, cell: &ProfileCell) -> Result<Preserved, Failure>;
}

/// A pass over whole modules, as the host runs it. As a pass of LLVM's own over modules, it is run whatever functions
/// are marked with.
pub(in crate::plugin) trait ModulePass: Send + Sync {
    /// Its name, for messages.
    fn name(&self) -> &str;

    /// Makes sure that it can do its work; called when it is asked for, before anything runs.
    fn prepare(&self) -> Result<(), String> {
        Ok(())
    }

    /// Does its work on `module`.
    fn run(&self, module: &mut Module<'_>) -> Result<Preserved, Failure>;
}

/// What a pipeline element stands for.
#[derive(Clone)]
pub(in crate::plugin) enum AnyPass {
    OnFunctions(Arc<dyn Pass>),
    OnModule(Arc<dyn ModulePass>),
    /// One that has something to say of a module as a whole, and of a function where it stands among passes on
    /// functions.
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

    /// The pass where only one on functions can stand; an error if it is none.
    pub fn on_functions(self) -> Result<Arc<dyn Pass>, String> {
        match self {
            AnyPass::OnFunctions(pass) | AnyPass::Either { functions: pass, .. } => Ok(pass),
            AnyPass::OnModule(pass) => Err(format!(
                "{}: it works on whole modules, and cannot stand among passes on functions",
                pass.name()
            )),
        }
    }
}

/// What a pass leaves as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Preserved {
    /// Everything: the pass has only looked.
    All,
    /// Blocks and edges. Instructions or metadata have changed, and with them probabilities and frequencies.
    ControlFlow,
    /// Nothing. Of a pass over modules, that some functions have come or gone.
    Nothing,
}

/// Reads a pipeline element. Nothing if the name is not the plugin's, an error if the element is not good.
pub(in crate::plugin) type Parse = Arc<dyn Fn(&str) -> Option<Result<AnyPass, String>> + Send + Sync>;

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
            None => Ok(Preserved::All),
        },
    )
}

/// Runs `pass` on `module`. Where functions have come or gone, nothing is preserved, whatever the pass says: what is known
/// of a function that is no more, by us or by LLVM, must not be taken for that of another at its address.
///
/// # Safety
///
/// `module` is a valid module, and stays so meanwhile.
pub(super) unsafe fn run_on_module(pass: &dyn ModulePass, module: LLVMModuleRef) -> Preserved {
    guard(
        || format!("{} on module '{}'", pass.name(), module_display_name(module)),
        || {
            let mut module = Module::from_raw(module);
            let before = module.definitions();
            let handles = Handles::new(&before);
            let preserved = pass.run(&mut module)?;
            let has_changed = module.definitions() != before || !handles.are_alive();
            Ok(if has_changed { Preserved::Nothing } else { preserved })
        },
    )
}
