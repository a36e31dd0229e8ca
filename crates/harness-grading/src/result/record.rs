//! The result of one submission as it is kept in the folder of a class, with the digests of all that it was made from. Pure.

use crate::result::graded::SubmissionReport;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the document that `grade --out` writes for each submission.
pub const SCHEMA: &str = "harness-record/1";

/// The complete result of one submission. Only staff may read it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// `harness-record/1`.
    pub schema: String,
    /// The assignment's id.
    pub assignment: String,
    pub digests: Digests,
    pub report: SubmissionReport,
}

/// What a result was made from: SHA-256 in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Digests {
    /// The submission: its files, and what was wrong with the archive.
    pub submission: String,
    /// The course: settings, cases, mutants, reference and seed.
    pub course: String,
    /// The program `harness`.
    pub harness: String,
}

impl Record {
    pub fn new(assignment: &str, digests: Digests, report: SubmissionReport) -> Self {
        Self { schema: SCHEMA.to_owned(), assignment: assignment.to_owned(), digests, report }
    }
}
