//! Results, and since when they stand. Nothing else changes which results stand, because the contenders change with them: the few
//! submissions of a student of which one counts, whatever the rules are. The pages of a class read these, and not all submissions.

use super::Submission;
use super::standing::{EARNED, STANDING};
use crate::database::{Connection, Result};
use crate::queue::Claim;
use harness::result::graded::SubmissionReport;
use harness::result::record::Record;
use harness::result::score::Score;

/// Adds the result of a job. It stands from this moment on, or it is one of a regrade and stands when that is applied.
///
/// # Errors
/// If the database fails.
pub fn add(
    connection: &mut Connection<'_>,
    claim: &Claim,
    record: &Record,
    stands: bool,
    now: i64,
) -> Result<()> {
    let report = &record.report;
    let score = report.tests.as_ref().and_then(|tests| tests.score.as_ref());
    let earns = score.is_some_and(Score::earns_extra_submission);
    let hundredths = |points: f64| (points * 100.0).round() as i64;
    connection.execute(
        "insert into result (job, submission, course, attempt, points, max_points, refused, exposed, \
         earns_bonus, record, finished, applied) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        &[
            claim.job.into(),
            claim.submission.into(),
            (&claim.course).into(),
            claim.attempt.into(),
            hundredths(report.points.earned).into(),
            hundredths(report.points.max).into(),
            report.refused.into(),
            score.map(|score| i64::from(score.exposed)).into(),
            earns.into(),
            json(record).into(),
            now.into(),
            stands.then_some(now).into(),
        ],
    )?;
    let sql = "insert into summary (job, record) values ($1, $2)";
    connection.execute(sql, &[claim.job.into(), summary(record).into()])?;
    if stands {
        let of_submission = "select one.person from submission one where one.id = $2";
        renew_of(connection, &claim.assignment, of_submission, claim.submission)?;
    }
    Ok(())
}

/// Lets the results of a regrade stand from this moment on, and gives their number.
///
/// # Errors
/// If the database fails.
pub fn apply(
    connection: &mut Connection<'_>,
    regrade: i64,
    assignment: &str,
    now: i64,
) -> Result<u64> {
    let results = connection.execute(
        "update result set applied = $1 where applied is null \
         and job in (select id from job where regrade = $2)",
        &[now.into(), regrade.into()],
    )?;
    let of_regrade = "select one.person from job join submission one on one.id = job.submission \
        where job.regrade = $2";
    renew_of(connection, assignment, of_regrade, regrade)?;
    Ok(results)
}

/// Finds the contenders of a student anew.
///
/// # Errors
/// If the database fails.
pub fn renew(connection: &mut Connection<'_>, assignment: &str, student: i64) -> Result<()> {
    renew_of(connection, assignment, "select cast($2 as bigint)", student)
}

/// Waits until nobody else changes which submissions of an assignment may count, and keeps others from it until this transaction ends.
///
/// # Errors
/// If the database fails.
pub fn hold(connection: &mut Connection<'_>, assignment: &str) -> Result<()> {
    connection.hold(&format!("contenders of {assignment}"))
}

/// Counts that a grade of an assignment may change, so that learning platforms get it. Whoever does this holds the assignment.
pub(super) fn count(connection: &mut Connection<'_>, assignment: &str) -> Result<()> {
    let sql = "update passback set changed = changed + 1 where assignment = $1";
    connection.execute(sql, &[assignment.into()]).map(|_| ())
}

/// Adds up what is released of a submission that was graded by hand, and finds the contenders of its student anew.
///
/// # Errors
/// If the database fails.
pub fn renew_graded(connection: &mut Connection<'_>, submission: &Submission) -> Result<()> {
    add_up(connection, "id = $1", submission.id)?;
    renew(connection, &submission.assignment, submission.person)
}

/// The same for all submissions of which something was released at this moment.
///
/// # Errors
/// If the database fails.
pub fn renew_released(
    connection: &mut Connection<'_>,
    assignment: &str,
    released: i64,
) -> Result<()> {
    let which = "id in (select submission from hand_grade where released = $1)";
    add_up(connection, which, released)?;
    let students = "select one.person from hand_grade join submission one \
        on one.id = hand_grade.submission where hand_grade.assignment = $1 \
        and hand_grade.released = $2";
    renew_of(connection, assignment, students, released)
}

/// Adds up the released points of some submissions. `which` is a condition with a value for its `$1`.
fn add_up(connection: &mut Connection<'_>, which: &str, value: i64) -> Result<()> {
    let sum = |column: &str| {
        format!(
            "(select cast(coalesce(sum(hand_grade.{column}), 0) as bigint) from hand_grade \
             where hand_grade.submission = submission.id and hand_grade.released is not null)"
        )
    };
    let sql = format!(
        "update submission set hand_most = {}, hand_points = {} where {which}",
        sum("most"),
        sum("points")
    );
    connection.execute(&sql, &[value.into()])?;
    Ok(())
}

/// Finds the contenders of some students anew. `students` is a query for their numbers, with a value for its `$2`.
fn renew_of(
    connection: &mut Connection<'_>,
    assignment: &str,
    students: &str,
    value: i64,
) -> Result<()> {
    // Of two results that come at once, the second one sees the first.
    hold(connection, assignment)?;
    count(connection, assignment)?;
    let key = [assignment.into(), value.into()];
    let old = format!("delete from contender where assignment = $1 and person in ({students})");
    connection.execute(&old, &key)?;
    // Of those that are equally late, the best is the same whatever lateness costs.
    let new = format!(
        "insert into contender \
         (assignment, person, submission, at, late_days, job, points, max_points, exposed) \
         select assignment, person, id, at, late_days, job, points, max_points, exposed from ( \
            select submission.assignment, submission.person, submission.id, submission.at, \
            submission.late_days, result.job, result.points, result.max_points, result.exposed, \
            row_number() over (partition by submission.person, submission.late_days, \
                submission.late_hours, submission.covered_days \
                order by {EARNED} desc, submission.id) as place, \
            row_number() over (partition by submission.person order by submission.id desc) as from_last \
            from {STANDING} and submission.assignment = $1 and submission.person in ({students}) \
         ) as standing where place = 1 or from_last = 1"
    );
    connection.execute(&new, &key)?;
    Ok(())
}

fn json(record: &Record) -> String {
    serde_json::to_string(record).unwrap_or_default()
}

/// What the pages of a class show of a record.
pub fn summary(record: &Record) -> String {
    json(&Record { report: slim(record.report.clone()), ..record.clone() })
}

/// The report without inputs, outputs and tests.
pub(super) fn slim(mut report: SubmissionReport) -> SubmissionReport {
    for case in report.groups.iter_mut().flat_map(|group| &mut group.cases) {
        case.command = Vec::new();
        (case.says, case.stopped, case.shown) = (None, None, None);
    }
    if let Some(tests) = &mut report.tests {
        (tests.tests, tests.ignored, tests.hints) = (Vec::new(), Vec::new(), Vec::new());
        tests.exposed_by = std::collections::BTreeMap::new();
    }
    if let Some(build) = &mut report.build {
        (build.compilations, build.warnings) = (Vec::new(), Vec::new());
    }
    report.own = None;
    report
}
