//! Places in the source, as data and in words.

use serde::Serialize;

use crate::source::{Definition, SourceFile, SourceFrame, SourcePosition};

/// A place, and where it was inlined.
#[derive(Serialize)]
pub(super) struct PositionRow<'a> {
    #[serde(flatten)]
    file: FileColumns<'a>,
    line: u32,
    #[serde(skip_serializing_if = "is_zero")]
    column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inlined_at: Option<Box<PositionRow<'a>>>,
}

#[derive(Serialize)]
struct FileColumns<'a> {
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    directory: Option<&'a str>,
}

/// Where a function is defined.
#[derive(Serialize)]
pub(super) struct DefinitionRow<'a> {
    #[serde(flatten)]
    file: FileColumns<'a>,
    #[serde(skip_serializing_if = "is_zero")]
    line: u32,
}

impl<'a> From<&'a SourceFile> for FileColumns<'a> {
    fn from(file: &'a SourceFile) -> Self {
        FileColumns { file: &file.name, directory: file.directory.as_deref() }
    }
}

impl<'a> PositionRow<'a> {
    pub fn new(position: &'a SourcePosition) -> Self {
        let row = |frame: &'a SourceFrame, inlined_at| PositionRow {
            file: (&frame.file).into(),
            line: frame.line,
            column: frame.column,
            function: frame.function.as_deref(),
            inlined_at,
        };
        // From the outermost in. A position has so few frames that nesting them is no danger.
        let around = position.calls().iter().rev().fold(None, |outer, call| Some(Box::new(row(call, outer))));
        row(position.innermost(), around)
    }
}

impl<'a> From<&'a Definition> for DefinitionRow<'a> {
    fn from(definition: &'a Definition) -> Self {
        DefinitionRow { file: (&definition.file).into(), line: definition.line }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(value: &u32) -> bool {
    *value == 0
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
