//! How far the grading of a submission is.

use crate::diagnostic::Failure;
use crate::result::graded::SubmissionReport;
use serde::{Deserialize, Serialize};

/// What has just been done, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The student's tests were scored.
    Tests,
    /// The program was built.
    Build,
    /// A group of cases was run.
    Cases,
    /// The program was checked for leaks.
    Leaks,
}

/// Hears of each stage, with a report of what is known until then. A failure ends the grading.
pub type StageWatch<'a> = dyn FnMut(Stage, &SubmissionReport) -> Result<(), Failure> + 'a;
