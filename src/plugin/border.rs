//! The border to C++: no panic crosses it.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{catch_unwind, AssertUnwindSafe};

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

/// A panic that was stopped at the border.
pub(super) struct Caught(Box<dyn Any + Send>);

/// Runs `work`, and stops a panic in it.
pub(super) fn guard<T>(work: impl FnOnce() -> T) -> Result<T, Caught> {
    catch_unwind(AssertUnwindSafe(work)).map_err(Caught)
}

impl Caught {
    /// Ends the process with one line that names the pass and what it worked on.
    pub fn give_up(self, pass: &str, subject: &str) -> ! {
        let place = PANIC_PLACE.with(|last| last.borrow().clone());
        eprintln!("bpa: internal error in {pass} on {subject}: {}{place}", message(&*self.0));
        super::host::give_up()
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
