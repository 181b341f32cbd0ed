//! A module in the host's memory, for other plugins.

use std::borrow::Cow;
use std::mem::ManuallyDrop;

use super::function::Function;
use super::inkwell;
use super::inkwell::values::{AsValueRef, FunctionValue};
use super::live::LiveFunction;
use super::llvm::core::*;
use super::llvm::prelude::*;

/// A module in the host's memory with its defined functions. It is the argument of a pass that
/// [`Registry::add_module_pass`](crate::plugin::Registry::add_module_pass) registers.
///
/// The module belongs to the host: dropping this value does not dispose of the module, and no execution engine may
/// be created for it.
pub struct Module<'ctx> {
    module: ManuallyDrop<inkwell::module::Module<'ctx>>,
}

impl<'ctx> Module<'ctx> {
    /// Wraps LLVM's own reference to a module.
    ///
    /// # Safety
    ///
    /// `module` is a valid module, and stays valid for `'ctx`.
    pub(crate) unsafe fn from_raw(module: LLVMModuleRef) -> Self {
        // SAFETY: the caller keeps this function's contract.
        unsafe { Module { module: ManuallyDrop::new(inkwell::module::Module::new(module)) } }
    }

    /// The module as inkwell's value, which can add and find globals and functions.
    pub fn inkwell(&self) -> &inkwell::module::Module<'ctx> {
        &self.module
    }

    /// The module's name, usually a file name. Bytes that are not UTF-8 become U+FFFD.
    pub fn name(&self) -> Cow<'_, str> {
        self.module.get_name().to_string_lossy()
    }

    /// The functions that are currently defined in the module, in the module's order. The iterator reads each function
    /// when it reaches it. It skips functions that were added after this call, and functions that became declarations.
    /// (Deleting a function is `unsafe` in inkwell. After deleting a function that the iterator has not reached, do not
    /// use the iterator any more.)
    pub fn functions(&self) -> impl Iterator<Item = Function<'ctx>> + use<'ctx> {
        let functions: Vec<FunctionValue> = self.module.get_functions().collect();
        functions.into_iter().filter_map(Function::new)
    }

    /// The function `name`. The result is `None` if the module does not define such a function.
    pub fn function(&self, name: &str) -> Option<Function<'ctx>> {
        Function::new(self.module.get_function(name)?)
    }

    /// Calls `visit` with each function that the module defines, in the module's order, with numbered blocks.
    pub(crate) fn for_each_live(&self, mut visit: impl FnMut(LiveFunction)) {
        for function in self.definitions() {
            // SAFETY: functions of the module are valid, and do not change meanwhile.
            if let Some(live) = unsafe { LiveFunction::new(function) } {
                visit(live);
            }
        }
    }

    /// All functions with a body. A later call shows whether functions were added or deleted.
    pub(crate) fn definitions(&self) -> Vec<LLVMValueRef> {
        let references = self.module.get_functions().map(|function| function.as_value_ref());
        // SAFETY: functions of the module are valid.
        references.filter(|&function| unsafe { LLVMIsDeclaration(function) } == 0).collect()
    }
}

/// The name of `module` for messages.
///
/// # Safety
///
/// `module` is valid.
pub(crate) unsafe fn module_display_name(module: LLVMModuleRef) -> String {
    // SAFETY: the caller keeps this function's contract.
    unsafe { Module::from_raw(module).name().into_owned() }
}
