//! A date on the command line.

use std::fmt;
use std::time::SystemTime;

/// A day in the form that the hints file uses, such as `2026-11-20`.
#[derive(Debug, Clone)]
pub struct Day(String);

impl Day {
    /// Today in UTC.
    pub fn today() -> Self {
        let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        Self(now.split('T').next().unwrap_or_default().to_owned())
    }

    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let midnight = format!("{text}T00:00:00Z");
        let day = humantime::parse_rfc3339(&midnight).map(|_| Self(text.to_owned()));
        day.map_err(|_| "expected a day such as 2026-11-20".to_owned())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
