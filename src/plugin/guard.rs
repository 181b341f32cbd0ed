//! The guard before C++: no panic gets past it.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Mutex;

use super::message::complain;

extern "C" {
    /// Ends the process as a failure, and leaves no file behind that is not finished.
    fn bpa_end_process() -> !;
}

thread_local! {
    /// Where the last panic of this thread happened.
    static PANIC_PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps panics from printing by themselves: [`guard`] reports each in one line.
pub(super) fn silence_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
        let _ = PANIC_PLACE.try_with(|last| last.replace(place.unwrap_or_default()));
    }));
}

/// Runs `work`. A panic in it ends the process, with a line that says in what, as `activity` tells it.
pub(super) fn guard<T>(activity: impl FnOnce() -> String, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let place = PANIC_PLACE.with(RefCell::take);
        give_up(&format!("internal error in {}: {}{place}", activity(), message(&*panic)))
    })
}

/// Ends the process as a failure, after a line that says why. No output file is left behind.
pub(super) fn give_up(why: &str) -> ! {
    // Threads of a linker may all come here, and for the same reason: the first one speaks for all.
    static LAST_WORD: Mutex<()> = Mutex::new(());
    let _until_the_end = LAST_WORD.lock();
    complain(why);
    // SAFETY: LLVM removes files so by itself when it is interrupted, at any time and from any thread.
    unsafe { bpa_end_process() }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
