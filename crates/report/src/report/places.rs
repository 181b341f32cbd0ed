//! Places in the source, as data and in words.

use bpa_schema::Frame;

use crate::source::{Definition, SourceFrame, SourcePosition};

impl<'a> From<&'a SourceFrame> for Frame<'a> {
    fn from(frame: &'a SourceFrame) -> Self {
        Frame {
            file: (&*frame.file.name).into(),
            directory: frame.file.directory.as_deref().map(Into::into),
            line: frame.line,
            column: frame.column,
            function: frame.function.as_deref().map(Into::into),
        }
    }
}

impl<'a> From<&'a SourcePosition> for bpa_schema::Position<'a> {
    fn from(position: &'a SourcePosition) -> Self {
        let inlined_at = position.calls().iter().map(Into::into).collect();
        bpa_schema::Position { frame: position.innermost().into(), inlined_at }
    }
}

impl<'a> From<&'a Definition> for bpa_schema::Definition<'a> {
    fn from(definition: &'a Definition) -> Self {
        bpa_schema::Definition {
            file: (&*definition.file.name).into(),
            directory: definition.file.directory.as_deref().map(Into::into),
            line: Some(definition.line).filter(|&line| line > 0),
        }
    }
}

/// Where a branch stands and where one way of it leads, in words; nothing if neither is known.
pub(super) fn way_in_words(
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
