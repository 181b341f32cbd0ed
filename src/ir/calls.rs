//! Calls that say how often their block runs.

use llvm_plugin::inkwell::llvm_sys::core::*;
use llvm_plugin::inkwell::llvm_sys::prelude::*;
use llvm_plugin::inkwell::llvm_sys::{LLVMAttributeFunctionIndex, LLVMOpcode};

use crate::snapshot::Marks;

/// Reads the attributes and callees of calls.
pub(super) struct Calls {
    cold: u32,
    noreturn: u32,
    deoptimize: u32,
}

impl Calls {
    /// Looks up the numbers behind the names.
    pub fn new() -> Self {
        // SAFETY: each call gets the start and length of a name.
        unsafe {
            let attribute = |name: &str| LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let deoptimize = "llvm.experimental.deoptimize";
            Calls {
                cold: attribute("cold"),
                noreturn: attribute("noreturn"),
                deoptimize: LLVMLookupIntrinsicID(deoptimize.as_ptr().cast(), deoptimize.len()),
            }
        }
    }

    /// What `call` says of its block.
    ///
    /// # Safety
    ///
    /// `call` is a valid `call` instruction.
    pub unsafe fn marks(&self, call: LLVMValueRef) -> Marks {
        let mut marks = Marks::default();
        if has_attribute(call, self.cold) {
            marks.add(Marks::COLD_CALL);
        }
        if has_attribute(call, self.noreturn) {
            marks.add(Marks::NORETURN_CALL);
        }
        marks
    }

    /// Whether `instruction` calls `llvm.experimental.deoptimize`.
    ///
    /// # Safety
    ///
    /// `instruction` is a valid instruction.
    pub unsafe fn deoptimizes(&self, instruction: LLVMValueRef) -> bool {
        LLVMGetInstructionOpcode(instruction) == LLVMOpcode::LLVMCall
            && called_function(instruction).is_some_and(|f| LLVMGetIntrinsicID(f) == self.deoptimize)
    }
}

/// Whether the call site or else the function it names carries an attribute. A constant bitcast around the function
/// is looked through.
unsafe fn has_attribute(call: LLVMValueRef, attribute: u32) -> bool {
    if !LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, attribute).is_null() {
        return true;
    }
    let mut callee = LLVMGetCalledValue(call);
    if !LLVMIsAConstantExpr(callee).is_null() && LLVMGetConstOpcode(callee) == LLVMOpcode::LLVMBitCast {
        callee = LLVMGetOperand(callee, 0);
    }
    !LLVMIsAFunction(callee).is_null()
        && !LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, attribute).is_null()
}

/// The function that a call names directly and with its own type.
///
/// # Safety
///
/// `call` is a valid `call` instruction.
pub(super) unsafe fn called_function(call: LLVMValueRef) -> Option<LLVMValueRef> {
    let function = LLVMIsAFunction(LLVMGetCalledValue(call));
    let direct = !function.is_null() && LLVMGlobalGetValueType(function) == LLVMGetCalledFunctionType(call);
    direct.then_some(function)
}
