//! What a pipeline element asks for.

mod entry_counts;
mod forms;
mod model;
mod options;
mod parse;
mod predictors;

pub(super) use entry_counts::{
    AnnotateEntryCounts, Degree, EntryCountForm, EntryCountRequest, PrintEntryCounts,
};
pub use model::{
    Analysis, Annotate, AnnotateHeaders, Features, Form, Hints, Output, Print, Remarks, Request, Score,
};
pub(super) use options::name as option_name;
pub use options::{OptionError, Options, ValidOptions};
