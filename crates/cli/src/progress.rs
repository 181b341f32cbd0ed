//! How far a command is.

use indicatif::{ProgressBar, ProgressStyle};

/// On a terminal, of several things only, and unless --quiet was given.
pub fn progress(count: usize, what: &'static str) -> ProgressBar {
    if count < 2 || crate::messages::is_quiet() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len}").expect("a good template");
    ProgressBar::new(count as u64).with_style(style).with_message(what)
}
