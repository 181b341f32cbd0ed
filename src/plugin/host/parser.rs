//! Parses pipeline elements, and reports errors in them.

use std::borrow::Cow;
use std::cell::RefCell;

use super::pass::{Parse, Pass};
use crate::plugin::guard::guard;
use crate::plugin::message::print_error;
use crate::plugin::message::Failure;

/// Parses elements of pipelines. The host can parse an invalid element several times before it rejects the pipeline,
/// but the parser prints the error only once.
pub(super) struct Parser {
    parse: Parse,
    reported: RefCell<Option<Vec<u8>>>,
}

impl Parser {
    pub fn new(parse: Parse) -> Self {
        Parser { parse, reported: RefCell::default() }
    }

    /// Parses an element of a module pipeline, or of a function pipeline. In a function pipeline, a pass on modules is
    /// invalid. The result is `None` if the element does not name a known pass, or if the element is invalid.
    pub fn read(&self, element: &[u8], has_parentheses: bool, is_module_position: bool) -> Option<Pass> {
        let checked = |pass: Pass, text: &Cow<str>| {
            if matches!(text, Cow::Owned(_)) {
                return Err(Failure(format!("'{text}' is not UTF-8")));
            }
            if has_parentheses {
                return Err(Failure(format!("{text}: this pass takes no passes in parentheses")));
            }
            pass.prepare()?;
            if is_module_position {
                Ok(pass)
            } else {
                pass.on_functions()
            }
        };
        guard(
            || format!("reading '{}'", element.escape_ascii()),
            || {
                let text = String::from_utf8_lossy(element);
                let Some(read) = (self.parse)(&text) else { return Ok(None) };
                let error = match read.and_then(|pass| checked(pass, &text)) {
                    Ok(pass) => return Ok(Some(pass)),
                    Err(error) => error,
                };
                let mut reported = self.reported.borrow_mut();
                if reported.as_deref() != Some(element) {
                    print_error(&error.0);
                    *reported = Some(element.to_vec());
                }
                Ok(None)
            },
        )
    }
}
