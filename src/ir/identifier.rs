//! Reads names of values, and writes them as identifiers of LLVM assembly.

use crate::ir::llvm::core::LLVMGetValueName2;
use crate::ir::llvm::prelude::*;

/// The name of `value`. The result borrows from `owner`, to which the value belongs.
pub(super) fn value_name<T>(value: LLVMValueRef, owner: &T) -> &[u8] {
    let _ = owner;
    let mut length = 0;
    // SAFETY: LLVM returns the start and length of a name. The name stays valid until the value is renamed, and no
    // analysis renames values.
    unsafe {
        let start = LLVMGetValueName2(value, &mut length);
        if start.is_null() || length == 0 {
            &[]
        } else {
            std::slice::from_raw_parts(start.cast(), length)
        }
    }
}

/// The name of `value` for messages.
///
/// # Safety
///
/// `value` is valid.
pub(crate) unsafe fn display_name(value: LLVMValueRef) -> String {
    String::from_utf8_lossy(value_name(value, &())).into_owned()
}

/// Writes `name` as an identifier of LLVM assembly.
///
/// LLVM: `printLLVMNameWithoutPrefix`.
pub(super) fn identifier(name: &[u8]) -> String {
    let plain = |c: &u8| c.is_ascii_alphanumeric() || b"-._".contains(c);
    let is_plain = !name[0].is_ascii_digit() && name.iter().all(plain);
    if is_plain {
        escaped(name)
    } else {
        format!("\"{}\"", escaped(name))
    }
}

/// Escapes bytes of `name` that are not printable ASCII.
///
/// LLVM: `printEscapedString`.
pub(super) fn escaped(name: &[u8]) -> String {
    let mut text = String::new();
    for &byte in name {
        match byte {
            b'\\' => text.push_str(r"\\"),
            b' '..=b'~' if byte != b'"' => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_only_if_necessary() {
        assert_eq!(identifier(b"for.body-2_x"), "for.body-2_x");
        assert_eq!(identifier(b"2nd"), r#""2nd""#);
        assert_eq!(identifier(b"a \"b\" \\ \xC3\n"), r#""a \22b\22 \\ \C3\0A""#);
    }
}
