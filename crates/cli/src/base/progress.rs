//! A progress bar.

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar for `count` steps. The bar is hidden if `count` is below 2, if the user passes --quiet, or if stderr
/// is not a terminal.
pub fn progress(count: usize, what: &'static str) -> ProgressBar {
    if count < 2 || crate::base::messages::is_quiet() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len}").expect("the template is valid");
    ProgressBar::new(count as u64).with_style(style).with_message(what)
}
