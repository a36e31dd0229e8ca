//! What students see: what staff released, together.

use super::{Comment, Grade, Grading};
use crate::audit;
use crate::database::{Connection, Result, Value};
use crate::people::sight::numbers;
use crate::submissions::results;
use harness::result::graded::SubmissionReport;
use harness::result::graded::points::{Part, hundredths};
use serde::Serialize;
use std::collections::BTreeMap;

/// What the student of a submission sees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Released {
    pub grades: Vec<Grade>,
    pub comments: Vec<Comment>,
}

/// What the student of a submission sees.
///
/// # Errors
/// If the database fails.
pub fn released(connection: &mut Connection<'_>, submission: i64) -> Result<Released> {
    let Grading { mut grades, mut comments, .. } = Grading::of(connection, submission)?;
    grades.retain(|it| it.released.is_some());
    comments.retain(|comment| grades.iter().any(|it| it.part == comment.part));
    Ok(Released { grades, comments })
}

/// The released grades of an assignment, by submission.
///
/// # Errors
/// If the database fails.
pub fn of_class(
    connection: &mut Connection<'_>,
    assignment: &str,
) -> Result<BTreeMap<i64, Vec<Grade>>> {
    let sql = format!(
        "select {}, hand_grade.submission from hand_grade where hand_grade.assignment = $1 \
         and hand_grade.released is not null order by hand_grade.submission, hand_grade.part",
        Grade::COLUMNS
    );
    let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for row in connection.query(&sql, &[assignment.into()])? {
        all.entry(row.int(8)).or_default().push(Grade::of(&row));
    }
    Ok(all)
}

/// Adds what was released to a report that has points.
pub fn in_report(report: &mut SubmissionReport, grades: &[Grade]) {
    if report.refused {
        return;
    }
    let points = &mut report.points;
    for grade in grades {
        let (earned, max) = (grade.points as f64 / 100.0, grade.most as f64 / 100.0);
        points.earned = hundredths(points.earned + earned);
        points.max = hundredths(points.max + max);
        let part = Part { name: grade.part.clone(), earned: Some(earned), max };
        match points.parts.iter_mut().find(|it| it.name == grade.part && it.earned.is_none()) {
            Some(known) => *known = part,
            None => points.parts.push(part),
        }
    }
}

/// Shows students what was graded of some parts, and gives the number of submissions. Drafts stay drafts.
///
/// # Errors
/// If the database fails.
pub fn release(
    connection: &mut Connection<'_>,
    assignment: &str,
    parts: &[String],
    by: i64,
) -> Result<i64> {
    // What a grader saves at this moment is released, or waits for the next time.
    connection.hold(&format!("release of {assignment}"))?;
    let now = later(connection, assignment)?;
    let sql = format!(
        "update hand_grade set released = $1 where assignment = $2 and released is null \
         and submission in (select submission from hand_grading where assignment = $2 and done = 1) \
         and part in ({})",
        numbers(3, parts.len())
    );
    let mut values: Vec<Value> = vec![now.into(), assignment.into()];
    values.extend(parts.iter().map(Into::into));
    let grades = connection.execute(&sql, &values)?;
    results::renew_released(connection, assignment, now)?;
    let sql = "select count(distinct submission) from hand_grade \
        where assignment = $1 and released = $2";
    let row = connection.first(sql, &[assignment.into(), now.into()])?;
    let submissions = row.map_or(0, |row| row.int(0));
    let object = format!("all students, {assignment}");
    let action = "release grades by hand";
    let entry = audit::Entry { person: Some(by), action, object: &object, reason: "" };
    let after = serde_json::json!({ "parts": parts, "submissions": submissions, "grades": grades });
    audit::add(connection, &entry, (), after)?;
    Ok(submissions)
}

/// A moment at which nothing of the assignment was released before: it tells what was released together.
fn later(connection: &mut Connection<'_>, assignment: &str) -> Result<i64> {
    let sql = "select coalesce(max(released), 0) from hand_grade where assignment = $1";
    let last = connection.first(sql, &[assignment.into()])?.map_or(0, |row| row.int(0));
    Ok(connection.now()?.max(last + 1))
}
