//! What is happening, on a terminal; nothing in a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// A line on a terminal's standard error that says what is happening.
pub struct Progress(ProgressBar);

impl Progress {
    /// A line that counts to `total`, or only turns where that is not known.
    pub fn new(what: &str, total: Option<u64>) -> Self {
        let target = if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(total, target);
        let template = if total.is_some() { "{bar:30} {pos}/{len} {msg}" } else { "{spinner} {msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// Says what is happening now.
    pub fn say(&self, what: &str) {
        self.0.set_message(what.to_owned());
    }

    /// Counts `count` more.
    pub fn add(&self, count: u64) {
        self.0.inc(count);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
