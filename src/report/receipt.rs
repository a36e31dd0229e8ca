//! The result of `verify`, as text and as JSON: whether a record comes out again as its receipt says.

use super::screen::{BAD, GOOD, STRONG, Screen, WARNING, WriteText, width};
use crate::diagnostic::printable;
use crate::result::receipt::{Earned, Receipt};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// The version of the document that `verify --format json` writes.
pub const SCHEMA: &str = "harness-receipt-checked/1";

/// What was found out about a receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checked {
    /// `harness-receipt-checked/1`.
    pub schema: String,
    /// Whether nothing differs.
    pub same: bool,
    pub receipt: Receipt,
    /// What was compared, in order.
    pub findings: Vec<Finding>,
}

/// The result of comparing one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// What was compared.
    pub what: String,
    pub verdict: Verdict,
    /// What was found, as a sentence.
    pub found: String,
    /// More about a difference.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// As the receipt says.
    Same,
    /// It decides nothing, but one should know it.
    Note,
    /// Not as the receipt says.
    Differs,
}

impl Verdict {
    /// The first column of the report, seven columns wide.
    fn styled(self, screen: Screen) -> String {
        let (style, word) = match self {
            Self::Same => (GOOD, "same   "),
            Self::Note => (WARNING, "note   "),
            Self::Differs => (BAD, "DIFFERS"),
        };
        screen.styled(style, word)
    }
}

impl Finding {
    pub fn new(what: impl Into<String>, verdict: Verdict, found: impl Into<String>) -> Self {
        Self { what: what.into(), verdict, found: found.into(), details: Vec::new() }
    }
}

impl Checked {
    pub fn new(receipt: Receipt, findings: Vec<Finding>) -> Self {
        let same = findings.iter().all(|finding| finding.verdict != Verdict::Differs);
        Self { schema: SCHEMA.to_owned(), same, receipt, findings }
    }
}

impl WriteText for Checked {
    fn write_text(&self, out: &mut String, screen: Screen) -> fmt::Result {
        let Receipt { number, student, assignment, submission, graded, points, .. } = &self.receipt;
        let Earned { earned, max } = points;
        let title = format!("Receipt {number}: {student}, {assignment}, submission {submission}");
        writeln!(out, "{}", screen.styled(STRONG, &printable(&title)))?;
        let stated = format!("{earned} of {max} points, graded {graded}");
        writeln!(out, "{}\n", printable(&stated))?;
        let widest = self.findings.iter().map(|it| width(&printable(&it.what))).max();
        for Finding { what, verdict, found, details } in &self.findings {
            let what = printable(what);
            let space = " ".repeat(widest.unwrap_or(0) - width(&what));
            let mut label = format!("{}  {what}{space}  ", verdict.styled(screen));
            for line in [found].into_iter().chain(details) {
                screen.field(out, &label, &printable(line))?;
                label = " ".repeat(width(&label));
            }
        }
        let end = if self.same {
            "The record comes out as the receipt says"
        } else {
            "This is not what the receipt says"
        };
        writeln!(out, "\n{end}")
    }
}
