//! Progress on a terminal's standard error. Nothing is written if that is not a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::time::Duration;

/// A progress line. It disappears when it is dropped.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar that counts to `total`, or a spinner if the total is unknown.
    pub fn new(what: &str, total: Option<u64>) -> Self {
        Self::styled(
            what,
            total,
            if total.is_some() { "{bar:30} {pos}/{len} {msg}" } else { "{spinner} {msg}" },
        )
    }

    /// A bar that counts to `total`, with an estimate of the time that is left.
    pub fn with_estimate(what: &str, total: u64) -> Self {
        Self::styled(what, Some(total), "{bar:30} {pos}/{len} {msg}, {eta} left")
    }

    /// A spinner with the number of cases so far and the rate.
    pub fn of_cases(what: &str) -> Self {
        Self::styled(what, None, "{spinner} {human_pos} cases, {rate} a second  {msg}")
    }

    /// A progress line that is never shown.
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
                // A failure to show progress must not stop the work.
                let _ = write!(out, "{:.0}", state.per_sec());
            };
            bar.set_style(style.with_key("rate", rate));
        }
        bar.set_message(cut(what));
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// Changes the message.
    pub fn say(&self, what: &str) {
        self.0.set_message(cut(what));
    }

    /// Hides the line while `print` runs.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    pub fn add(&self, count: u64) {
        self.0.inc(count);
    }
}

/// A message that leaves room for the numbers before it in a line of 80 columns.
fn cut(message: &str) -> String {
    const MOST: usize = 44;
    if message.chars().count() <= MOST {
        return message.to_owned();
    }
    message.chars().take(MOST - 1).chain(['…']).collect()
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
