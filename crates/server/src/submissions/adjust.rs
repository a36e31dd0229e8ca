//! Points that staff change by hand. They belong to the submission and not to a result, so they stay when it is graded again.

use super::{Submission, results};
use crate::audit;
use crate::database::{Connection, Result};
use crate::people::Person;
use harness::result::graded::SubmissionReport;
use harness::result::graded::points::Part;

/// What staff change at most, in points.
pub const MOST: f64 = 10_000.0;

/// The name of the part of the points.
const PART: &str = "by hand";

/// Adds so many points, in hundredths, to what a submission earns, instead of those that were added before.
///
/// # Errors
/// If the database fails.
pub fn adjust(
    connection: &mut Connection<'_>,
    submission: &Submission,
    student: &Person,
    hundredths: i64,
    reason: &str,
    by: i64,
) -> Result<()> {
    let sql = "update submission set adjusted = $2, adjusted_why = $3 where id = $1";
    connection.execute(sql, &[submission.id.into(), hundredths.into(), reason.into()])?;
    results::renew(connection, &submission.assignment, student.id)?;
    let object = format!("student {}, {}", student.login, submission.assignment);
    let entry = audit::Entry { person: Some(by), action: "change points", object: &object, reason };
    let value = |hundredths: i64| serde_json::json!({ "submission": submission.id, "points": hundredths as f64 / 100.0 });
    audit::add(connection, &entry, value(submission.adjusted), value(hundredths))
}

/// Adds them to a report that has points.
pub fn in_report(report: &mut SubmissionReport, hundredths: i64) {
    if hundredths != 0 && !report.refused {
        let points = hundredths as f64 / 100.0;
        report.points.earned = (report.points.earned + points).max(0.0);
        report.points.parts.push(Part { name: PART.to_owned(), earned: Some(points), max: 0.0 });
    }
}
