//! Guards all calls from C++. A guard catches panics, because a panic must not unwind into C++.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Mutex, Once};

use super::message::print_error;
use super::message::Failure;

unsafe extern "C" {
    /// Removes unfinished output files and ends the process with a failure status.
    fn bpa_end_process() -> !;
}

/// A panic that no guard has reported.
struct Unreported {
    place: String,
    /// The full message of the panic.
    text: String,
}

thread_local! {
    /// The number of guards on this thread's call stack.
    static GUARDS: Cell<usize> = const { Cell::new(0) };
    /// The panics under the guards on this thread's call stack. Code under a guard can have caught some of them.
    static UNREPORTED: RefCell<Vec<Unreported>> = const { RefCell::new(Vec::new()) };
}

/// Suppresses the messages of panics under a [`guard`], because the guard reports each panic in one line. Rust's panic
/// message is still printed in three cases:
///
/// - The panic occurs on a thread that a pass has started.
/// - The panic ends the process before a guard can report the panic: a destructor panics during another panic, or a
///   function panics that C++ has called.
/// - The variable `RUST_BACKTRACE` requests a backtrace.
pub(super) fn silence_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let is_guarded = GUARDS.try_with(Cell::get).is_ok_and(|guards| guards > 0);
            let ends_process = message(info.payload()).starts_with("panic in a ");
            if is_guarded {
                let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
                let panic = Unreported { place: place.unwrap_or_default(), text: info.to_string() };
                let _ = UNREPORTED.try_with(|unreported| {
                    let mut unreported = unreported.borrow_mut();
                    if ends_process {
                        unreported.iter().for_each(|earlier| print_error(&earlier.text));
                    }
                    unreported.push(panic);
                });
            }
            let wants_backtrace = || std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
            if !is_guarded || ends_process || cfg!(panic = "abort") || wants_backtrace() {
                print(info);
            }
        }));
    });
}

/// Runs `work`. If `work` fails, prints the error and ends the process. If `work` panics, the message also names the
/// `activity`.
pub(super) fn guard<T>(activity: impl FnOnce() -> String, work: impl FnOnce() -> Result<T, Failure>) -> T {
    match catch(work) {
        Ok(Ok(done)) => done,
        Ok(Err(failure)) => end_process(&failure.0),
        Err((panic, place)) => {
            end_process(&format!("internal error in {}: {}{place}", activity(), message(&*panic)))
        }
    }
}

/// Runs `work`, which may panic. The panic is not printed, and also not reported later.
#[cfg_attr(own_host, allow(dead_code, reason = "only llvm-plugin panics"))]
pub(super) fn ignore_panic(work: impl FnOnce()) {
    let _ = catch(work);
}

/// Runs `work`. If `work` panics, returns the payload and the place of the panic.
fn catch<T>(work: impl FnOnce() -> T) -> Result<T, (Box<dyn Any + Send>, String)> {
    let count = UNREPORTED.try_with(|unreported| unreported.borrow().len()).unwrap_or(0);
    GUARDS.set(GUARDS.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(work));
    GUARDS.set(GUARDS.get() - 1);
    let panics =
        UNREPORTED.try_with(|unreported| unreported.borrow_mut().split_off(count)).unwrap_or_default();
    result.map_err(|payload| {
        // A destructor can have caught a later panic.
        let last = panics.into_iter().rfind(|panic| panic.text.contains(message(&*payload)));
        (payload, last.map_or(String::new(), |panic| panic.place))
    })
}

/// Prints `why`, removes unfinished output files, and ends the process with a failure status.
fn end_process(why: &str) -> ! {
    // Several threads of a linker can fail for the same reason. Only the first thread that fails prints a message.
    static LAST_WORD: Mutex<()> = Mutex::new(());
    let _until_the_end = LAST_WORD.lock();
    print_error(why);
    // SAFETY: the function runs LLVM's interrupt handlers and ends the process. LLVM's interrupt handlers can run at
    // any time and on any thread.
    unsafe { bpa_end_process() }
}

fn message(panic: &dyn Any) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
