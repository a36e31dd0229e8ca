//! The queue at a glance, for staff.

use super::Class;
use crate::database::{Connection, Result, Row, Value};
use crate::people::{Person, sight};
use crate::rules::Moment;

/// How many jobs of a kind are listed.
const MOST: i64 = 50;

/// Over which time throughput and durations are taken. Milliseconds.
pub const WINDOW: i64 = 3_600_000;

/// A worker that was not seen for so long is gone.
const GONE: i64 = 24 * 3_600_000;

/// The queue at a glance.
#[derive(Clone, Debug)]
pub struct Glance {
    pub now: Moment,
    pub classes: Vec<OfClass>,
    /// Jobs that a worker holds, the one that runs longest first.
    pub running: Vec<Listed>,
    /// The jobs that come next, in their order.
    pub next: Vec<Listed>,
    /// Jobs that failed and were not graded since, the last one first.
    pub failed: Vec<Listed>,
    pub workers: Vec<Worker>,
    /// What was done within the [`WINDOW`], by assignment.
    pub done: Vec<Done>,
}

/// The open jobs of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfClass {
    pub class: Class,
    pub queued: i64,
    pub running: i64,
    /// When the oldest of those was queued that wait.
    pub oldest: Option<Moment>,
}

/// A job with what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub job: i64,
    pub submission: i64,
    pub assignment: String,
    pub login: String,
    pub class: i64,
    pub attempt: i64,
    pub queued: Moment,
    pub started: Option<Moment>,
    pub finished: Option<Moment>,
    pub worker: Option<String>,
    pub stage: Option<String>,
    pub reason: Option<String>,
    pub regrade: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worker {
    pub name: String,
    pub seen: Moment,
    pub state: String,
    /// Whether it was seen within a lease.
    pub is_there: bool,
}

/// What was done for an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    pub assignment: String,
    pub count: i64,
    /// How long grading took in the mean, and waiting for it. Milliseconds.
    pub grading: i64,
    pub waiting: i64,
}

/// The queue at a glance. The lists have only the students whom `viewer` may see.
///
/// # Errors
/// If the database fails.
pub fn glance(connection: &mut Connection<'_>, viewer: &Person) -> Result<Glance> {
    let now = connection.now()?;
    let open = "job.state in ('queued', 'running')";
    let mut listed = |condition: &str, order: &str| listed(connection, viewer, condition, order);
    let running = listed(&format!("{open} and job.state = 'running'"), "job.started")?;
    let next = listed(&format!("{open} and job.state = 'queued'"), "job.class, job.rank, job.id")?;
    let since = "job.state = 'failed' and not exists (select 1 from job later \
        where later.submission = job.submission and later.id > job.id and later.regrade is null \
        and later.state <> 'failed')";
    let failed = listed(since, "job.id desc")?;
    Ok(Glance {
        now: Moment(now),
        classes: classes(connection)?,
        running,
        next,
        failed,
        workers: workers(connection, now)?,
        done: done(connection, now)?,
    })
}

fn classes(connection: &mut Connection<'_>) -> Result<Vec<OfClass>> {
    let rows = connection.query(
        "select class, count(case when state = 'queued' then 1 end), \
         count(case when state = 'running' then 1 end), min(case when state = 'queued' then queued end) \
         from job where state in ('queued', 'running') group by class",
        &[],
    )?;
    let of = |class: Class| {
        let row = rows.iter().find(|row| row.int(0) == class as i64);
        OfClass {
            class,
            queued: row.map_or(0, |row| row.int(1)),
            running: row.map_or(0, |row| row.int(2)),
            oldest: row.and_then(|row| row.maybe_int(3)).map(Moment),
        }
    };
    Ok([Class::Live, Class::ByHand, Class::Regrade].map(of).into())
}

fn listed(
    connection: &mut Connection<'_>,
    viewer: &Person,
    condition: &str,
    order: &str,
) -> Result<Vec<Listed>> {
    let (mut seen, mut values) = sight::students(viewer, 2);
    if seen == "person.role = 'student'" {
        // What staff try out is listed too.
        "1 = 1".clone_into(&mut seen);
    }
    values.insert(0, Value::Int(MOST));
    let sql = format!(
        "select job.id, job.submission, submission.assignment, person.login, job.class, job.attempt, \
         job.queued, job.started, job.finished, job.worker, progress.stage, job.reason, job.regrade \
         from job join submission on submission.id = job.submission \
         join person on person.id = submission.person left join progress on progress.job = job.id \
         where {condition} and {seen} order by {order} limit $1"
    );
    Ok(connection.query(&sql, &values)?.iter().map(one).collect())
}

fn one(row: &Row) -> Listed {
    Listed {
        job: row.int(0),
        submission: row.int(1),
        assignment: row.text(2),
        login: row.text(3),
        class: row.int(4),
        attempt: row.int(5),
        queued: Moment(row.int(6)),
        started: row.maybe_int(7).map(Moment),
        finished: row.maybe_int(8).map(Moment),
        worker: row.maybe_text(9),
        stage: row.maybe_text(10),
        reason: row.maybe_text(11),
        regrade: row.maybe_int(12),
    }
}

fn workers(connection: &mut Connection<'_>, now: i64) -> Result<Vec<Worker>> {
    let sql = "select name, seen, state from worker where seen > $1 order by name";
    let rows = connection.query(sql, &[(now - GONE).into()])?;
    let worker = |row: &Row| Worker {
        name: row.text(0),
        seen: Moment(row.int(1)),
        state: row.text(2),
        is_there: now - row.int(1) < super::LEASE,
    };
    Ok(rows.iter().map(worker).collect())
}

fn done(connection: &mut Connection<'_>, now: i64) -> Result<Vec<Done>> {
    let rows = connection.query(
        "select submission.assignment, count(*), cast(avg(job.finished - job.started) as bigint), \
         cast(avg(job.started - job.queued) as bigint) from job \
         join submission on submission.id = job.submission \
         where job.state = 'done' and job.finished > $1 \
         group by submission.assignment order by submission.assignment",
        &[(now - WINDOW).into()],
    )?;
    let done = |row: &Row| Done {
        assignment: row.text(0),
        count: row.int(1),
        grading: row.maybe_int(2).unwrap_or_default(),
        waiting: row.maybe_int(3).unwrap_or_default(),
    };
    Ok(rows.iter().map(done).collect())
}
