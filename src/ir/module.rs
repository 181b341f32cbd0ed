//! A module in the host's memory as other plugins see it.

use std::borrow::Cow;
use std::mem::ManuallyDrop;

use super::function::Function;
use super::inkwell;
use super::inkwell::values::{AsValueRef, FunctionValue};
use super::live::LiveFunction;
use super::llvm::core::*;
use super::llvm::prelude::*;

/// A whole module in the host's memory, and the functions defined in it; what a pass that
/// [`Registry::add_module_pass`](crate::plugin::Registry::add_module_pass) registers works on.
///
/// It belongs to the host: it is not disposed of with this value, and no execution engine may be made of it.
pub struct Module<'ctx> {
    module: ManuallyDrop<inkwell::module::Module<'ctx>>,
}

impl<'ctx> Module<'ctx> {
    /// The module of LLVM's own reference.
    ///
    /// # Safety
    ///
    /// `module` is a valid module, and stays so for `'ctx`.
    pub(crate) unsafe fn from_raw(module: LLVMModuleRef) -> Self {
        Module { module: ManuallyDrop::new(inkwell::module::Module::new(module)) }
    }

    /// The module for inkwell, by which globals and functions are added and found by name.
    pub fn inkwell(&self) -> &inkwell::module::Module<'ctx> {
        &self.module
    }

    /// The module's name, which is mostly that of a file; what is not UTF-8 in it becomes U+FFFD.
    pub fn name(&self) -> Cow<'_, str> {
        self.module.get_name().to_string_lossy()
    }

    /// The functions that are defined in the module now, in its order, for their profiles among others. Each is read
    /// when its turn comes. Functions that are added meanwhile do not come up, those that were turned into
    /// declarations neither. (To delete one is `unsafe` in inkwell; who does so before its turn must not go on with
    /// this iterator.)
    pub fn functions(&self) -> impl Iterator<Item = Function<'ctx>> {
        let functions: Vec<FunctionValue> = self.module.get_functions().collect();
        functions.into_iter().filter_map(Function::new)
    }

    /// The function of that name; nothing if there is none, or it is only declared.
    pub fn function(&self, name: &str) -> Option<Function<'ctx>> {
        Function::new(self.module.get_function(name)?)
    }

    /// Calls `visit` with each function that is defined in the module, in its order, its blocks numbered.
    pub(crate) fn for_each_live(&self, mut visit: impl FnMut(LiveFunction)) {
        for function in self.definitions() {
            // SAFETY: functions of the module are valid, and nobody changes them meanwhile.
            if let Some(live) = unsafe { LiveFunction::new(function) } {
                visit(live);
            }
        }
    }

    /// All functions with a body, by which it shows that some have come or gone.
    pub(crate) fn definitions(&self) -> Vec<LLVMValueRef> {
        let references = self.module.get_functions().map(|function| function.as_value_ref());
        // SAFETY: functions of the module are valid.
        references.filter(|&function| unsafe { LLVMIsDeclaration(function) } == 0).collect()
    }
}

/// The name of `module` for messages to people.
///
/// # Safety
///
/// `module` is valid.
pub(crate) unsafe fn module_display_name(module: LLVMModuleRef) -> String {
    Module::from_raw(module).name().into_owned()
}
