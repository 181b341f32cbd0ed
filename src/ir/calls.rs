//! Reads properties of calls that show how often their block runs.

use std::sync::OnceLock;

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::{LLVMAttributeFunctionIndex, LLVMOpcode};

/// LLVM's numbers for these attributes and this intrinsic. They are constant while the process runs.
struct Numbers {
    cold: u32,
    noreturn: u32,
    deoptimize: u32,
}

fn numbers() -> &'static Numbers {
    static NUMBERS: OnceLock<Numbers> = OnceLock::new();
    // SAFETY: each call gets the start and length of a name.
    NUMBERS.get_or_init(|| unsafe {
        let attribute = |name: &str| LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
        let deoptimize = "llvm.experimental.deoptimize";
        Numbers {
            cold: attribute("cold"),
            noreturn: attribute("noreturn"),
            deoptimize: LLVMLookupIntrinsicID(deoptimize.as_ptr().cast(), deoptimize.len()),
        }
    })
}

/// Reads the attributes and callees of calls.
pub(super) struct Calls {
    numbers: &'static Numbers,
}

impl Calls {
    pub fn new() -> Self {
        Calls { numbers: numbers() }
    }

    /// Whether the call site or its callee has the attribute `cold`.
    ///
    /// # Safety
    ///
    /// `call` is a valid `call` instruction.
    ///
    /// LLVM: `CallBase::hasFnAttr`.
    pub unsafe fn is_cold(&self, call: LLVMValueRef) -> bool {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            has_own_attribute(call, self.numbers.cold)
                || has_attribute(LLVMGetCalledValue(call), self.numbers.cold)
        }
    }

    /// Whether the call site or its callee has the attribute `noreturn`.
    ///
    /// # Safety
    ///
    /// `call` is a valid `call` instruction.
    ///
    /// LLVM: `CallBase::hasFnAttr`.
    pub unsafe fn is_noreturn(&self, call: LLVMValueRef) -> bool {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            has_own_attribute(call, self.numbers.noreturn)
                || has_attribute(LLVMGetCalledValue(call), self.numbers.noreturn)
        }
    }

    /// Whether the call site itself has the attribute `cold`.
    ///
    /// # Safety
    ///
    /// `call` is a valid `call` instruction.
    pub unsafe fn is_cold_here(&self, call: LLVMValueRef) -> bool {
        // SAFETY: the caller keeps this function's contract.
        unsafe { has_own_attribute(call, self.numbers.cold) }
    }

    /// Whether the call site itself has the attribute `noreturn`.
    ///
    /// # Safety
    ///
    /// `call` is a valid `call` instruction.
    pub unsafe fn is_noreturn_here(&self, call: LLVMValueRef) -> bool {
        // SAFETY: the caller keeps this function's contract.
        unsafe { has_own_attribute(call, self.numbers.noreturn) }
    }

    /// Whether `instruction` calls `llvm.experimental.deoptimize`.
    ///
    /// # Safety
    ///
    /// `instruction` is a valid instruction.
    ///
    /// LLVM: `BasicBlock::getTerminatingDeoptimizeCall`.
    pub unsafe fn deoptimizes(&self, instruction: LLVMValueRef) -> bool {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            LLVMGetInstructionOpcode(instruction) == LLVMOpcode::LLVMCall
                && called_function(instruction)
                    .is_some_and(|f| LLVMGetIntrinsicID(f) == self.numbers.deoptimize)
        }
    }
}

/// Whether the call site itself has an attribute.
unsafe fn has_own_attribute(call: LLVMValueRef, attribute: u32) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe { !LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, attribute).is_null() }
}

/// Whether the callee has an attribute. If the callee is a constant bitcast of a function, that function counts.
///
/// LLVM: `CallBase::hasFnAttrOnCalledFunction`.
unsafe fn has_attribute(mut callee: LLVMValueRef, attribute: u32) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        if !LLVMIsAConstantExpr(callee).is_null() && LLVMGetConstOpcode(callee) == LLVMOpcode::LLVMBitCast {
            callee = LLVMGetOperand(callee, 0);
        }
        !LLVMIsAFunction(callee).is_null()
            && !LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, attribute).is_null()
    }
}

/// The function that a call names directly, if the call uses the function's own type.
///
/// # Safety
///
/// `call` is a valid `call` instruction.
///
/// LLVM: `CallBase::getCalledFunction`.
pub(super) unsafe fn called_function(call: LLVMValueRef) -> Option<LLVMValueRef> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let function = LLVMIsAFunction(LLVMGetCalledValue(call));
        let direct =
            !function.is_null() && LLVMGlobalGetValueType(function) == LLVMGetCalledFunctionType(call);
        direct.then_some(function)
    }
}
