//! The public type for a module in the host's memory. Other plugins use this type.

use std::borrow::Cow;
use std::mem::ManuallyDrop;

use super::function::Function;
use super::handles::Handles;
use super::inkwell;
use super::inkwell::context::ContextRef;
use super::inkwell::module::Linkage;
use super::inkwell::types::FunctionType;
use super::inkwell::values::FunctionValue;
use super::live::LiveFunction;
use super::llvm::prelude::{LLVMModuleRef, LLVMValueRef};
use super::value::{FunctionRef, Value};

/// A module in the host's memory. Passes of the method `add_module_pass` of a registry receive a value of this type.
///
/// The module belongs to the host. Dropping this value does not dispose of the module.
pub struct Module<'ctx> {
    module: ManuallyDrop<inkwell::module::Module<'ctx>>,
}

impl<'ctx> Module<'ctx> {
    /// Wraps LLVM's own reference to a module.
    ///
    /// # Safety
    ///
    /// `module` must be a valid module, and must stay valid for `'ctx`.
    pub(crate) unsafe fn from_raw(module: LLVMModuleRef) -> Self {
        // SAFETY: the caller guarantees that the module is valid.
        unsafe { Module { module: ManuallyDrop::new(inkwell::module::Module::new(module)) } }
    }

    /// The module as inkwell's type.
    ///
    /// # Safety
    ///
    /// The module belongs to the host. The caller must not create an execution engine for the module or link the module
    /// into another module, because both would dispose of the module.
    pub unsafe fn inkwell(&self) -> &inkwell::module::Module<'ctx> {
        &self.module
    }

    /// LLVM's own reference to the module.
    pub fn as_raw(&self) -> LLVMModuleRef {
        self.module.as_mut_ptr()
    }

    /// The context of the module, which creates types, attributes and builders.
    pub fn context(&self) -> ContextRef<'ctx> {
        self.module.get_context()
    }

    /// Adds a function without a body. If the name is in use, LLVM appends a number to the name.
    pub fn add_function(
        &mut self,
        name: &str,
        signature: FunctionType<'ctx>,
        linkage: Option<Linkage>,
    ) -> FunctionValue<'ctx> {
        self.module.add_function(name, signature, linkage)
    }

    /// The module's name, usually a file name. Bytes that are not UTF-8 become U+FFFD.
    pub fn name(&self) -> Cow<'_, str> {
        self.module.get_name().to_string_lossy()
    }

    /// The functions that are currently defined in the module, in the module's order. The iterator skips functions that
    /// were added after this call, and functions that have become declarations. Deleting a function is `unsafe` in
    /// inkwell. If you delete a function that the iterator has not yet returned, do not use the iterator any more.
    pub fn functions(&self) -> impl Iterator<Item = Function<'ctx>> + use<'ctx> {
        let functions: Vec<FunctionValue> = self.module.get_functions().collect();
        functions.into_iter().filter_map(Function::new)
    }

    /// The function `name`. The result is `None` if the module does not define this function.
    pub fn function(&self, name: &str) -> Option<Function<'ctx>> {
        Function::new(self.module.get_function(name)?)
    }

    /// The functions that the module defines, in the module's order. The blocks of each function are numbered.
    pub(crate) fn live_functions(&self) -> impl Iterator<Item = LiveFunction<'_>> {
        self.definitions().into_iter().filter_map(LiveFunction::new)
    }

    /// Visits the functions that the module defines, in the module's order. The blocks of a function are
    /// numbered before `visit` gets the function.
    pub(crate) fn for_each_live(&self, visit: impl FnMut(LiveFunction<'_>)) {
        self.live_functions().for_each(visit);
    }

    /// All functions with a body.
    fn definitions(&self) -> Vec<FunctionRef<'_>> {
        let functions = self.module.get_functions().map(FunctionRef::of);
        functions.filter(|function| !function.is_declaration()).collect()
    }
}

/// The functions that a module defined when this value was created. If functions are added or deleted, the
/// module's current functions differ from this list.
pub(crate) struct Definitions {
    addresses: Vec<LLVMValueRef>,
    handles: Handles,
}

impl Definitions {
    /// The functions that `module` defines now.
    pub fn of(module: &Module) -> Self {
        let values: Vec<Value> = module.definitions().into_iter().map(|function| *function).collect();
        Definitions { addresses: addresses(module), handles: Handles::new(&values) }
    }

    /// Whether `module` still defines these functions and no other functions.
    pub fn are_those_of(&self, module: &Module) -> bool {
        addresses(module) == self.addresses && self.handles.are_alive()
    }
}

fn addresses(module: &Module) -> Vec<LLVMValueRef> {
    module.definitions().into_iter().map(|function| function.raw()).collect()
}
