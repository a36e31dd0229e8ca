//! When a job will start, from how long earlier ones took.

use crate::database::{Connection, Result};

/// How many of the last jobs of an assignment are taken for an estimate.
const SAMPLE: i64 = 30;

/// What is assumed of a job if none was done yet. Milliseconds.
const USUAL: i64 = 15_000;

/// What a student reads of a job that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// How many jobs come before it.
    pub before: i64,
    /// In how many milliseconds it will start, if no other one comes in between. None if no worker is there.
    pub starts_in: Option<i64>,
}

/// The estimate for a job that is queued. None if it is not.
///
/// # Errors
/// If the database fails.
pub fn estimate(connection: &mut Connection<'_>, job: i64) -> Result<Option<Estimate>> {
    let now = connection.now()?;
    let row = connection.first(
        "select class, rank, until from job where id = $1 and state = 'queued'",
        &[job.into()],
    )?;
    let Some(row) = row else { return Ok(None) };
    let (class, rank, until) = (row.int(0), row.int(1), row.int(2));
    let before = connection.query(
        "select submission.assignment, count(*), \
         count(case when job.state = 'running' then 1 end) from job \
         join submission on submission.id = job.submission \
         where job.state in ('queued', 'running') and (job.state = 'running' or job.class < $1 \
         or job.class = $1 and (job.rank < $2 or job.rank = $2 and job.id < $3)) \
         group by submission.assignment",
        &[class.into(), rank.into(), job.into()],
    )?;
    let workers = connection.first(
        "select count(*) from worker where seen > $1",
        &[(now - crate::queue::LEASE).into()],
    )?;
    let workers = workers.map_or(0, |row| row.int(0));
    let (mut count, mut work) = (0, 0);
    for row in before {
        let (all, running) = (row.int(1), row.int(2));
        count += all;
        // On average, those that run are half done.
        work += (2 * all - running) * usual(connection, &row.text(0))? / 2;
    }
    // As long as a worker is free, nothing has to end first.
    let first = if count < workers { 0 } else { work / workers.max(1) };
    let starts_in = (workers > 0).then(|| first.max(until - now).max(0));
    Ok(Some(Estimate { before: count, starts_in }))
}

/// How long the last jobs of an assignment took, in the mean. Milliseconds.
fn usual(connection: &mut Connection<'_>, assignment: &str) -> Result<i64> {
    let sql = "select cast(avg(finished - started) as bigint) from (select job.finished, job.started \
        from job join submission on submission.id = job.submission \
        where job.state = 'done' and submission.assignment = $1 order by job.id desc limit $2) as last";
    let row = connection.first(sql, &[assignment.into(), SAMPLE.into()])?;
    Ok(row.and_then(|row| row.maybe_int(0)).unwrap_or(USUAL))
}
