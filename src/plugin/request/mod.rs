//! Parses pipeline elements and returns requests.

mod entry_counts;
mod model;
mod options;
mod parse;
mod predictors;
#[cfg(test)]
mod reference;
mod table;
mod values;

pub(super) use entry_counts::{
    AnnotateEntryCounts, Degree, EntryCountForm, EntryCountRequest, PrintEntryCounts,
};
pub(super) use model::{
    Analysis, Annotate, CommonOptions, Form, Hints, Output, Print, Remarks, Request, Score,
};
pub(super) use options::name as option_name;
pub use options::{OptionError, OptionProblem, Options, ValidOptions};
