//! What staff do with jobs: grade a submission once more, or try again what failed.

use super::{Class, put};
use crate::audit;
use crate::database::{Connection, Result};
use crate::people::Person;
use crate::submissions::Submission;

/// Queues a submission once more, with this version of the course. None if it is in the queue already.
///
/// # Errors
/// If the database fails.
pub fn rerun(
    connection: &mut Connection<'_>,
    submission: &Submission,
    student: &Person,
    course: &str,
    reason: &str,
    by: i64,
) -> Result<Option<i64>> {
    // Whoever asks for the same at the same time waits here.
    let lock = format!("select id from submission where id = $1 {}", connection.for_update());
    connection.first(&lock, &[submission.id.into()])?;
    let open = "select 1 from job where submission = $1 and state in ('queued', 'running') limit 1";
    if connection.first(open, &[submission.id.into()])?.is_some() {
        return Ok(None);
    }
    let last =
        "select course from job where submission = $1 and regrade is null order by id desc limit 1";
    let before = connection.first(last, &[submission.id.into()])?.map(|row| row.text(0));
    let job = put(connection, submission.id, student.id, course, Class::ByHand, None)?;
    let object = format!("student {}, {}", student.login, submission.assignment);
    let entry =
        audit::Entry { person: Some(by), action: "rerun submission", object: &object, reason };
    let value =
        |course: Option<&str>| serde_json::json!({ "submission": submission.id, "course": course });
    audit::add(connection, &entry, value(before.as_deref()), value(Some(course)))?;
    Ok(Some(job))
}

/// Queues a job that failed once more. False if it has not failed, or belongs to a regrade that is over.
///
/// # Errors
/// If the database fails.
pub fn retry(connection: &mut Connection<'_>, job: i64, by: i64) -> Result<bool> {
    let found = connection.first(
        "select job.reason, job.regrade, job.submission, person.login, submission.assignment from job \
         join submission on submission.id = job.submission \
         join person on person.id = submission.person where job.id = $1 and job.state = 'failed'",
        &[job.into()],
    )?;
    let Some(found) = found else { return Ok(false) };
    if let Some(regrade) = found.maybe_int(1) {
        let sql = format!("select state from regrade where id = $1 {}", connection.for_update());
        let state = connection.first(&sql, &[regrade.into()])?.map(|row| row.text(0));
        if state.as_deref() != Some("preview") {
            return Ok(false);
        }
    }
    // The number of the attempt goes on, so that a worker of long ago is still too late.
    let sql = "update job set state = 'queued', until = 0, given_back = attempt, reason = null, \
        finished = null where id = $1 and state = 'failed'";
    if connection.execute(sql, &[job.into()])? == 0 {
        return Ok(false);
    }
    let object = format!("student {}, {}", found.text(3), found.text(4));
    let entry = audit::Entry {
        person: Some(by),
        action: "try job again",
        object: &object,
        reason: "it failed",
    };
    let before = serde_json::json!({ "submission": found.int(2), "job": job, "reason": found.maybe_text(0) });
    audit::add(connection, &entry, before, serde_json::json!({ "state": "queued" }))?;
    Ok(true)
}
