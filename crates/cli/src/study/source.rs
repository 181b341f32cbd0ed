//! Reads the source files that debug information names, and finds the conditions at source positions.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::study::finder::conditions::{Condition, Conditions};
use crate::study::finder::{Found, Grammar, Syntax};

/// The maximum number of bytes of a printed line.
const MOST_BYTES: usize = 160;

/// The maximum number of printed lines before the line of a branch.
const MOST_LINES: u32 = 8;

/// A cache of source files. Each file is read once.
#[derive(Default)]
pub struct Sources {
    files: RefCell<HashMap<PathBuf, Option<Rc<SourceText>>>>,
}

/// The bytes of a source file.
pub struct SourceText {
    pub bytes: Vec<u8>,
    /// The offset of each line.
    starts: Vec<usize>,
    grammar: Grammar,
    syntax: OnceCell<Syntax>,
    conditions: OnceCell<Conditions>,
}

/// A condition, and the lines that contain it.
pub struct SourceCondition {
    pub first_line: u32,
    /// The text from the beginning of `first_line` to the end of the line of the branch.
    pub text: String,
    /// The range of the condition in `text`.
    pub span: Range<usize>,
    /// False if the condition ends after the line of the branch.
    pub is_whole: bool,
    pub found: Found,
}

impl Sources {
    /// The text of `file` in `directory`. The two names are from debug information. The result is `None` if the file
    /// cannot be read.
    pub fn text(&self, directory: Option<&str>, file: &str) -> Option<Rc<SourceText>> {
        let path = path_of(directory, file);
        let mut files = self.files.borrow_mut();
        let read = || Some(Rc::new(SourceText::new(std::fs::read(&path).ok()?, &path)));
        files.entry(path.clone()).or_insert_with(read).clone()
    }
}

/// The path of a source file. `directory` and `file` come from debug information.
pub fn path_of(directory: Option<&str>, file: &str) -> PathBuf {
    Path::new(directory.unwrap_or_default()).join(file)
}

impl SourceText {
    pub fn new(bytes: Vec<u8>, path: &Path) -> Self {
        let ends = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(place, _)| place + 1)).collect();
        let (syntax, conditions) = (OnceCell::new(), OnceCell::new());
        SourceText { bytes, starts, grammar: Grammar::of(path), syntax, conditions }
    }

    /// The range of the line with this number, without its line end. The first line has the number 1.
    fn range(&self, number: u32) -> Option<Range<usize>> {
        let place = (number as usize).checked_sub(1)?;
        let start = *self.starts.get(place)?;
        let line = &self.bytes[start..self.starts.get(place + 1).map_or(self.bytes.len(), |next| next - 1)];
        let end = line.iter().rposition(|&byte| byte != b'\r').map_or(start, |last| start + last + 1);
        Some(start..end)
    }

    /// The line with this number, without its line end. Bytes that are not UTF-8 become U+FFFD.
    pub fn line(&self, number: u32) -> Option<Cow<'_, str>> {
        Some(String::from_utf8_lossy(&self.bytes[self.range(number)?]))
    }

    /// The range from the beginning of line `first` to the end of line `last`, without the last line end.
    pub fn lines(&self, first: u32, last: u32) -> Option<Range<usize>> {
        Some(self.range(first)?.start..self.range(last)?.end)
    }

    pub fn line_count(&self) -> u32 {
        // A line end at the end of the file does not begin another line.
        let count = self.starts.len() - usize::from(self.starts.last() == Some(&self.bytes.len()));
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// The offset of a line and column. Lines and columns start at 1.
    pub fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let start = *self.starts.get((line as usize).checked_sub(1)?)?;
        let offset = start + (column as usize).checked_sub(1)?;
        (offset < self.bytes.len()).then_some(offset)
    }

    /// The line and column of an offset. Lines and columns start at 1.
    pub fn line_and_column(&self, offset: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|&start| start <= offset);
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        (number(line), number(offset - self.starts[line - 1] + 1))
    }

    /// Whether a `#` begins line `number`.
    pub fn is_directive(&self, number: u32) -> bool {
        let line = self.range(number).map(|range| self.bytes[range].trim_ascii_start());
        line.is_some_and(|line| line.starts_with(b"#"))
    }

    fn syntax(&self) -> &Syntax {
        self.syntax.get_or_init(|| Syntax::parse(&self.bytes, self.grammar))
    }

    /// The condition that a branch at `offset` of unoptimised C or C++ code tests, and the conditions around it that begin
    /// at the same offset, in the order of their lengths.
    pub fn conditions_at(&self, offset: usize) -> impl Iterator<Item = &Condition> {
        let conditions = self.conditions.get_or_init(|| Conditions::of(self.syntax(), &self.bytes));
        let condition = conditions.at(offset);
        condition.into_iter().flat_map(|condition| conditions.around(condition))
    }

    /// The condition of the branch at `column` of line `number`. If the syntax tree has no condition there, the range
    /// contains the word or character at this position.
    pub fn condition(&self, number: u32, column: u32, is_optimised: bool) -> Option<SourceCondition> {
        let line = self.range(number)?;
        let offset = line.end.min(line.start + column.max(1) as usize - 1);
        let word = || {
            let rest = String::from_utf8_lossy(&self.bytes[offset..line.end]);
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let length = length.max(rest.chars().next().map_or(0, char::len_utf8));
            offset..line.end.min(offset + length)
        };
        let alone = || Found { range: word(), is_chain: false, is_keyword: false, has_two_values: false };
        let first_line = |found: &Found| self.line_and_column(found.range.start).0.min(number);
        let is_shown =
            |found: &Found| found.range.start < line.end && first_line(found) + MOST_LINES >= number;
        let found = self.syntax().condition(offset, is_optimised).filter(is_shown).unwrap_or_else(alone);
        let first_line = first_line(&found);
        let start = self.starts[first_line as usize - 1];
        // The lines after the line of the branch are not shown.
        let condition = self.bytes[found.range.start..found.range.end.min(line.end)].trim_ascii_end();
        let [before, condition, whole] =
            [&self.bytes[start..found.range.start], condition, &self.bytes[start..line.end]]
                .map(String::from_utf8_lossy);
        let span = before.len()..before.len() + condition.len();
        let is_whole = found.range.end <= line.end;
        Some(SourceCondition { first_line, text: whole.into(), span, is_whole, found })
    }
}

/// The printable part of `line` around `span`, and the range of `span` in this part. A text of several lines is printed
/// as it is.
pub fn shown(line: &str, span: Range<usize>) -> (String, Range<usize>) {
    if line.len() <= MOST_BYTES || line.contains('\n') {
        return (line.into(), span);
    }
    let boundary =
        |wanted: usize| (0..=wanted).rev().find(|&place| line.is_char_boundary(place)).unwrap_or(0);
    let start = boundary(span.start.saturating_sub(MOST_BYTES / 4));
    let end = boundary((start + MOST_BYTES).min(line.len()));
    let (before, after) = (if start > 0 { "..." } else { "" }, if end < line.len() { "..." } else { "" });
    let shift = |place: usize| place.clamp(start, end) - start + before.len();
    (format!("{before}{}{after}", &line[start..end]), shift(span.start)..shift(span.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_can_begin_in_an_earlier_line() {
        let text = "int g() {\n  if (a == b // why\n      && c)\n    return f(x,\n             y) > 2;\n  z = \u{e9};\n}\n";
        let text = SourceText::new(text.into(), Path::new("a.c"));
        let at = |number, column| {
            let SourceCondition { first_line, text, span, .. } =
                text.condition(number, column, false).expect("a condition");
            (first_line, text[span].to_string())
        };
        assert_eq!(at(3, 7), (2, "a == b // why\n      && c".into()));
        assert_eq!(at(3, 10), (3, "c".into()));
        // The last line of a condition is the line of its branch.
        assert_eq!(at(4, 12), (4, "f(x,".into()));
        assert_eq!(at(5, 17), (4, "f(x,\n             y) > 2".into()));
        assert_eq!((at(6, 7), at(6, 1), at(6, 99)), ((6, "\u{e9}".into()), (6, "".into()), (6, "".into())));
        assert!(text.condition(9, 1, false).is_none());
    }

    #[test]
    fn long_lines_are_shortened_around_the_condition() {
        let line = format!("{}condition{}", "x".repeat(1_000_000), "\u{e9}".repeat(500_000));
        let (text, span) = shown(&line, 1_000_000..1_000_009);
        assert_eq!(&text[span], "condition");
        assert!(text.len() < 200 && text.starts_with("...") && text.ends_with("..."));
    }

    #[test]
    fn lines_are_numbered_from_one() {
        let text = SourceText::new(b"a\r\n\xff\n\nlast".into(), Path::new("a.c"));
        assert_eq!(text.line(1).as_deref(), Some("a"));
        assert_eq!(text.line(2).as_deref(), Some("\u{fffd}"));
        assert_eq!(text.line(3).as_deref(), Some(""));
        assert_eq!(text.line(4).as_deref(), Some("last"));
        assert_eq!((text.line(0), text.line(5)), (None, None));
        assert_eq!((text.lines(1, 2), text.offset(2, 1), text.offset(9, 1)), (Some(0..4), Some(3), None));
        assert_eq!(text.line_and_column(3), (2, 1));
        let counts = [b"a\nb" as &[u8], b"a\nb\n", b""]
            .map(|text| SourceText::new(text.into(), Path::new("a.c")).line_count());
        assert_eq!(counts, [2, 2, 0]);
    }

    #[test]
    fn a_file_that_is_missing_has_no_text() {
        assert!(Sources::default().text(Some("/no"), "such.c").is_none());
        assert_eq!(path_of(Some("/a"), "/b/c.c"), Path::new("/b/c.c"));
    }
}
