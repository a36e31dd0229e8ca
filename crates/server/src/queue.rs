//! The queue of jobs. A worker claims a job for the time of a lease, which it renews while it works. Each claim has a number, the attempt:
//! an answer with an old number is refused. So nothing has to look after workers that vanish, and no job is done twice.

pub mod by_hand;
mod estimate;
pub mod glance;

pub use estimate::{Estimate, estimate};

use crate::database::{Connection, Result, Value};
use crate::receipts::{self, Graded};
use crate::rules::Moment;
use crate::submissions::{late, results};
use harness::result::record::Record;

/// How long a claim lasts without a heartbeat. Milliseconds.
pub const LEASE: i64 = 15_000;

/// A job that failed so often is shown to staff.
pub const MOST_ATTEMPTS: i64 = 3;

/// How long a job that failed waits before the next attempt. Milliseconds.
const PAUSE: i64 = 5_000;

/// How much later a job is put for each open job of the same student and class. Milliseconds.
pub const FOR_EACH_OPEN: i64 = 60_000;

/// Why a job is in the queue. The lower ones come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Live = 0,
    ByHand = 1,
    Regrade = 2,
}

/// A job that a worker holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub job: i64,
    pub attempt: i64,
    pub submission: i64,
    pub assignment: String,
    /// The version of the course.
    pub course: String,
    /// The digest of the archive.
    pub archive: String,
    pub file_name: String,
    /// The student's login.
    pub login: String,
}

/// Queues the first job of a submission.
///
/// # Errors
/// If the database fails.
pub fn put_live(
    connection: &mut Connection<'_>,
    submission: i64,
    student: i64,
    course: &str,
) -> Result<i64> {
    put(connection, submission, student, course, Class::Live, None)
}

/// Queues a job of a submission.
///
/// # Errors
/// If the database fails.
pub fn put(
    connection: &mut Connection<'_>,
    submission: i64,
    student: i64,
    course: &str,
    class: Class,
    regrade: Option<i64>,
) -> Result<i64> {
    let now = connection.now()?;
    let open = connection.first(
        "select count(*) from job join submission on submission.id = job.submission \
         where submission.person = $1 and job.class = $2 and job.state in ('queued', 'running')",
        &[student.into(), (class as i64).into()],
    )?;
    let open = open.map_or(0, |row| row.int(0));
    connection.insert(
        "insert into job (submission, course, run, class, rank, state, regrade, queued) values \
         ($1, $2, (select count(*) from job where submission = $1 and course = $2), $3, $4, 'queued', $5, $6)",
        &[
            submission.into(),
            course.into(),
            (class as i64).into(),
            (now + FOR_EACH_OPEN * open).into(),
            regrade.into(),
            now.into(),
        ],
    )
}

/// Takes the next job, if there is one: one that is queued, or one whose worker did not renew its claim.
///
/// # Errors
/// If the database fails.
pub fn claim(connection: &mut Connection<'_>, worker: &str) -> Result<Option<Claim>> {
    let now = connection.now()?;
    let next = format!(
        "select id, attempt, given_back from job where state in ('queued', 'running') and until <= $1 \
         order by class, rank, id limit 1 {}",
        connection.skip_locked()
    );
    let Some(next) = connection.first(&next, &[now.into()])? else { return Ok(None) };
    let (job, attempt, given_back) = (next.int(0), next.int(1), next.int(2));
    // A job that ended its workers so often would end the next one too.
    if attempt - given_back >= MOST_ATTEMPTS {
        let reason = "its worker vanished each time, without saying why";
        close(connection, job, "failed", Some(reason))?;
        return claim(connection, worker);
    }
    let sql = "update job set state = 'running', attempt = attempt + 1, worker = $1, until = $2, \
        started = $3 where id = $4";
    connection.execute(sql, &[worker.into(), (now + LEASE).into(), now.into(), job.into()])?;
    let sql = "select job.submission, submission.assignment, job.course, submission.archive, \
        submission.file_name, person.login from job \
        join submission on submission.id = job.submission \
        join person on person.id = submission.person where job.id = $1";
    Ok(connection.first(sql, &[job.into()])?.map(|row| Claim {
        job,
        attempt: attempt + 1,
        submission: row.int(0),
        assignment: row.text(1),
        course: row.text(2),
        archive: row.text(3),
        file_name: row.text(4),
        login: row.text(5),
    }))
}

/// Which jobs wait for a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Some can be claimed.
    pub now: bool,
    /// Some are queued, perhaps for a later attempt. Those that a worker holds are not counted.
    pub later: bool,
}

/// Which jobs wait for a worker.
///
/// # Errors
/// If the database fails.
pub fn waiting(connection: &mut Connection<'_>) -> Result<Waiting> {
    let now = connection.now()?;
    let claimable =
        "select 1 from job where state in ('queued', 'running') and until <= $1 limit 1";
    let queued =
        "select 1 from job where state in ('queued', 'running') and state = 'queued' limit 1";
    Ok(Waiting {
        now: connection.first(claimable, &[now.into()])?.is_some(),
        later: connection.first(queued, &[])?.is_some(),
    })
}

/// Renews a claim. False if it is lost.
///
/// # Errors
/// If the database fails.
pub fn renew(connection: &mut Connection<'_>, claim: &Claim) -> Result<bool> {
    let now = connection.now()?;
    let sql = "update job set until = $1 where id = $2 and attempt = $3 and state = 'running'";
    Ok(connection.execute(sql, &[(now + LEASE).into(), claim.job.into(), claim.attempt.into()])?
        == 1)
}

/// Notes how far a job is. `report` is JSON, complete, and so for staff only. False if the claim is lost.
///
/// # Errors
/// If the database fails.
pub fn note_progress(
    connection: &mut Connection<'_>,
    claim: &Claim,
    stage: &str,
    report: &str,
) -> Result<bool> {
    if !renew(connection, claim)? {
        return Ok(false);
    }
    let now = connection.now()?;
    connection.execute(
        "insert into progress (job, attempt, stage, report, at) values ($1, $2, $3, $4, $5) \
         on conflict (job) do update set attempt = $2, stage = $3, report = $4, at = $5",
        &[claim.job.into(), claim.attempt.into(), stage.into(), report.into(), now.into()],
    )?;
    Ok(true)
}

/// Finishes a job with its result, which gets a receipt. False if the claim is lost, and then nothing is changed.
///
/// # Errors
/// If the database fails.
pub fn finish(connection: &mut Connection<'_>, claim: &Claim, record: &Record) -> Result<bool> {
    let now = connection.now()?;
    let sql = "update job set state = 'done', until = 0, reason = null, finished = $1 \
        where id = $2 and attempt = $3 and state = 'running' returning regrade";
    let finished = connection.first(sql, &[now.into(), claim.job.into(), claim.attempt.into()])?;
    let Some(finished) = finished else { return Ok(false) };
    // A regrade stands only when it is applied.
    let stands = finished.maybe_int(0).is_none();
    results::add(connection, claim, record, stands, now)?;
    forget_progress(connection, claim.job)?;
    if record.report.refused {
        // A refused submission costs no attempt.
        refund(connection, claim.submission)?;
    }
    receipts::add(
        connection,
        &Graded {
            job: claim.job,
            submission: claim.submission,
            student: &claim.login,
            archive: &claim.archive,
            course: &claim.course,
            at: Moment(now),
        },
        record,
    )?;
    Ok(true)
}

/// Gives a job back after a fault of the machine or the course. After [`MOST_ATTEMPTS`], it fails, and the submission costs no attempt.
///
/// # Errors
/// If the database fails.
pub fn fail(connection: &mut Connection<'_>, claim: &Claim, reason: &str) -> Result<bool> {
    let key: [Value; 2] = [claim.job.into(), claim.attempt.into()];
    let held = "select given_back from job where id = $1 and attempt = $2 and state = 'running'";
    let Some(held) = connection.first(held, &key)? else { return Ok(false) };
    let failures = claim.attempt - held.int(0);
    if failures >= MOST_ATTEMPTS {
        close(connection, claim.job, "failed", Some(reason))?;
        return Ok(true);
    }
    let now = connection.now()?;
    let pause = now + PAUSE * failures;
    let sql = "update job set state = 'queued', until = $1, reason = $2 where id = $3";
    connection.execute(sql, &[pause.into(), reason.into(), claim.job.into()])?;
    Ok(true)
}

/// Gives a job back that was not graded, because the worker is asked to end. It counts as no attempt, and yet the number stays used: the
/// next claim must not have it too.
///
/// # Errors
/// If the database fails.
pub fn give_back(connection: &mut Connection<'_>, claim: &Claim) -> Result<()> {
    let sql = "update job set state = 'queued', until = 0, given_back = given_back + 1 \
        where id = $1 and attempt = $2 and state = 'running'";
    connection.execute(sql, &[claim.job.into(), claim.attempt.into()])?;
    Ok(())
}

/// Ends a job without a result. A submission whose live job fails costs no attempt.
fn close(
    connection: &mut Connection<'_>,
    job: i64,
    state: &str,
    reason: Option<&str>,
) -> Result<()> {
    let now = connection.now()?;
    let sql = "update job set state = $1, until = 0, reason = $2, finished = $3 where id = $4 \
        returning submission, class";
    let closed = connection.first(sql, &[state.into(), reason.into(), now.into(), job.into()])?;
    forget_progress(connection, job)?;
    if let Some(row) = closed.filter(|row| row.int(1) == Class::Live as i64) {
        refund(connection, row.int(0))?;
    }
    Ok(())
}

/// Gives the attempt of a submission back, and the late days that only it needed. A later one may get its number.
///
/// # Errors
/// If the database fails.
pub fn refund(connection: &mut Connection<'_>, submission: i64) -> Result<()> {
    let sql = "update submission set slot = null where id = $1 \
        returning person, assignment, covered_days";
    match connection.first(sql, &[submission.into()])? {
        Some(row) if row.int(2) > 0 => late::give_back(connection, row.int(0), &row.text(1)),
        _ => Ok(()),
    }
}

fn forget_progress(connection: &mut Connection<'_>, job: i64) -> Result<()> {
    connection.execute("delete from progress where job = $1", &[job.into()])?;
    Ok(())
}

/// How many jobs are open: queued, or held by a worker.
///
/// # Errors
/// If the database fails.
pub fn open(connection: &mut Connection<'_>) -> Result<i64> {
    let sql = "select count(*) from job where state in ('queued', 'running')";
    Ok(connection.first(sql, &[])?.map_or(0, |row| row.int(0)))
}
