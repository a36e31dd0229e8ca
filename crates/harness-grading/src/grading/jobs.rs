//! What a resident grader reads and writes: a line of JSON each.

use super::stage::Stage;
use crate::diagnostic::{Failure, FailureKind, Problem};
use crate::result::graded::SubmissionReport;
use crate::result::record::Record;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A submission to grade.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// A folder, or an archive.
    pub submission: PathBuf,
    /// The name of the student, if it is not that of the folder or archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether to say how far it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub progress: bool,
}

/// What a resident grader says. A job that has no answer was not graded, and can be given to another.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Answer {
    /// The course is prepared. Said once, before anything else.
    Ready {
        assignment: String,
        /// The digest of all that the course says about its submissions.
        course: String,
        /// The digest of the program `harness`.
        harness: String,
    },
    /// A stage of a job is done, whose result comes later.
    Progress {
        submission: PathBuf,
        stage: Stage,
        /// What is known until now, without points. What is not known yet is missing. It is complete, and so only for staff.
        report: Box<SubmissionReport>,
    },
    /// The result of a job.
    Graded {
        submission: PathBuf,
        /// It is complete, and so only for staff.
        record: Box<Record>,
    },
    /// Why a job could not be graded. It is never the fault of the program that was handed in.
    Failed { submission: Option<PathBuf>, kind: FailureKind, problems: Vec<Problem> },
    /// No more jobs are taken. Said last.
    Ended { why: End },
}

/// Why a resident grader ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// There are no more jobs.
    NoMoreJobs,
    /// It has graded as many submissions as it was asked to.
    Enough,
    /// The course has changed since it was prepared.
    CourseChanged,
}

impl Answer {
    /// The answer to a job that failed.
    pub fn failed(submission: Option<PathBuf>, failure: Failure) -> Self {
        Self::Failed { submission, kind: failure.kind, problems: failure.problems }
    }
}
