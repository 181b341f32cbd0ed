//! Functions of the C library that compare strings or memory, for LLVM's rule about the results of such functions.
//!
//! Through LLVM 23, the rule only uses the name. LLVM's library info also checks the prototype, but it returns the
//! function even if the prototype is wrong, and the rule ignores the result of the check. From LLVM 24 on, the library
//! info does not return a function with a wrong prototype.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMTypeKind;

use super::identifier::value_name;
use bpa_core::dialect::Dialect;

unsafe extern "C" {
    fn bpa_index_bits(module: LLVMModuleRef) -> u32;
}

/// The name of each function, and whether it has a length argument after the two operands.
const STRING_COMPARISONS: [(&str, bool); 6] = [
    ("bcmp", true),
    ("memcmp", true),
    ("strcasecmp", false),
    ("strcmp", false),
    ("strncasecmp", true),
    ("strncmp", true),
];

/// The targets with a 16-bit `int`. All other targets of LLVM have a 32-bit `int`.
///
/// LLVM: `TargetLibraryInfoImpl::getIntSize`.
const TARGETS_OF_16_BITS: [&[u8]; 2] = [b"avr", b"msp430"];

/// Decides which functions count as string comparisons.
#[derive(Clone, Copy)]
pub(super) struct StringComparisons {
    checks_prototypes: bool,
}

impl StringComparisons {
    /// The rule of `dialect`.
    pub fn new(dialect: &Dialect) -> Self {
        StringComparisons { checks_prototypes: dialect.checks_library_prototypes }
    }

    /// Whether `function` compares strings or memory.
    ///
    /// # Safety
    ///
    /// `function` is a valid function.
    ///
    /// LLVM: `TargetLibraryInfo::getLibFunc`.
    pub unsafe fn contain(self, function: LLVMValueRef) -> bool {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            named(function)
                .is_some_and(|takes_size| !self.checks_prototypes || has_prototype(function, takes_size))
        }
    }
}

/// Whether `function` takes two pointers, and a length if `takes_size`, and returns an `int`.
///
/// LLVM: `TargetLibraryInfoImpl::isValidProtoForLibFunc`, `matchType`.
unsafe fn has_prototype(function: LLVMValueRef, takes_size: bool) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
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
}

unsafe fn is_integer(kind: LLVMTypeRef, bits: u32) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe { LLVMGetTypeKind(kind) == LLVMTypeKind::LLVMIntegerTypeKind && LLVMGetIntTypeWidth(kind) == bits }
}

unsafe fn int_bits(module: LLVMModuleRef) -> u32 {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let triple = std::ffi::CStr::from_ptr(LLVMGetTarget(module)).to_bytes();
        let architecture = triple.split(|&byte| byte == b'-').next().unwrap_or_default();
        if TARGETS_OF_16_BITS.contains(&architecture) {
            16
        } else {
            32
        }
    }
}

/// Whether `function` has the name of a string comparison. The prototype is not checked.
///
/// # Safety
///
/// `function` is a valid function.
pub(super) unsafe fn has_string_comparison_name(function: LLVMValueRef) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe { named(function).is_some() }
}

/// Whether `function` takes a length. The result is `None` if it does not have the name of a string comparison.
unsafe fn named(function: LLVMValueRef) -> Option<bool> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let name = library_name(function);
        STRING_COMPARISONS
            .iter()
            .find(|(known, _)| known.as_bytes() == name)
            .map(|&(_, takes_size)| takes_size)
    }
}

/// The name of `function` without a leading `\1`. That prefix only prevents mangling.
///
/// # Safety
///
/// `function` is a valid function.
///
/// LLVM: `sanitizeFunctionName`.
pub(super) unsafe fn library_name<'a>(function: LLVMValueRef) -> &'a [u8] {
    let name = value_name(function, &());
    name.strip_prefix(b"\x01").unwrap_or(name)
}
