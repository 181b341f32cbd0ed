//! Reports errors in pipeline elements.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use super::pass::{AnyPass, Parse, Pass};
use crate::plugin::guard::guard;
use crate::plugin::message::print_error;

/// Parses elements, and reports the error of an invalid element once. The host may parse an element several times
/// before it rejects the pipeline.
#[derive(Default)]
pub(super) struct ErrorReport {
    reported: RefCell<Option<Vec<u8>>>,
}

impl ErrorReport {
    /// Parses an element of a module pipeline with `parse`. The result is `None` if the element does not name a pass
    /// that `parse` knows, or if the element is invalid.
    pub fn pass(&self, element: &[u8], has_parentheses: bool, parse: &Parse) -> Option<AnyPass> {
        self.read(element, has_parentheses, parse, Ok)
    }

    /// Parses an element of a function pipeline, like [`Self::pass`]. A function pipeline cannot contain a module pass,
    /// so this method also returns an error for a module pass.
    pub fn function_pass(
        &self,
        element: &[u8],
        has_parentheses: bool,
        parse: &Parse,
    ) -> Option<Arc<dyn Pass>> {
        self.read(element, has_parentheses, parse, AnyPass::on_functions)
    }

    fn read<P>(
        &self,
        element: &[u8],
        has_parentheses: bool,
        parse: &Parse,
        fit: fn(AnyPass) -> Result<P, String>,
    ) -> Option<P> {
        guard(
            || format!("reading '{}'", element.escape_ascii()),
            || {
                let text = String::from_utf8_lossy(element);
                let Some(read) = parse(&text) else { return Ok(None) };
                let error = match read {
                    Ok(_) if matches!(text, Cow::Owned(_)) => format!("'{text}' is not UTF-8"),
                    Ok(_) if has_parentheses => format!("{text}: this pass takes no passes in parentheses"),
                    Ok(pass) => match pass.prepare().and_then(|()| fit(pass)) {
                        Ok(pass) => return Ok(Some(pass)),
                        Err(error) => error,
                    },
                    Err(error) => error,
                };
                let mut reported = self.reported.borrow_mut();
                if reported.as_deref() != Some(element) {
                    print_error(&error);
                    *reported = Some(element.to_vec());
                }
                Ok(None)
            },
        )
    }
}
