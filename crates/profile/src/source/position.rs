//! Source positions.

use std::fmt;
use std::sync::Arc;

/// The greatest number of frames in a position. Frames of deeper inlined calls are dropped to limit the size of the
/// data.
const MAX_FRAMES: usize = 64;

/// The greatest number of frames in a printed position, not counting the outermost frame.
const MAX_PRINTED: usize = 4;

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceFile {
    /// The name that was given to the compiler.
    pub name: Arc<str>,
    /// The directory that contains the relative path `name`. `None` if `name` is absolute, or if the directory is not
    /// known.
    pub directory: Option<Arc<str>>,
}

/// A position in one function of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFrame {
    /// The file.
    pub file: SourceFile,
    /// The line, from 1, or 0 for a call that the compiler generated.
    pub line: u32,
    /// The column, from 1, or 0 if it is unknown.
    pub column: u32,
    /// The name of the function that contains the position. The field is `None` for the analysed function, and for a
    /// function without a name.
    pub function: Option<Arc<str>>,
}

/// A source position, with the inlined calls around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePosition {
    innermost: SourceFrame,
    /// The inlined calls, from the innermost to the outermost.
    calls: Vec<SourceFrame>,
}

impl SourceFile {
    /// Creates the file `name`. If `name` is not absolute, it is relative to `directory`.
    pub fn new(name: Arc<str>, directory: Arc<str>) -> Self {
        let has_drive = name.get(1..2) == Some(":");
        let is_absolute = has_drive || name.starts_with(['/', '\\']);
        SourceFile { name, directory: (!is_absolute && !directory.is_empty()).then_some(directory) }
    }
}

impl SourcePosition {
    /// Creates a position with its inlined `calls`, from the innermost to the outermost. If the list of calls has
    /// more than [`MOST_CALLS`](Self::MOST_CALLS) entries, removes entries between the innermost and the outermost
    /// call.
    pub fn new(innermost: SourceFrame, mut calls: Vec<SourceFrame>) -> Self {
        if calls.len() >= MAX_FRAMES {
            calls.drain(MAX_FRAMES - 2..calls.len() - 1);
        }
        SourcePosition { innermost, calls }
    }

    /// The greatest number of calls that [`new`](Self::new) keeps. The last call is always the outermost.
    pub const MOST_CALLS: usize = MAX_FRAMES - 1;

    /// The innermost frame.
    pub fn innermost(&self) -> &SourceFrame {
        &self.innermost
    }

    /// The inlined calls, from the innermost to the outermost.
    pub fn calls(&self) -> &[SourceFrame] {
        &self.calls
    }

    /// Whether this position has the same file and inlined calls as `other`, and the same line or a later line.
    pub fn is_no_earlier_than(&self, other: &SourcePosition) -> bool {
        let [here, there] = [&self.innermost, &other.innermost];
        here.line >= there.line && here.file == there.file && self.calls == other.calls
    }

    /// The outermost frame, which is in the analysed function.
    pub(crate) fn outermost(&self) -> &SourceFrame {
        self.calls.last().unwrap_or(&self.innermost)
    }
}

impl fmt::Display for SourceFrame {
    /// Prints the position in the style of compilers: `file:line:column`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.file.name)?;
        let mut numbers = [self.line, self.column].into_iter().take_while(|&number| number > 0);
        numbers.try_for_each(|number| write!(out, ":{number}"))
    }
}

impl fmt::Display for SourcePosition {
    /// Prints `a.h:3:9 in clamp, inlined at my.c:12:7`. If there are many calls, prints only the innermost calls and
    /// the outermost call.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frames = self.calls.len() + 1;
        let inner = if frames > MAX_PRINTED + 1 { MAX_PRINTED } else { frames - 1 };
        for frame in std::iter::once(&self.innermost).chain(&self.calls).take(inner) {
            frame.fmt(out)?;
            if let Some(name) = &frame.function {
                write!(out, " in {name}")?;
            }
            out.write_str(", inlined at ")?;
        }
        if inner + 1 < frames {
            write!(out, "{} more, the outermost at ", frames - inner)?;
        }
        self.outermost().fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(file: &str, line: u32, column: u32, function: Option<&str>) -> SourceFrame {
        let file = SourceFile::new(file.into(), "/src".into());
        SourceFrame { file, line, column, function: function.map(Into::into) }
    }

    #[test]
    fn files_are_relative_unless_their_name_is_absolute() {
        let directory = |name: &str, directory: &str| {
            SourceFile::new(name.into(), directory.into()).directory.as_deref().map(str::to_string)
        };
        assert_eq!(directory("a.c", "/src").as_deref(), Some("/src"));
        assert_eq!(directory("../a.c", "/src").as_deref(), Some("/src"));
        for absolute in ["/a.c", "C:\\a.c", "\\\\host\\a.c"] {
            assert_eq!(directory(absolute, "/src"), None, "{absolute}");
        }
        assert_eq!(directory("a.c", ""), None);
        assert_eq!(directory("", "/src").as_deref(), Some("/src"));
        assert_eq!(directory("\u{e9}:", "/src").as_deref(), Some("/src"));
    }

    #[test]
    fn positions_are_printed_as_by_compilers() {
        assert_eq!(SourcePosition::new(frame("a.c", 3, 9, None), Vec::new()).to_string(), "a.c:3:9");
        assert_eq!(SourcePosition::new(frame("a.c", 3, 0, None), Vec::new()).to_string(), "a.c:3");
        assert_eq!(frame("a.c", 0, 0, None).to_string(), "a.c");
        let calls = vec![frame("b.h", 4, 1, Some("scale")), frame("a.c", 12, 7, None)];
        let inlined = SourcePosition::new(frame("a.h", 3, 9, Some("clamp")), calls);
        assert_eq!(inlined.to_string(), "a.h:3:9 in clamp, inlined at b.h:4:1 in scale, inlined at a.c:12:7");
        assert_eq!(inlined.outermost().line, 12);
    }

    #[test]
    fn only_positions_in_the_same_file_and_call_are_ordered() {
        let at = |file, line, call| {
            SourcePosition::new(frame(file, line, 1, None), vec![frame("m.c", call, 1, None)])
        };
        let test = at("a.c", 5, 1);
        assert!(test.is_no_earlier_than(&at("a.c", 5, 1)) && test.is_no_earlier_than(&at("a.c", 4, 1)));
        for other in [at("a.c", 6, 1), at("b.c", 5, 1), at("a.c", 5, 2)] {
            assert!(!test.is_no_earlier_than(&other), "{other}");
        }
    }

    #[test]
    fn the_outermost_of_many_calls_is_printed() {
        let text = |count: u32| {
            let calls = (1..=count).map(|line| frame("c.c", line, 0, None)).collect();
            SourcePosition::new(frame("a.c", 99, 0, None), calls).to_string()
        };
        let three = "a.c:99, inlined at c.c:1, inlined at c.c:2, inlined at c.c:3";
        assert_eq!(text(4), format!("{three}, inlined at c.c:4"));
        assert_eq!(text(5), format!("{three}, inlined at 2 more, the outermost at c.c:5"));
        assert_eq!(text(9), format!("{three}, inlined at 6 more, the outermost at c.c:9"));
    }

    #[test]
    fn the_innermost_calls_and_the_outermost_are_kept() {
        for count in [1, 62, 63, 64, 100_000] {
            let calls: Vec<SourceFrame> = (1..=count).map(|line| frame("c.c", line, 0, None)).collect();
            let position = SourcePosition::new(frame("a.c", 1, 0, None), calls);
            let lines: Vec<u32> = position.calls().iter().map(|call| call.line).collect();
            let kept = (count as usize).min(SourcePosition::MOST_CALLS);
            let mut expected: Vec<u32> = (1..=kept as u32).collect();
            *expected.last_mut().unwrap() = count;
            assert_eq!(lines, expected);
        }
    }
}
