//! What `doctor` found of a machine, for a person and for a machine.

use crate::problem::printable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of the document that `doctor --format json` writes.
pub const SCHEMA: &str = "harness-doctor/1";

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Diagnosis {
    /// `harness-doctor/1`.
    pub schema: String,
    /// Whether all that is required is there.
    pub healthy: bool,
    /// What was looked at.
    pub findings: Vec<Finding>,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// What it is.
    pub what: String,
    /// How it is.
    pub health: Health,
    /// What was found.
    pub found: String,
    /// How to get it, or to mend it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// How a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// As it should be.
    Fine,
    /// Something can't be done without it that need not be done.
    Optional,
    /// It is required, and missing or broken.
    Missing,
}

impl Health {
    /// The word that the report begins a line with.
    fn word(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Optional => "optional",
            Self::Missing => "MISSING",
        }
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width =
            self.findings.iter().map(|finding| finding.what.chars().count()).max().unwrap_or(0);
        for Finding { what, health, found, remedy } in &self.findings {
            let mut lines = found.lines().map(printable);
            writeln!(
                f,
                "{:<8}  {what:<width$}  {}",
                health.word(),
                lines.next().unwrap_or_default()
            )?;
            lines.try_for_each(|line| writeln!(f, "{:8}  {:width$}  {line}", "", ""))?;
            if let Some(remedy) = remedy {
                writeln!(f, "{:8}  {:width$}  hint: {remedy}", "", "")?;
            }
        }
        let end = if self.healthy {
            "All that is required is there"
        } else {
            "Not all that is required is there"
        };
        writeln!(f, "\n{end}")
    }
}
