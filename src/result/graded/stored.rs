//! The result of a submission as it is kept in a file, with what it is the result of.

use super::SubmissionReport;
use serde::{Deserialize, Serialize};

/// The version of the file that `grade --out` writes for each submission.
pub const SCHEMA: &str = "harness-result/1";

/// A result that is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Stored {
    /// `harness-result/1`.
    pub schema: String,
    /// The version of the program.
    pub harness: String,
    /// The SHA-256 of what the course says: its file, the reference, the mutants, the cases and the seed, in hexadecimal.
    pub course_digest: String,
    /// The complete result, as staff see it.
    pub report: SubmissionReport,
}

/// How the points of a submission change.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub name: String,
    /// The points before and after, of the whole and of each part that changes.
    pub points: Vec<(String, Option<f64>, Option<f64>)>,
}

impl Change {
    /// The change from one result to another; `None` if no points change.
    #[expect(clippy::float_cmp, reason = "points are rounded to hundredths")]
    pub fn between(before: &SubmissionReport, after: &SubmissionReport) -> Option<Self> {
        let part = |report: &SubmissionReport, name: &str| {
            report.points.parts.iter().find(|part| part.name == name).and_then(|part| part.earned)
        };
        let parts = before.points.parts.iter().chain(&after.points.parts);
        let mut names: Vec<_> = parts.map(|part| part.name.clone()).collect();
        names.sort();
        names.dedup();
        let parts = names.into_iter().filter_map(|name| {
            let (old, new) = (part(before, &name), part(after, &name));
            (old != new).then_some((name, old, new))
        });
        let earned = (before.points.earned, after.points.earned);
        let whole =
            (earned.0 != earned.1).then(|| ("points".to_owned(), Some(earned.0), Some(earned.1)));
        let points: Vec<_> = whole.into_iter().chain(parts).collect();
        (!points.is_empty()).then(|| Self { name: after.name.clone(), points })
    }
}
