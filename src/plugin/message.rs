//! Messages on stderr. Each message is one line and begins with the name of the plugin.

use std::io::Write;
use std::sync::OnceLock;

/// The name of the plugin. A shared object contains at most one plugin.
static NAME: OnceLock<&'static str> = OnceLock::new();

/// Sets the prefix of messages to `name`.
pub(super) fn begin_with(name: &'static str) {
    NAME.get_or_init(|| name);
}

/// The name of the plugin, or the name of the library if there is no plugin.
pub(super) fn plugin_name() -> &'static str {
    NAME.get().copied().unwrap_or(env!("CARGO_PKG_NAME"))
}

/// Prints `text` as one line on stderr. If stderr cannot be written, the error is ignored.
pub(super) fn print_error(text: &str) {
    let _ = std::io::stderr().write_all(format!("{}: {}\n", plugin_name(), in_one_line(text)).as_bytes());
}

/// Escapes control characters in `text`. Options and function names can contain control characters.
fn in_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(in_one_line("f(\"\u{e9}\\\")"), "f(\"\u{e9}\\\")");
        assert_eq!(in_one_line("a\nb\r\t\u{1b}[1m\0"), r"a\nb\r\t\u{1b}[1m\u{0}");
    }
}
