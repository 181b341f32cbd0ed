//! Reads the source files that debug information names.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A cache of source files. Each file is read once.
#[derive(Default)]
pub struct Sources {
    files: RefCell<HashMap<PathBuf, Option<Rc<SourceText>>>>,
}

/// The text of a file. Bytes that are not UTF-8 become U+FFFD.
pub struct SourceText {
    text: String,
    /// The offset of each line.
    starts: Vec<usize>,
}

impl Sources {
    /// The text of `file` in `directory`. The two names are from debug information. The result is `None` if the file
    /// cannot be read.
    pub fn text(&self, directory: Option<&str>, file: &str) -> Option<Rc<SourceText>> {
        let path = path_of(directory, file);
        let mut files = self.files.borrow_mut();
        let read = || Some(Rc::new(SourceText::new(&std::fs::read(&path).ok()?)));
        files.entry(path.clone()).or_insert_with(read).clone()
    }
}

/// The path of a source file. `directory` and `file` come from debug information.
pub fn path_of(directory: Option<&str>, file: &str) -> PathBuf {
    Path::new(directory.unwrap_or_default()).join(file)
}

impl SourceText {
    pub fn new(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(place, _)| place + 1)).collect();
        SourceText { text, starts }
    }

    /// The line with this number, without its line end. The first line has the number 1.
    pub fn line(&self, number: u32) -> Option<&str> {
        let place = (number as usize).checked_sub(1)?;
        let start = *self.starts.get(place)?;
        let end = self.starts.get(place + 1).map_or(self.text.len(), |next| next - 1);
        Some(self.text[start..end].trim_end_matches('\r'))
    }

    /// The text from the beginning of line `first` to the end of line `last`, without the last line end.
    pub fn lines(&self, first: u32, last: u32) -> Option<&str> {
        let start = *self.starts.get((first as usize).checked_sub(1)?)?;
        let end = *self.starts.get((last as usize).checked_sub(1)?)? + self.line(last)?.len();
        self.text.get(start..end)
    }

    pub fn line_count(&self) -> u32 {
        // A line end at the end of the file does not begin another line.
        let count = self.starts.len() - usize::from(self.starts.last() == Some(&self.text.len()));
        u32::try_from(count).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_from_one() {
        let text = SourceText::new(b"a\r\n\xff\n\nlast");
        assert_eq!(text.line(1), Some("a"));
        assert_eq!(text.line(2), Some("\u{fffd}"));
        assert_eq!(text.line(3), Some(""));
        assert_eq!(text.line(4), Some("last"));
        assert_eq!((text.line(0), text.line(5)), (None, None));
        assert_eq!(
            (text.lines(1, 2), text.lines(2, 1), text.lines(4, 5)),
            (Some("a\r\n\u{fffd}"), None, None)
        );
        let counts = [b"a\nb" as &[u8], b"a\nb\n", b""].map(|text| SourceText::new(text).line_count());
        assert_eq!(counts, [2, 2, 0]);
    }

    #[test]
    fn a_file_that_is_missing_has_no_text() {
        assert!(Sources::default().text(Some("/no"), "such.c").is_none());
        assert_eq!(path_of(Some("/a"), "/b/c.c"), Path::new("/b/c.c"));
    }
}
