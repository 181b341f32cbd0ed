//! Converts the names of values to identifiers of LLVM assembly.

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
