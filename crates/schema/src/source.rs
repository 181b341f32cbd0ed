//! Positions in the source of the program. Positions with equal file names or function names share
//! these strings.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The position of a function's definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Definition {
    /// The path of the file, as on the compiler's command line.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub file: Arc<str>,
    /// The directory to which `file` is relative. The field is omitted if `file` is absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub directory: Option<Arc<str>>,
    /// The line, from 1. The field is omitted for functions that the compiler generates.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(range(min = 1)))]
    pub line: Option<u32>,
}

/// A source position inside one function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Frame {
    /// The path of the file, as on the compiler's command line.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub file: Arc<str>,
    /// The directory to which `file` is relative. The field is omitted if `file` is absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub directory: Option<Arc<str>>,
    /// The line, from 1. The line of a call that the compiler generated is 0.
    pub line: u32,
    /// The column, from 1. The field is omitted if the column is unknown.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    #[cfg_attr(feature = "schemars", schemars(range(min = 1)))]
    pub column: u32,
    /// The source name of the function that contains the line. The field is omitted if the function was not inlined.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub function: Option<Arc<str>>,
}

impl Frame {
    /// Whether this position is in the same file as `other`.
    pub fn is_in_file_of(&self, other: &Frame) -> bool {
        self.file == other.file && self.directory == other.directory
    }
}

impl fmt::Display for Frame {
    /// Prints the position in the style of compilers: `file:line:column`. Control characters in the name of the file are
    /// escaped, because reports have one statement per line.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.file.split_inclusive(char::is_control) {
            let printable = part.trim_end_matches(char::is_control);
            write!(out, "{printable}{}", part[printable.len()..].escape_default())?;
        }
        let mut numbers = [self.line, self.column].into_iter().take_while(|&number| number > 0);
        numbers.try_for_each(|number| write!(out, ":{number}"))
    }
}

/// A position in the source, with the calls through which it was inlined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Position {
    /// The innermost frame.
    #[serde(flatten)]
    pub frame: Frame,
    /// The calls through which the position was inlined, the innermost call first. The list is empty if the position
    /// was not inlined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub inlined_at: Vec<Frame>,
}

impl Position {
    /// All frames of the position, from the innermost to the outermost.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = &Frame> {
        std::iter::once(&self.frame).chain(&self.inlined_at)
    }

    /// Mutable references to the frame of the position itself and to the frames of the inlined calls.
    pub fn frames_mut(&mut self) -> impl Iterator<Item = &mut Frame> {
        std::iter::once(&mut self.frame).chain(&mut self.inlined_at)
    }

    /// The number of inlined calls of the position, plus 1.
    pub fn depth(&self) -> usize {
        1 + self.inlined_at.len()
    }

    /// The outermost frame, into which all other frames were inlined.
    pub fn outermost(&self) -> &Frame {
        self.inlined_at.last().unwrap_or(&self.frame)
    }
}

/// The greatest number of frames in a printed position, not counting the outermost frame.
const MAX_PRINTED: usize = 4;

impl fmt::Display for Position {
    /// Prints `a.h:3:9 in clamp, inlined at my.c:12:7`. If there are many calls, prints only the innermost calls and
    /// the outermost call.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frames = self.depth();
        let inner = if frames > MAX_PRINTED + 1 { MAX_PRINTED } else { frames - 1 };
        for frame in self.frames().take(inner) {
            frame.fmt(out)?;
            if let Some(name) = &frame.function {
                write!(out, " in {name}")?;
            }
            out.write_str(", inlined at ")?;
        }
        if inner + 1 < frames {
            write!(out, "{} more calls, the outermost at ", frames - inner)?;
        }
        self.outermost().fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_may_have_no_line() {
        let definition: Definition = serde_json::from_str(r#"{"file":"a.cpp"}"#).unwrap();
        assert_eq!(definition.line, None);
        assert_eq!(serde_json::to_string(&definition).unwrap(), r#"{"file":"a.cpp"}"#);
    }

    #[test]
    fn many_inlined_calls_need_no_recursion() {
        let call = r#"{"file":"a.c","line":1,"column":2}"#;
        let calls = vec![call; 100_000].join(",");
        let text = format!(r#"{{"file":"a.h","line":4,"function":"f","inlined_at":[{calls}]}}"#);
        let position: Position = serde_json::from_str(&text).unwrap();
        assert_eq!((position.depth(), position.outermost().column), (100_001, 2));
        assert_eq!(serde_json::to_string(&position).unwrap(), text);
        let own: Position = serde_json::from_str(call).unwrap();
        assert_eq!((own.depth(), own.outermost()), (1, &own.frame));
    }

    fn frame(file: &str, line: u32, column: u32, function: Option<&str>) -> Frame {
        Frame { file: file.into(), directory: None, line, column, function: function.map(Into::into) }
    }

    #[test]
    fn positions_are_printed_as_by_compilers() {
        assert_eq!(frame("a.c", 3, 9, None).to_string(), "a.c:3:9");
        assert_eq!(frame("a.c", 3, 0, None).to_string(), "a.c:3");
        assert_eq!(frame("a.c", 0, 0, None).to_string(), "a.c");
        assert_eq!(frame("a\n\u{e9}\t\u{1b}.c", 3, 0, None).to_string(), "a\\n\u{e9}\\t\\u{1b}.c:3");
        let inlined_at = vec![frame("b.h", 4, 1, Some("scale")), frame("a.c", 12, 7, None)];
        let inlined = Position { frame: frame("a.h", 3, 9, Some("clamp")), inlined_at };
        assert_eq!(inlined.to_string(), "a.h:3:9 in clamp, inlined at b.h:4:1 in scale, inlined at a.c:12:7");
    }

    #[test]
    fn the_outermost_of_many_calls_is_printed() {
        let text = |count: u32| {
            let inlined_at = (1..=count).map(|line| frame("c.c", line, 0, None)).collect();
            Position { frame: frame("a.c", 99, 0, None), inlined_at }.to_string()
        };
        let three = "a.c:99, inlined at c.c:1, inlined at c.c:2, inlined at c.c:3";
        assert_eq!(text(0), "a.c:99");
        assert_eq!(text(4), format!("{three}, inlined at c.c:4"));
        assert_eq!(text(5), format!("{three}, inlined at 2 more calls, the outermost at c.c:5"));
        assert_eq!(text(9), format!("{three}, inlined at 6 more calls, the outermost at c.c:9"));
    }
}
