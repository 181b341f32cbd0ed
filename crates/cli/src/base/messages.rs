//! Prints notes, warnings, summaries and progress to standard error.

use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

static IS_QUIET: AtomicBool = AtomicBool::new(false);
static IS_VERBOSE: AtomicBool = AtomicBool::new(false);

/// Turns off notes, warnings and progress. Errors are still printed.
pub fn be_quiet() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

pub fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Turns on the option `-v`: bpa prints all rules that apply. If files have errors, bpa prints each error and no
/// summary.
pub fn be_verbose() {
    IS_VERBOSE.store(true, Ordering::Relaxed);
}

pub fn is_verbose() -> bool {
    IS_VERBOSE.load(Ordering::Relaxed)
}

/// Prints a note to standard error. A note explains the result, but is not part of the result.
pub fn note(text: &str) {
    if !is_quiet() {
        anstream::eprintln!("note: {text}");
    }
}

/// Prints warnings, or a summary, to standard error.
pub fn plain(text: &str) {
    if !is_quiet() && !text.trim().is_empty() {
        anstream::eprintln!("{}", text.trim_end());
    }
}

/// A progress bar for `count` steps. The bar is hidden if `count` is below 2, if the user passes --quiet, or if stderr
/// is not a terminal.
pub fn progress(count: usize, what: &'static str) -> ProgressBar {
    if count < 2 || crate::base::messages::is_quiet() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len}").expect("the template is valid");
    ProgressBar::new(count as u64).with_style(style).with_message(what)
}
