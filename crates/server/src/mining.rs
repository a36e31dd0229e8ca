//! What the programs of a class get wrong. `harness mutants mine` finds it in a job behind all others: such a job is claimed while no
//! submission waits, one at a time, and gives way as soon as one would wait for it. It has a lease and attempts as the others do.

mod found;
mod nightly;
mod students;

pub use found::{Answer, Behaviour, Found, Represented, Test};
pub use nightly::{is_over, nightly};
pub use students::{Students, students};

use crate::audit;
use crate::database::{Connection, Result, Row};
use crate::queue::{self, LEASE, MOST_ATTEMPTS};
use crate::rules::Moment;

/// How long a job that failed waits before the next attempt. Milliseconds.
const PAUSE: i64 = 60_000;

/// A job that a worker holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub id: i64,
    pub attempt: i64,
    pub assignment: String,
    /// The version of the course.
    pub course: String,
}

/// A job, as staff see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    pub id: i64,
    pub course: String,
    pub state: String,
    /// Why it failed, or its last attempt did.
    pub reason: Option<String>,
    pub queued: Moment,
    pub finished: Option<Moment>,
    /// The login of who wanted it. None: the setting.
    pub by: Option<String>,
}

impl Job {
    pub fn is_open(&self) -> bool {
        self.state == "queued" || self.state == "running"
    }
}

/// Queues a job. False if one is open, or no student has handed anything in.
///
/// # Errors
/// If the database fails.
pub fn put(
    connection: &mut Connection<'_>,
    assignment: &str,
    course: &str,
    by: Option<i64>,
) -> Result<bool> {
    let Some(last) = last_submission(connection, assignment)? else { return Ok(false) };
    let now = connection.now()?;
    let sql = "insert into mining (assignment, course, submission, state, queued, person) \
        values ($1, $2, $3, 'queued', $4, $5) on conflict do nothing";
    let values = [assignment.into(), course.into(), last.into(), now.into(), by.into()];
    if connection.execute(sql, &values)? == 0 {
        return Ok(false);
    }
    let entry =
        audit::Entry { person: by, action: "mine programs", object: assignment, reason: "" };
    audit::add(connection, &entry, (), serde_json::json!({ "course": course }))?;
    Ok(true)
}

/// The last submission of a student.
fn last_submission(connection: &mut Connection<'_>, assignment: &str) -> Result<Option<i64>> {
    let sql = "select submission.id from submission join person on person.id = submission.person \
        where submission.assignment = $1 and person.role = 'student' \
        order by submission.id desc limit 1";
    Ok(connection.first(sql, &[assignment.into()])?.map(|row| row.int(0)))
}

const COLUMNS: &str = "mining.id, mining.course, mining.state, mining.reason, mining.queued, \
    mining.finished, person.login";

fn job(row: &Row) -> Job {
    Job {
        id: row.int(0),
        course: row.text(1),
        state: row.text(2),
        reason: row.maybe_text(3),
        queued: Moment(row.int(4)),
        finished: row.maybe_int(5).map(Moment),
        by: row.maybe_text(6),
    }
}

/// The last job of an assignment.
///
/// # Errors
/// If the database fails.
pub fn last(connection: &mut Connection<'_>, assignment: &str) -> Result<Option<Job>> {
    let sql = format!(
        "select {COLUMNS} from mining left join person on person.id = mining.person \
         where mining.assignment = $1 order by mining.id desc limit 1"
    );
    Ok(connection.first(&sql, &[assignment.into()])?.as_ref().map(job))
}

/// The last job that found something out, with its document.
///
/// # Errors
/// If the database fails.
pub fn done(connection: &mut Connection<'_>, assignment: &str) -> Result<Option<(Job, String)>> {
    let sql = format!(
        "select {COLUMNS}, mining.document from mining left join person on person.id = mining.person \
         where mining.assignment = $1 and mining.state = 'done' order by mining.id desc limit 1"
    );
    let row = connection.first(&sql, &[assignment.into()])?;
    Ok(row.map(|row| (job(&row), row.text(7))))
}

/// Whether some worker that is there has what mines.
///
/// # Errors
/// If the database fails.
pub fn somebody_mines(connection: &mut Connection<'_>) -> Result<bool> {
    let since = connection.now()? - LEASE;
    let sql = "select 1 from worker where mines = 1 and seen > $1 limit 1";
    Ok(connection.first(sql, &[since.into()])?.is_some())
}

/// Jobs that can be claimed: none while another worker holds one.
const CLAIMABLE: &str = "from mining where state in ('queued', 'running') and until <= $1 \
    and not exists (select 1 from mining other where other.state = 'running' and other.until > $1)";

/// Whether a job can be claimed: no submission waits, and nobody mines.
///
/// # Errors
/// If the database fails.
pub fn waits(connection: &mut Connection<'_>) -> Result<bool> {
    let now = connection.now()?;
    let claimable = connection.first(&format!("select 1 {CLAIMABLE} limit 1"), &[now.into()])?;
    Ok(claimable.is_some() && !queue::waiting(connection)?.now)
}

/// Takes the next job, if there is one: first the one whose worker did not renew its claim.
///
/// # Errors
/// If the database fails.
pub fn claim(connection: &mut Connection<'_>, worker: &str) -> Result<Option<Claim>> {
    let now = connection.now()?;
    // Whoever claims at the same time waits for this row, and finds it taken.
    let next = format!(
        "select id, attempt, given_back, assignment, course {CLAIMABLE} \
         order by state desc, id limit 1 {}",
        connection.for_update()
    );
    let Some(next) = connection.first(&next, &[now.into()])? else { return Ok(None) };
    let (id, attempt, given_back) = (next.int(0), next.int(1), next.int(2));
    if attempt - given_back >= MOST_ATTEMPTS {
        close(connection, id, "failed", Some("its worker vanished each time"), None)?;
        return claim(connection, worker);
    }
    let sql = "update mining set state = 'running', attempt = attempt + 1, worker = $1, until = $2, \
        started = $3 where id = $4";
    connection.execute(sql, &[worker.into(), (now + LEASE).into(), now.into(), id.into()])?;
    Ok(Some(Claim { id, attempt: attempt + 1, assignment: next.text(3), course: next.text(4) }))
}

const HELD: &str = "id = $1 and attempt = $2 and state = 'running'";

/// Renews a claim. False if it is lost.
///
/// # Errors
/// If the database fails.
pub fn renew(connection: &mut Connection<'_>, claim: &Claim) -> Result<bool> {
    let until = connection.now()? + LEASE;
    let sql = format!("update mining set until = $3 where {HELD}");
    let values = [claim.id.into(), claim.attempt.into(), until.into()];
    Ok(connection.execute(&sql, &values)? == 1)
}

/// Whether a submission would wait for this worker: one can be claimed, and no other worker is free.
///
/// # Errors
/// If the database fails.
pub fn gives_way(connection: &mut Connection<'_>, worker: &str) -> Result<bool> {
    if !queue::waiting(connection)?.now {
        return Ok(false);
    }
    let since = connection.now()? - LEASE;
    let sql = "select 1 from worker where state = 'waiting' and seen > $1 and name <> $2 limit 1";
    Ok(connection.first(sql, &[since.into(), worker.into()])?.is_none())
}

/// Finishes a job. False if the claim is lost.
///
/// # Errors
/// If the database fails.
pub fn finish(connection: &mut Connection<'_>, claim: &Claim, document: &str) -> Result<bool> {
    Ok(is_held(connection, claim)?.is_some()
        && close(connection, claim.id, "done", None, Some(document))?)
}

/// Gives a job back after a fault. After [`MOST_ATTEMPTS`], it fails. False if the claim is lost.
///
/// # Errors
/// If the database fails.
pub fn fail(connection: &mut Connection<'_>, claim: &Claim, reason: &str) -> Result<bool> {
    let Some(given_back) = is_held(connection, claim)? else { return Ok(false) };
    let failures = claim.attempt - given_back;
    if failures >= MOST_ATTEMPTS {
        return close(connection, claim.id, "failed", Some(reason), None);
    }
    let until = connection.now()? + PAUSE * failures;
    let sql = "update mining set state = 'queued', until = $1, reason = $2 where id = $3";
    connection.execute(sql, &[until.into(), reason.into(), claim.id.into()])?;
    Ok(true)
}

/// Gives a job back that gives way. It counts as no attempt. False if the claim is lost.
///
/// # Errors
/// If the database fails.
pub fn give_back(connection: &mut Connection<'_>, claim: &Claim) -> Result<bool> {
    let sql = format!(
        "update mining set state = 'queued', until = 0, given_back = given_back + 1 where {HELD}"
    );
    Ok(connection.execute(&sql, &[claim.id.into(), claim.attempt.into()])? == 1)
}

/// If the claim is not lost, how many attempts were given back.
fn is_held(connection: &mut Connection<'_>, claim: &Claim) -> Result<Option<i64>> {
    let sql = format!("select given_back from mining where {HELD}");
    let row = connection.first(&sql, &[claim.id.into(), claim.attempt.into()])?;
    Ok(row.map(|row| row.int(0)))
}

fn close(
    connection: &mut Connection<'_>,
    id: i64,
    state: &str,
    reason: Option<&str>,
    document: Option<&str>,
) -> Result<bool> {
    let now = connection.now()?;
    let sql = "update mining set state = $1, until = 0, reason = $2, document = $3, finished = $4 \
        where id = $5";
    let values = [state.into(), reason.into(), document.into(), now.into(), id.into()];
    Ok(connection.execute(sql, &values)? == 1)
}
