//! How far long work is, on standard error, where somebody looks.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How often what has no known end shows that it goes on.
const TICK: Duration = Duration::from_millis(200);

/// A bar over `length` steps; one that only shows that there is progress if `length` is 0. Nothing is drawn
/// where standard error is no terminal.
pub fn bar(what: &'static str, length: u64) -> ProgressBar {
    let template = match length {
        0 => "{msg} {spinner} {elapsed}",
        _ => "{msg} {wide_bar} {pos}/{len} {eta}",
    };
    let bar = if length == 0 { ProgressBar::new_spinner() } else { ProgressBar::new(length) };
    bar.set_message(what);
    // The two templates are constants, which the tests draw.
    bar.set_style(
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar.enable_steady_tick(TICK);
    bar
}
