//! Progress of long work, on standard error if that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Interval of the spinner of work without a known length.
const TICK: Duration = Duration::from_millis(200);

/// A bar over `length` steps, or a spinner if `length` is 0. Draws nothing if standard error is not
/// a terminal.
pub fn bar(what: &'static str, length: u64) -> ProgressBar {
    let template = match length {
        0 => "{msg} {spinner} {elapsed}",
        _ => "{msg} {wide_bar} {pos}/{len} {eta}",
    };
    let bar = if length == 0 { ProgressBar::new_spinner() } else { ProgressBar::new(length) };
    bar.set_message(what);
    // The two templates are constants; tests draw them.
    bar.set_style(
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar.enable_steady_tick(TICK);
    bar
}
