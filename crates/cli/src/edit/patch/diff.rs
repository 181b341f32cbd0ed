//! Prints a unified diff for `patch -p1` and `git apply`.

use std::io::{self, Write};
use std::path::Path;

use similar::TextDiff;

use super::files::{FileId, Files};
use crate::base::error::{Error, Result};

/// Prints the changes of `files`.
pub fn print(files: &Files, edited: &[(FileId, Vec<u8>)]) -> Result<()> {
    let mut text = Vec::new();
    for (file, new) in edited {
        if let Ok(old) = files.text(*file) {
            write(files.short_name(*file), &old.bytes, new, &mut text).map_err(Error::Output)?;
        }
    }
    io::stdout().write_all(&text).map_err(Error::Output)
}

fn write(name: &Path, old: &[u8], new: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    // As in `patch`, only `\n` ends a line. A carriage return is a part of the line.
    let lines = |text| <[u8]>::split_inclusive(text, |&byte| byte == b'\n').collect::<Vec<_>>();
    let (old, new) = (lines(old), lines(new));
    let diff = TextDiff::configure().newline_terminated(true).diff_slices(&old, &new);
    let name = name.display().to_string();
    // If the file name contains blanks, a tab must follow the name.
    let end = if name.contains(char::is_whitespace) { "\t" } else { "" };
    writeln!(out, "--- a/{name}{end}\n+++ b/{name}{end}")?;
    // In version 3 of the crate `similar`, `UnifiedDiff::to_writer` replaces bytes that are not UTF-8. The method
    // `UnifiedDiffHunk::to_writer` writes these bytes unchanged.
    diff.unified_diff().iter_hunks().try_for_each(|hunk| hunk.to_writer(&mut *out))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(old: &str, new: &str) -> String {
        let mut out = Vec::new();
        write(Path::new("a b.c"), old.as_bytes(), new.as_bytes(), &mut out).expect("memory");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn bytes_are_kept() {
        let mut out = Vec::new();
        write(Path::new("a.c"), b"caf\xe9\nb\n", b"caf\xe9\nc\n", &mut out).expect("memory");
        assert_eq!(out, b"--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n caf\xe9\n-b\n+c\n");
    }

    #[test]
    fn line_ends_are_kept() {
        let wanted = "--- a/a b.c\t\n+++ b/a b.c\t\n@@ -1,3 +1,3 @@\n a\r\n-b\r\n+c\r\n d\re\n";
        assert_eq!(text("a\r\nb\r\nd\re\n", "a\r\nc\r\nd\re\n"), wanted);
        assert!(
            text("a", "b").ends_with("-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n")
        );
    }
}
