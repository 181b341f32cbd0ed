//! Parses pipeline elements and returns requests.

mod model;
mod options;
mod parse;
mod predictors;
#[cfg(test)]
mod reference;
mod table;
mod values;

pub(super) use model::{Degree, Request, RequestOptions};
pub(super) use options::name as option_name;
pub use options::{OptionError, OptionProblem, Options, ValidOptions};
pub(super) use parse::INSTEAD_OF_OPTIMIZE;
pub(super) use table::{Analysis, Mode, PassKind};
