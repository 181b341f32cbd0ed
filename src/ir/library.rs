//! Classifies functions of the C library by their names.
//!
//! Only predictors use this classification. The module `string_comparisons` lists the functions of LLVM's own rule
//! about string comparisons.

use super::string_comparisons::{has_string_comparison_name, library_name};
use super::value::FunctionRef;
use bpa_core::features::Library;

/// The names of library functions by kind, without the string comparisons. Predictors use the kinds as features.
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

/// Classifies `function` as a kind of C library function, by its name.
pub(super) fn kind(function: FunctionRef) -> Library {
    if has_string_comparison_name(function) {
        return Library::Compares;
    }
    let name = library_name(function);
    let has_name = |names: &[&str]| names.iter().any(|known| known.as_bytes() == name);
    OTHERS.iter().find(|(_, names)| has_name(names)).map_or(Library::None, |&(kind, _)| kind)
}
