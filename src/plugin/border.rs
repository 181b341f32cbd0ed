//! The border to C++: no panic crosses it.

use std::any::Any;
use std::cell::RefCell;
use std::io::Write;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Mutex;

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
    super::host::end_process()
}

/// Writes one line on stderr, whatever is in `text`. Where stderr cannot be written to, nobody is there to be told.
pub(super) fn complain(text: &str) {
    let _ = std::io::stderr()
        .write_all(format!("{}: {}\n", super::host::plugin_name(), in_one_line(text)).as_bytes());
}

/// `text` with its control characters escaped: pass options and function names may have some.
fn in_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line() {
        assert_eq!(in_one_line("f(\"\u{e9}\\\")"), "f(\"\u{e9}\\\")");
        assert_eq!(in_one_line("a\nb\r\t\u{1b}[1m\0"), r"a\nb\r\t\u{1b}[1m\u{0}");
    }
}
