//! Library functions that compare strings or memory.
//!
//! Through LLVM 23 the rule goes by the name alone: the library info that it asks checks the prototype too, but names
//! the function even where the prototype is wrong, and the rule reads the name and not the verdict. From 24 on there is
//! no name without the prototype.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMTypeKind;

use super::identifier::value_name;
use bpa_core::dialect::Dialect;

extern "C" {
    fn bpa_index_bits(module: LLVMModuleRef) -> u32;
}

/// The functions, and whether each is told how much to compare, besides the two things to compare.
const STRING_COMPARISONS: [(&str, bool); 6] = [
    ("bcmp", true),
    ("memcmp", true),
    ("strcasecmp", false),
    ("strcmp", false),
    ("strncasecmp", true),
    ("strncmp", true),
];

/// Targets whose `int` has 16 bits; on all others that LLVM has it has 32.
///
/// LLVM: `TargetLibraryInfoImpl::getIntSize`.
const TARGETS_OF_16_BITS: [&[u8]; 2] = [b"avr", b"msp430"];

/// What is known of library functions.
#[derive(Clone, Copy)]
pub(super) struct Library {
    checks_prototypes: bool,
}

impl Library {
    /// The library as `dialect` knows it.
    pub fn new(dialect: &Dialect) -> Self {
        Library { checks_prototypes: dialect.checks_library_prototypes }
    }

    /// Whether `function` is one that compares strings or memory.
    ///
    /// A leading `\1` only keeps the name from being mangled, and is not part of it.
    ///
    /// # Safety
    ///
    /// `function` is a valid function.
    ///
    /// LLVM: `TargetLibraryInfo::getLibFunc`, `sanitizeFunctionName`.
    pub unsafe fn compares_strings(self, function: LLVMValueRef) -> bool {
        let name = value_name(function, &function);
        let name = name.strip_prefix(b"\x01").unwrap_or(name);
        let known = STRING_COMPARISONS.iter().find(|(known, _)| known.as_bytes() == name);
        known.is_some_and(|&(_, takes_size)| !self.checks_prototypes || has_prototype(function, takes_size))
    }
}

/// Whether `function` takes two pointers, and a size where there is one, and yields an `int`.
///
/// LLVM: `TargetLibraryInfoImpl::isValidProtoForLibFunc`, `matchType`.
unsafe fn has_prototype(function: LLVMValueRef, takes_size: bool) -> bool {
    let module = LLVMGetGlobalParent(function);
    let kind = LLVMGlobalGetValueType(function);
    let mut parameters = [std::ptr::null_mut(); 3];
    let count = 2 + usize::from(takes_size);
    if LLVMIsFunctionVarArg(kind) != 0 || LLVMCountParamTypes(kind) as usize != count {
        return false;
    }
    LLVMGetParamTypes(kind, parameters.as_mut_ptr());
    let is_pointer = |kind: &LLVMTypeRef| LLVMGetTypeKind(*kind) == LLVMTypeKind::LLVMPointerTypeKind;
    parameters[..2].iter().all(is_pointer)
        && parameters[2..count].iter().all(|&size| is_integer(size, bpa_index_bits(module)))
        && is_integer(LLVMGetReturnType(kind), int_bits(module))
}

unsafe fn is_integer(kind: LLVMTypeRef, bits: u32) -> bool {
    LLVMGetTypeKind(kind) == LLVMTypeKind::LLVMIntegerTypeKind && LLVMGetIntTypeWidth(kind) == bits
}

unsafe fn int_bits(module: LLVMModuleRef) -> u32 {
    let triple = std::ffi::CStr::from_ptr(LLVMGetTarget(module)).to_bytes();
    let architecture = triple.split(|&byte| byte == b'-').next().unwrap_or_default();
    if TARGETS_OF_16_BITS.contains(&architecture) {
        16
    } else {
        32
    }
}
