//! Messages: one line each on stderr, which begins with the name of the plugin.

use std::io::Write;
use std::sync::OnceLock;

/// The name of the plugin that this library is part of: there is one in a shared object.
static NAME: OnceLock<&'static str> = OnceLock::new();

/// Has messages begin with `name`.
pub(super) fn begin_with(name: &'static str) {
    NAME.get_or_init(|| name);
}

/// The name of the plugin, or of the library where it is no plugin's.
fn plugin_name() -> &'static str {
    NAME.get().copied().unwrap_or(env!("CARGO_PKG_NAME"))
}

/// Writes one line on stderr, whatever is in `text`. Where stderr cannot be written to, nobody is there to be told.
pub(super) fn complain(text: &str) {
    let _ = std::io::stderr().write_all(format!("{}: {}\n", plugin_name(), in_one_line(text)).as_bytes());
}

/// `text` with its control characters escaped: pass options and function names may have some.
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
    fn a_line_is_one_line() {
        assert_eq!(in_one_line("f(\"\u{e9}\\\")"), "f(\"\u{e9}\\\")");
        assert_eq!(in_one_line("a\nb\r\t\u{1b}[1m\0"), r"a\nb\r\t\u{1b}[1m\u{0}");
    }
}
