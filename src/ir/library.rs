//! Classifies functions of the C library by their names.
//!
//! Only predictors use this classification. The module `string_comparisons` lists the functions of LLVM's own rule
//! about string comparisons.

use super::string_comparisons::{has_string_comparison_name, library_name};
use super::value::FunctionRef;
use bpa_core::features::Library;

/// Classifies `function` as a kind of C library function, by its name. Predictors use the kinds as features.
pub(super) fn kind(function: FunctionRef) -> Library {
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
