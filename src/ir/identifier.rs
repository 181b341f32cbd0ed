//! Names of values, and how LLVM's assembly spells them.

use crate::ir::llvm::core::LLVMGetValueName2;
use crate::ir::llvm::prelude::*;

/// The name of `value`, borrowed for as long as `owner`, which the value belongs to.
pub(super) fn value_name<T>(value: LLVMValueRef, owner: &T) -> &[u8] {
    let _ = owner;
    let mut length = 0;
    // SAFETY: LLVM returns the start and length of a name that lives as long as the value is not renamed,
    // which no analysis does.
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

/// `name` as LLVM's assembly writes identifiers.
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

/// `name` with escapes for bytes that are not printable ASCII.
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
    fn names_are_quoted_only_where_they_must_be() {
        assert_eq!(identifier(b"for.body-2_x"), "for.body-2_x");
        assert_eq!(identifier(b"2nd"), r#""2nd""#);
        assert_eq!(identifier(b"a \"b\" \\ \xC3\n"), r#""a \22b\22 \\ \C3\0A""#);
    }
}
