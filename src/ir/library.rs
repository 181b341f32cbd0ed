//! Library functions that compare strings or memory.
//!
//! LLVM's rule goes by the name alone: the library info that it asks checks the prototype too, but names the
//! function even where the prototype is wrong, and the rule reads the name and not the verdict.

use crate::ir::llvm::prelude::*;

use super::identifier::value_name;

const STRING_COMPARISONS: [&str; 6] = ["bcmp", "memcmp", "strcasecmp", "strcmp", "strncasecmp", "strncmp"];

/// Whether `function` has the name of one of them.
///
/// A leading `\1` only keeps the name from being mangled, and is not part of it.
///
/// # Safety
///
/// `function` is a valid function.
///
/// LLVM: `TargetLibraryInfo::getLibFunc`, `sanitizeFunctionName`.
pub(super) unsafe fn compares_strings(function: LLVMValueRef) -> bool {
    let name = value_name(function, &function);
    let name = name.strip_prefix(b"\x01").unwrap_or(name);
    STRING_COMPARISONS.iter().any(|known| known.as_bytes() == name)
}
