//! What is happening, on a terminal; nothing in a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::time::Duration;

/// A line on a terminal's standard error that says what is happening.
pub struct Progress(ProgressBar);

impl Progress {
    /// A line that counts to `total`, or only turns where that is not known.
    pub fn new(what: &str, total: Option<u64>) -> Self {
        Self::styled(
            what,
            total,
            if total.is_some() { "{bar:30} {pos}/{len} {msg}" } else { "{spinner} {msg}" },
        )
    }

    /// A line that counts cases, and says how many there are a second.
    pub fn of_cases(what: &str) -> Self {
        Self::styled(what, None, "{spinner} {human_pos} cases, {rate} a second  {msg}")
    }

    /// No line.
    pub fn none() -> Self {
        Self(ProgressBar::hidden())
    }

    fn styled(what: &str, total: Option<u64>, template: &str) -> Self {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(total, target);
        if let Ok(style) = ProgressStyle::with_template(template) {
            let rate = |state: &ProgressState, out: &mut dyn Write| {
                // A terminal that takes no text is no reason to stop.
                let _ = write!(out, "{:.0}", state.per_sec());
            };
            bar.set_style(style.with_key("rate", rate));
        }
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// Says what is happening now.
    pub fn say(&self, what: &str) {
        self.0.set_message(what.to_owned());
    }

    /// Does what prints, with the line out of the way.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
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
