//! Library functions that compare strings or memory.
//!
//! A function counts if both its name and its prototype are right, whoever defines it. How right the prototype
//! has to be is a matter of the dialect.

use llvm_plugin::inkwell::llvm_sys::core::*;
use llvm_plugin::inkwell::llvm_sys::prelude::*;
use llvm_plugin::inkwell::llvm_sys::target::{LLVMGetModuleDataLayout, LLVMPointerSize};
use llvm_plugin::inkwell::llvm_sys::LLVMTypeKind;
use rustc_hash::FxHashMap;

use super::names::value_name;
use super::LiveFunction;
use crate::dialect::LibraryPrototypes;

/// Knows which functions of a module compare strings.
pub(super) struct StringFunctions {
    prototypes: LibraryPrototypes,
    module: LLVMModuleRef,
    known: FxHashMap<LLVMValueRef, bool>,
}

impl StringFunctions {
    /// For the module of `live`.
    pub fn new(live: &LiveFunction, prototypes: LibraryPrototypes) -> Self {
        StringFunctions { prototypes, module: live.module(), known: FxHashMap::default() }
    }

    /// Whether `function` is one of them.
    ///
    /// # Safety
    ///
    /// `function` is a valid function of the module.
    pub unsafe fn contains(&mut self, function: LLVMValueRef) -> bool {
        if let Some(&answer) = self.known.get(&function) {
            return answer;
        }
        let answer = Signature::of_name(value_name(function, self))
            .is_some_and(|signature| self.has_prototype(function, signature));
        self.known.insert(function, answer);
        answer
    }

    unsafe fn has_prototype(&self, function: LLVMValueRef, signature: Signature) -> bool {
        let prototype = Prototype::of(function);
        match self.prototypes {
            LibraryPrototypes::Exact => {
                prototype.returns(self.int_bits())
                    && prototype.starts_with_pointers()
                    && !prototype.variadic
                    && match signature.length {
                        false => prototype.parameters.len() == 2,
                        true => prototype.parameters.len() == 3 && prototype.is_integer(2, self.size_bits()),
                    }
            }
            LibraryPrototypes::Loose => self.has_loose_prototype(&prototype, signature),
        }
    }

    /// The checks of LLVM 14 and 15, which differ from function to function.
    unsafe fn has_loose_prototype(&self, prototype: &Prototype, signature: Signature) -> bool {
        let count = prototype.parameters.len();
        let same_pointers = || prototype.parameters[0] == prototype.parameters[1];
        if count < 2 || !prototype.starts_with_pointers() {
            return false;
        }
        match signature.name {
            "strcmp" => count == 2 && prototype.returns(32) && same_pointers(),
            "strncmp" => {
                count == 3
                    && prototype.returns(32)
                    && same_pointers()
                    && prototype.is_integer(2, self.size_bits())
            }
            "memcmp" => count == 3 && prototype.returns(32) && prototype.is_integer(2, self.size_bits()),
            "bcmp" => count == 3,
            _ => true,
        }
    }

    /// The width of C's `int` on the target.
    unsafe fn int_bits(&self) -> u32 {
        let triple = std::ffi::CStr::from_ptr(LLVMGetTarget(self.module)).to_bytes();
        let architecture = triple.split(|&c| c == b'-').next().unwrap_or_default();
        if matches!(architecture, b"avr" | b"msp430") {
            16
        } else {
            32
        }
    }

    /// The width of C's `size_t` on the target.
    unsafe fn size_bits(&self) -> u32 {
        LLVMPointerSize(LLVMGetModuleDataLayout(self.module)) * 8
    }
}

/// One of the functions: its name, and whether a length follows the two pointers.
#[derive(Clone, Copy)]
struct Signature {
    name: &'static str,
    length: bool,
}

const SIGNATURES: [Signature; 6] = [
    Signature { name: "bcmp", length: true },
    Signature { name: "memcmp", length: true },
    Signature { name: "strcasecmp", length: false },
    Signature { name: "strcmp", length: false },
    Signature { name: "strncasecmp", length: true },
    Signature { name: "strncmp", length: true },
];

impl Signature {
    /// A leading `\1` only keeps the name from being mangled, and is not part of it.
    fn of_name(name: &[u8]) -> Option<Self> {
        let name = name.strip_prefix(b"\x01").unwrap_or(name);
        SIGNATURES.into_iter().find(|signature| signature.name.as_bytes() == name)
    }
}

/// A function's type, taken apart.
struct Prototype {
    result: LLVMTypeRef,
    parameters: Vec<LLVMTypeRef>,
    variadic: bool,
}

impl Prototype {
    unsafe fn of(function: LLVMValueRef) -> Self {
        let kind = LLVMGlobalGetValueType(function);
        let mut parameters = vec![std::ptr::null_mut(); LLVMCountParamTypes(kind) as usize];
        LLVMGetParamTypes(kind, parameters.as_mut_ptr());
        Prototype { result: LLVMGetReturnType(kind), parameters, variadic: LLVMIsFunctionVarArg(kind) != 0 }
    }

    unsafe fn returns(&self, bits: u32) -> bool {
        is_integer(self.result, bits)
    }

    unsafe fn is_integer(&self, parameter: usize, bits: u32) -> bool {
        is_integer(self.parameters[parameter], bits)
    }

    unsafe fn starts_with_pointers(&self) -> bool {
        let is_pointer = |kind: &LLVMTypeRef| LLVMGetTypeKind(*kind) == LLVMTypeKind::LLVMPointerTypeKind;
        self.parameters.len() >= 2 && self.parameters[..2].iter().all(is_pointer)
    }
}

unsafe fn is_integer(kind: LLVMTypeRef, bits: u32) -> bool {
    LLVMGetTypeKind(kind) == LLVMTypeKind::LLVMIntegerTypeKind && LLVMGetIntTypeWidth(kind) == bits
}
