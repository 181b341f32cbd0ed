//! Positions in the source of the program.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// The position of a function's definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Definition<'a> {
    /// The path of the file, as on the compiler's command line.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub file: Cow<'a, str>,
    /// The directory to which `file` is relative. The field is omitted if `file` is absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub directory: Option<Cow<'a, str>>,
    /// The line, from 1. The field is omitted for functions that the compiler generates.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(range(min = 1)))]
    pub line: Option<u32>,
}

/// A source position inside one function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Frame<'a> {
    /// The path of the file, as on the compiler's command line.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub file: Cow<'a, str>,
    /// The directory to which `file` is relative. The field is omitted if `file` is absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub directory: Option<Cow<'a, str>>,
    /// The line, from 1. The line of a call that the compiler generated is 0.
    pub line: u32,
    /// The column, from 1. The field is omitted if the column is unknown.
    #[serde(default, skip_serializing_if = "crate::is_zero")]
    #[cfg_attr(feature = "schemars", schemars(range(min = 1)))]
    pub column: u32,
    /// The source name of the function that contains the line. The field is omitted if the function was not inlined.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub function: Option<Cow<'a, str>>,
}

impl Frame<'_> {
    /// Copies the frame, including its strings.
    pub fn to_owned_text(&self) -> Frame<'static> {
        let owned = |text: &Cow<str>| Cow::Owned(text.to_string());
        Frame {
            file: owned(&self.file),
            directory: self.directory.as_ref().map(owned),
            line: self.line,
            column: self.column,
            function: self.function.as_ref().map(owned),
        }
    }
}

/// A position in the source, with the calls through which it was inlined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Position<'a> {
    /// The innermost frame.
    #[serde(flatten)]
    pub frame: Frame<'a>,
    /// The calls through which the position was inlined, the innermost call first. The list is empty if the position
    /// was not inlined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub inlined_at: Vec<Frame<'a>>,
}

impl<'a> Position<'a> {
    /// All frames of the position, from the innermost to the outermost.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = &Frame<'a>> {
        std::iter::once(&self.frame).chain(&self.inlined_at)
    }

    /// Mutable references to the frame of the position itself and to the frames of the inlined calls.
    pub fn frames_mut(&mut self) -> impl Iterator<Item = &mut Frame<'a>> {
        std::iter::once(&mut self.frame).chain(&mut self.inlined_at)
    }

    /// The number of inlined calls of the position, plus 1.
    pub fn depth(&self) -> usize {
        1 + self.inlined_at.len()
    }

    /// The outermost frame, into which all other frames were inlined.
    pub fn outermost(&self) -> &Frame<'a> {
        self.inlined_at.last().unwrap_or(&self.frame)
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
}
