//! The result of `doctor`, as text and as JSON.

use super::screen::{BAD, GOOD, Screen, WARNING, WriteText, width};
use crate::diagnostic::printable;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// The version of the document that `doctor --format json` writes.
pub const SCHEMA: &str = "harness-doctor/1";

/// The result of all checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Diagnosis {
    /// `harness-doctor/1`.
    pub schema: String,
    /// Whether everything that is required is present and works.
    pub healthy: bool,
    /// The checks, in order.
    pub findings: Vec<Finding>,
}

/// The result of checking one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// What was checked.
    pub what: String,
    pub health: Health,
    /// What the check found, as a sentence.
    pub found: String,
    /// How to install or fix it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// It is present and works.
    Fine,
    /// Something can't be done without it that need not be done.
    Optional,
    /// It is required, but missing or broken.
    Missing,
}

impl Health {
    /// The first column of the report, eight columns wide.
    fn styled(self, screen: Screen) -> String {
        let (style, word) = match self {
            Self::Fine => (GOOD, "fine    "),
            Self::Optional => (WARNING, "optional"),
            Self::Missing => (BAD, "MISSING "),
        };
        screen.styled(style, word)
    }
}

impl WriteText for Diagnosis {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let widest = self.findings.iter().map(|finding| width(&finding.what)).max().unwrap_or(0);
        for Finding { what, health, found, remedy } in &self.findings {
            let space = " ".repeat(widest - width(what));
            let mut label = format!("{}  {what}{space}  ", health.styled(screen));
            let remedy = remedy.as_ref().map(|remedy| format!("hint: {remedy}"));
            for line in found.lines().map(printable).chain(remedy) {
                screen.field(out, &label, &line)?;
                label = " ".repeat(width(&label));
            }
        }
        let end = if self.healthy {
            "Everything required is present"
        } else {
            "Something required is missing"
        };
        writeln!(out, "\n{end}")
    }
}
