//! The seam to the host's pass manager.
//!
//! What the passes need of it is small: register names, run on functions, keep a profile for each, say what is
//! preserved, stand at an extension point. Behind the seam stands llvm-plugin, which reaches LLVM 18, and from LLVM 19
//! on our own C++. Both have a `Host` with the same functions, and nothing above the seam knows which one it has.

#[cfg(not(own_host))]
mod llvm_plugin_host;
#[cfg(own_host)]
mod own_host;

use std::borrow::Cow;
use std::cell::RefCell;

#[cfg(not(own_host))]
pub(super) use llvm_plugin_host::Host;
#[cfg(own_host)]
pub(super) use own_host::Host;

use super::border::{complain, guard};
use super::fault;
use super::output;
use super::passes::{self, Changed};
use super::profile::ProfileCell;
use super::request::{Parse, Request};
use crate::ir::llvm::prelude::LLVMValueRef;
use crate::ir::LiveFunction;

extern "C" {
    fn bpa_end_process() -> !;
}

/// Ends the process as a failure, and leaves no file behind that is not finished.
pub(super) fn end_process() -> ! {
    // SAFETY: LLVM removes files so by itself when it is interrupted, at any time and from any thread.
    unsafe { bpa_end_process() }
}

/// Does what `request` asks for to `function`, whose profile is where `cell` says.
///
/// # Safety
///
/// `function` is a valid function, and stays so meanwhile.
unsafe fn run<'a>(
    request: &Request,
    function: LLVMValueRef,
    cell: impl FnOnce() -> &'a ProfileCell,
) -> Changed {
    guard(
        || format!("{} on function '{}'", request.name(), crate::ir::display_name(function)),
        || match LiveFunction::new(function) {
            Some(mut live) => passes::run(request, &mut live, cell()),
            None => Changed::No,
        },
    )
}

/// Reports bad elements, each once: the host offers an element that nobody takes to every parser it has. It then
/// refuses the pipeline by itself.
#[derive(Default)]
struct ErrorReport {
    reported: RefCell<Option<Vec<u8>>>,
}

impl ErrorReport {
    /// Reads a pipeline element, with `parse` if it is text. Nothing if it is not ours or not good.
    fn request(&self, element: &[u8], parse: Parse) -> Option<Request> {
        guard(
            || format!("reading '{}'", element.escape_ascii()),
            || {
                fault::point("parse", None);
                let text = String::from_utf8_lossy(element);
                let error = match parse(&text)? {
                    Ok(_) if matches!(text, Cow::Owned(_)) => format!("'{text}' is not UTF-8"),
                    Ok(request) => match output::prepare(&request) {
                        Ok(()) => return Some(request),
                        Err(error) => error.to_string(),
                    },
                    Err(error) => error.to_string(),
                };
                let mut reported = self.reported.borrow_mut();
                if reported.as_deref() != Some(element) {
                    complain(&error);
                    *reported = Some(element.to_vec());
                }
                None
            },
        )
    }
}
