//! Functions of the C library that compare strings or memory. LLVM has a rule about the results of these functions.
//!
//! Up to LLVM 23, the rule uses only the name of the function. LLVM's library info also checks the prototype, but the
//! rule ignores the result of this check. From LLVM 24 on, the library info does not find a function with a wrong
//! prototype.

use std::ffi::CStr;

use super::value::{FunctionRef, Type};
use crate::ir::llvm::core::LLVMGetTarget;
use crate::ir::llvm::prelude::LLVMModuleRef;
use bpa_core::dialect::Dialect;
use bpa_core::features::Library;

unsafe extern "C" {
    fn bpa_index_bits(module: LLVMModuleRef) -> u32;
}

/// The name of each function, and whether the function has a third parameter, the length.
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
    /// Identifies string comparison functions as the LLVM version of `dialect` does.
    pub fn new(dialect: &Dialect) -> Self {
        StringComparisons { checks_prototypes: dialect.checks_library_prototypes }
    }

    /// Whether `function` is a string comparison function, such as `strcmp` or `memcmp`.
    ///
    /// LLVM: `TargetLibraryInfo::getLibFunc`.
    pub fn contain(self, function: FunctionRef) -> bool {
        named(function)
            .is_some_and(|takes_size| !self.checks_prototypes || has_prototype(function, takes_size))
    }
}

/// Whether `function` takes two pointers and returns an `int`. If `takes_size` is true, `function` must also take a
/// length.
///
/// LLVM: `TargetLibraryInfoImpl::isValidProtoForLibFunc`, `matchType`.
fn has_prototype(function: FunctionRef, takes_size: bool) -> bool {
    let signature = function.signature();
    let (Some(parameters), Some(result)) = (signature.parameters(), signature.result()) else { return false };
    let has_bits = |kind: Type, bits| kind.integer_bits() == Some(bits);
    // SAFETY: a function that is called or compared belongs to a module.
    let (index_bits, int_bits) = unsafe { (bpa_index_bits(function.module()), int_bits(function.module())) };
    let is_there = match (&parameters[..], takes_size) {
        ([left, right], false) => left.is_pointer() && right.is_pointer(),
        ([left, right, size], true) => left.is_pointer() && right.is_pointer() && has_bits(*size, index_bits),
        _ => false,
    };
    is_there && has_bits(result, int_bits)
}

/// # Safety
///
/// The module must be valid.
unsafe fn int_bits(module: LLVMModuleRef) -> u32 {
    // SAFETY: the module is valid, and its triple ends with NUL.
    let triple = unsafe { CStr::from_ptr(LLVMGetTarget(module)) }.to_bytes();
    let architecture = triple.split(|&byte| byte == b'-').next().unwrap_or_default();
    if TARGETS_OF_16_BITS.contains(&architecture) {
        16
    } else {
        32
    }
}

/// Whether `function` has the name of a string comparison. The prototype of the function is not checked.
pub(super) fn has_string_comparison_name(function: FunctionRef) -> bool {
    named(function).is_some()
}

/// Whether `function` takes a length. Returns `None` if `function` does not have the name of a string comparison.
fn named(function: FunctionRef) -> Option<bool> {
    let name = library_name(function);
    STRING_COMPARISONS.iter().find(|(known, _)| known.as_bytes() == name).map(|&(_, takes_size)| takes_size)
}

/// The name of `function` without a leading `\1`. LLVM uses this prefix to prevent mangling of the name.
///
/// LLVM: `sanitizeFunctionName`.
pub(super) fn library_name(function: FunctionRef<'_>) -> &[u8] {
    let name = function.name();
    name.strip_prefix(b"\x01").unwrap_or(name)
}

/// Classifies `function` as a kind of C library function, by its name. Predictors use the kinds as features.
pub(super) fn library_kind(function: FunctionRef) -> Library {
    match library_name(function) {
        b"aligned_alloc" | b"calloc" | b"malloc" | b"mmap" | b"posix_memalign" | b"realloc" | b"strdup"
        | b"strndup" | b"_Znwm" | b"_Znam" => Library::Allocates,
        b"_IO_getc" | b"fgetc" | b"fgets" | b"fopen" | b"fread" | b"fscanf" | b"getc" | b"getchar"
        | b"getline" | b"getopt" | b"getopt_long" | b"open" | b"read" | b"recv" | b"__isoc99_fscanf"
        | b"__isoc99_sscanf" | b"sscanf" => Library::Reads,
        b"close" | b"fclose" | b"fflush" | b"fprintf" | b"fputc" | b"fputs" | b"fseek" | b"fwrite"
        | b"printf" | b"putc" | b"putchar" | b"puts" | b"send" | b"snprintf" | b"sprintf" | b"write" => {
            Library::Writes
        }
        b"getenv" | b"memchr" | b"strchr" | b"strcspn" | b"strlen" | b"strpbrk" | b"strrchr" | b"strspn"
        | b"strstr" | b"strtol" => Library::Searches,
        b"isalnum" | b"isalpha" | b"iscntrl" | b"isdigit" | b"isgraph" | b"islower" | b"isprint"
        | b"ispunct" | b"isspace" | b"isupper" | b"isxdigit" | b"tolower" | b"toupper" | b"__ctype_b_loc" => {
            Library::Classifies
        }
        _ if has_string_comparison_name(function) => Library::Compares,
        _ => Library::None,
    }
}
