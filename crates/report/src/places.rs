//! Converts source positions to schema types and to text.

use bpa_schema::Frame;

use crate::schema::IntoSchema;
use bpa_profile::source::{Definition, SourceFrame, SourcePosition};

impl<'a> IntoSchema<Frame<'a>> for &'a SourceFrame {
    fn into_schema(self) -> Frame<'a> {
        let frame = self;
        Frame {
            file: (&*frame.file.name).into(),
            directory: frame.file.directory.as_deref().map(Into::into),
            line: frame.line,
            column: frame.column,
            function: frame.function.as_deref().map(Into::into),
        }
    }
}

impl<'a> IntoSchema<bpa_schema::Position<'a>> for &'a SourcePosition {
    fn into_schema(self) -> bpa_schema::Position<'a> {
        let position = self;
        let inlined_at = position.calls().iter().map(IntoSchema::into_schema).collect();
        bpa_schema::Position { frame: position.innermost().into_schema(), inlined_at }
    }
}

impl<'a> IntoSchema<bpa_schema::Definition<'a>> for &'a Definition {
    fn into_schema(self) -> bpa_schema::Definition<'a> {
        let definition = self;
        bpa_schema::Definition {
            file: (&*definition.file.name).into(),
            directory: definition.file.directory.as_deref().map(Into::into),
            line: Some(definition.line).filter(|&line| line > 0),
        }
    }
}

/// The source positions of a branch and of the destination of one edge, as text. The result is `None` if both positions
/// are unknown.
pub(super) fn edge_positions(
    branch: Option<&SourcePosition>,
    target: Option<&SourcePosition>,
) -> Option<String> {
    match (branch, target) {
        (Some(branch), Some(target)) => Some(format!("at {branch}; leads to {target}")),
        (Some(branch), None) => Some(format!("at {branch}")),
        (None, Some(target)) => Some(format!("leads to {target}")),
        (None, None) => None,
    }
}

/// Formats the position `there`. The surrounding text is about the position `here`. If both positions are in the same
/// file, the result has no file name, and has the column only if `with_column` is true.
pub(super) fn near(here: Option<&SourcePosition>, there: &SourcePosition, with_column: bool) -> String {
    let there = there.innermost();
    match here.map(SourcePosition::innermost).filter(|here| here.file == there.file) {
        Some(_) if with_column && there.column > 0 => format!("line {}:{}", there.line, there.column),
        Some(_) => format!("line {}", there.line),
        None => there.to_string(),
    }
}
