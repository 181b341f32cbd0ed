//! The seam to the host's pass manager.
//!
//! What the passes need of it is small: register names, run on functions, keep a profile for each, say what is
//! preserved, stand at an extension point. Behind the seam stands llvm-plugin, which reaches LLVM 18, and from LLVM 19
//! on our own C++. Both have a `Host` with the same functions, and nothing above the seam knows which one it has.

#[cfg(not(own_host))]
mod llvm_plugin_host;
#[cfg(own_host)]
mod own_host;

use std::cell::RefCell;

#[cfg(not(own_host))]
pub(super) use llvm_plugin_host::Host;
#[cfg(own_host)]
pub(super) use own_host::Host;

use super::options::OptionError;
use super::request::Request;

extern "C" {
    fn bpa_remove_unfinished_files();
}

/// Ends the process as a failure, and leaves no file behind that is not finished.
pub(super) fn give_up() -> ! {
    // SAFETY: LLVM runs this by itself when it is interrupted, at any time and from any thread.
    unsafe { bpa_remove_unfinished_files() };
    std::process::exit(1)
}

/// Reports bad elements, each once: the host offers an element that nobody takes to every parser it has. It then
/// refuses the pipeline by itself.
#[derive(Default)]
struct ErrorReport {
    reported: RefCell<Option<String>>,
}

impl ErrorReport {
    fn check(&self, element: &str, parsed: Option<Result<Request, OptionError>>) -> Option<Request> {
        match parsed? {
            Ok(request) => Some(request),
            Err(error) => {
                let mut reported = self.reported.borrow_mut();
                if reported.as_deref() != Some(element) {
                    eprintln!("bpa: {error}");
                    *reported = Some(element.to_string());
                }
                None
            }
        }
    }
}
