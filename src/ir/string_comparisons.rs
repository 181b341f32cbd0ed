//! Functions of the C library that compare strings or memory, as LLVM's rule about their results knows them.
//!
//! Through LLVM 23 the rule only uses the name: the library info also checks the prototype, but it names the function
//! even if the prototype is wrong, and the rule ignores its verdict. From 24 on a function with a wrong prototype has
//! no name.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMTypeKind;

use super::identifier::value_name;
use bpa_core::dialect::Dialect;

extern "C" {
    fn bpa_index_bits(module: LLVMModuleRef) -> u32;
}

/// The functions, and whether each has a length argument after the two operands.
const STRING_COMPARISONS: [(&str, bool); 6] = [
    ("bcmp", true),
    ("memcmp", true),
    ("strcasecmp", false),
    ("strcmp", false),
    ("strncasecmp", true),
    ("strncmp", true),
];

/// Targets with an `int` of 16 bits. On all other targets of LLVM it has 32.
///
/// LLVM: `TargetLibraryInfoImpl::getIntSize`.
const TARGETS_OF_16_BITS: [&[u8]; 2] = [b"avr", b"msp430"];

/// Which functions count as string comparisons.
#[derive(Clone, Copy)]
pub(super) struct StringComparisons {
    checks_prototypes: bool,
}

impl StringComparisons {
    /// The functions that `dialect` knows.
    pub fn new(dialect: &Dialect) -> Self {
        StringComparisons { checks_prototypes: dialect.checks_library_prototypes }
    }

    /// Whether `function` is one that compares strings or memory.
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

/// Whether `function` has two pointers, and a length if it takes one, as arguments, and returns an `int`.
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

/// Whether `function` has the name of a string comparison, with any prototype.
///
/// # Safety
///
/// `function` is a valid function.
pub(super) unsafe fn has_name_of_one(function: LLVMValueRef) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe { named(function).is_some() }
}

/// Whether `function` takes a length; none if it does not have the name of a string comparison.
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

/// The name of `function` without a leading `\1`, which only prevents mangling.
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
