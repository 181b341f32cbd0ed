//! The border to C++: no panic crosses it.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process::exit;

thread_local! {
    /// Where the last panic of this thread happened.
    static PANIC_PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps panics from printing by themselves: [`guard`] reports each in one line.
pub(super) fn silence_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
        PANIC_PLACE.with(|last| *last.borrow_mut() = place.unwrap_or_default());
    }));
}

/// Runs `work`; a panic in it ends the process with one line that names the pass and what it worked on.
pub(super) fn guard<T>(pass: &str, subject: &str, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let place = PANIC_PLACE.with(|last| last.borrow().clone());
        eprintln!("bpa: internal error in {pass} on {subject}: {}{place}", message(&*panic));
        exit(1)
    })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
