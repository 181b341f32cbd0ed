//! What a pipeline element asks for.

mod model;
mod options;
mod parse;

pub use model::{Analysis, Annotate, Form, Output, Print, Request};
pub use options::{OptionError, ValidOptions};
