//! When the server looks by itself for what a class gets wrong, and for how long.

use super::Count;
use serde::Deserialize;

/// When the server looks by itself for what a class gets wrong, and for how long.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mining {
    /// Whether it looks each night after the due date.
    pub nightly: bool,
    /// After how many minutes it ends, with what was found.
    pub minutes: Count,
}

impl Default for Mining {
    fn default() -> Self {
        Self { nightly: false, minutes: Count(30) }
    }
}
