//! What a pipeline element asks for.

mod model;
mod options;
mod parse;
mod predictors;

pub use model::{Analysis, Annotate, AnnotateHeaders, Features, Form, Output, Print, Request, Score};
pub(super) use options::name as option_name;
pub use options::{OptionError, Options, ValidOptions};
