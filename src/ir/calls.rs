//! Reads the attributes and the callee of a call, because they show how often the block of the call runs.

use std::sync::OnceLock;

use crate::ir::llvm::core::*;
use crate::ir::llvm::{LLVMAttributeFunctionIndex, LLVMOpcode};

use super::value::Instruction;

/// LLVM's IDs of two attributes and an intrinsic. These IDs are constant while the process runs.
struct Numbers {
    cold: u32,
    noreturn: u32,
    deoptimize: u32,
}

fn numbers() -> &'static Numbers {
    static NUMBERS: OnceLock<Numbers> = OnceLock::new();
    // SAFETY: both functions of LLVM get a pointer to a name and the length of this name.
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
    /// LLVM: `CallBase::hasFnAttr`.
    pub fn is_cold(&self, call: Instruction) -> bool {
        self.is_cold_here(call) || callee_has_attribute(call, self.numbers.cold)
    }

    /// Whether the call site or its callee has the attribute `noreturn`.
    ///
    /// LLVM: `CallBase::hasFnAttr`.
    pub fn is_noreturn(&self, call: Instruction) -> bool {
        self.is_noreturn_here(call) || callee_has_attribute(call, self.numbers.noreturn)
    }

    /// Whether the call site itself has the attribute `cold`.
    pub fn is_cold_here(&self, call: Instruction) -> bool {
        has_own_attribute(call, self.numbers.cold)
    }

    /// Whether the call site itself has the attribute `noreturn`.
    pub fn is_noreturn_here(&self, call: Instruction) -> bool {
        has_own_attribute(call, self.numbers.noreturn)
    }

    /// Whether `instruction` calls `llvm.experimental.deoptimize`.
    ///
    /// LLVM: `BasicBlock::getTerminatingDeoptimizeCall`.
    pub fn deoptimizes(&self, instruction: Instruction) -> bool {
        instruction.opcode() == LLVMOpcode::LLVMCall
            && instruction.called_function().is_some_and(|f| f.intrinsic() == self.numbers.deoptimize)
    }
}

/// Whether the call site itself has an attribute.
fn has_own_attribute(call: Instruction, attribute: u32) -> bool {
    // SAFETY: the instruction is a call, and LLVM accepts every attribute ID.
    call.calls()
        && unsafe {
            !LLVMGetCallSiteEnumAttribute(call.raw(), LLVMAttributeFunctionIndex, attribute).is_null()
        }
}

/// Whether the callee of `call` has the attribute `attribute`. If the callee is a constant bitcast of a function, the
/// attribute is read from that function.
///
/// LLVM: `CallBase::hasFnAttrOnCalledFunction`.
fn callee_has_attribute(call: Instruction, attribute: u32) -> bool {
    let Some(mut callee) = call.callee() else { return false };
    if callee.constant_opcode() == Some(LLVMOpcode::LLVMBitCast) {
        callee = callee.operand(0);
    }
    // SAFETY: the value is a function, and LLVM accepts every attribute ID.
    callee.is_function()
        && unsafe {
            !LLVMGetEnumAttributeAtIndex(callee.raw(), LLVMAttributeFunctionIndex, attribute).is_null()
        }
}
