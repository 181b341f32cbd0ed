//! Functions of the C library, by their names.
//!
//! LLVM's rule about those that compare strings or memory goes by the name alone: the library info that it asks checks the prototype too, but names the
//! function even where the prototype is wrong, and the rule reads the name and not the verdict.

use crate::ir::llvm::prelude::*;

use super::identifier::value_name;
use bpa_core::features::Library;

const STRING_COMPARISONS: [&str; 6] = ["bcmp", "memcmp", "strcasecmp", "strcmp", "strncasecmp", "strncmp"];

/// Functions of other sorts, which predictors look at.
const OTHERS: [(Library, &[&str]); 5] = [
    (
        Library::Allocates,
        &[
            "aligned_alloc",
            "calloc",
            "malloc",
            "mmap",
            "posix_memalign",
            "realloc",
            "strdup",
            "strndup",
            "_Znwm",
            "_Znam",
        ],
    ),
    (
        Library::Reads,
        &[
            "_IO_getc",
            "fgetc",
            "fgets",
            "fopen",
            "fread",
            "fscanf",
            "getc",
            "getchar",
            "getline",
            "getopt",
            "getopt_long",
            "open",
            "read",
            "recv",
            "__isoc99_fscanf",
            "__isoc99_sscanf",
            "sscanf",
        ],
    ),
    (
        Library::Writes,
        &[
            "close", "fclose", "fflush", "fprintf", "fputc", "fputs", "fseek", "fwrite", "printf", "putc",
            "putchar", "puts", "send", "snprintf", "sprintf", "write",
        ],
    ),
    (
        Library::Searches,
        &[
            "getenv", "memchr", "strchr", "strcspn", "strlen", "strpbrk", "strrchr", "strspn", "strstr",
            "strtol",
        ],
    ),
    (
        Library::Classifies,
        &[
            "isalnum",
            "isalpha",
            "iscntrl",
            "isdigit",
            "isgraph",
            "islower",
            "isprint",
            "ispunct",
            "isspace",
            "isupper",
            "isxdigit",
            "tolower",
            "toupper",
            "__ctype_b_loc",
        ],
    ),
];

/// What sort of function of the C library `function` is, by its name.
///
/// # Safety
///
/// `function` is a valid function.
pub(super) unsafe fn kind(function: LLVMValueRef) -> Library {
    if compares_strings(function) {
        return Library::Compares;
    }
    let name = library_name(function);
    let has_name = |names: &[&str]| names.iter().any(|known| known.as_bytes() == name);
    OTHERS.iter().find(|(_, names)| has_name(names)).map_or(Library::None, |&(kind, _)| kind)
}

/// Whether `function` has the name of one of them.
///
/// # Safety
///
/// `function` is a valid function.
///
/// LLVM: `TargetLibraryInfo::getLibFunc`, `sanitizeFunctionName`.
pub(super) unsafe fn compares_strings(function: LLVMValueRef) -> bool {
    let name = library_name(function);
    STRING_COMPARISONS.iter().any(|known| known.as_bytes() == name)
}

/// The name of `function` without a leading `\1`, which only keeps it from being mangled.
unsafe fn library_name<'a>(function: LLVMValueRef) -> &'a [u8] {
    let name = value_name(function, &());
    name.strip_prefix(b"\x01").unwrap_or(name)
}
