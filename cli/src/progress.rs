//! How far a command is.

use indicatif::{ProgressBar, ProgressStyle};

/// On a terminal, and of several things only.
pub fn progress(count: usize, what: &'static str) -> ProgressBar {
    if count < 2 {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len}").expect("a good template");
    ProgressBar::new(count as u64).with_style(style).with_message(what)
}
