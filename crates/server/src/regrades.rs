//! Regrades: submissions are graded again with some version of the course, behind all live ones. Their results stand only when staff apply
//! them, all at once. Nothing is ever overwritten.

mod begun;
mod changes;
mod ended;
mod moved;
mod scope;

pub use begun::{begin, count, finish, go_on, unfinished};
pub use changes::{Changed, MOST, Totals, changes, totals};
pub use ended::{Applied, apply, drop_it};
pub use moved::{LOOKED_AT, moved};
pub use scope::Scope;

use crate::database::{Connection, Result, Row};
use crate::rules::Moment;

/// A regrade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regrade {
    pub id: i64,
    /// The version of the course.
    pub course: String,
    pub assignment: String,
    pub scope: Scope,
    pub state: String,
    pub at: Moment,
    /// The login of who began it.
    pub by: String,
    /// Whether some of its submissions are still being queued.
    pub is_beginning: bool,
}

impl Regrade {
    pub fn is_preview(&self) -> bool {
        self.state == "preview"
    }
}

/// What is regraded.
#[derive(Clone, Debug)]
pub struct New {
    pub course: String,
    pub assignment: String,
    pub scope: Scope,
    /// Whether submissions are graded again whose results are of this version already.
    pub again: bool,
    pub by: i64,
}

/// The version of the result of a submission that stands.
const STANDING_COURSE: &str = "(select one.course from result one \
    where one.submission = submission.id and one.applied is not null \
    order by one.applied desc, one.job desc limit 1)";

const COLUMNS: &str = "regrade.id, regrade.course, regrade.assignment, regrade.scope, \
    regrade.state, regrade.at, person.login, regrade.queued \
    from regrade join person on person.id = regrade.person";

fn of(row: &Row) -> Regrade {
    Regrade {
        id: row.int(0),
        course: row.text(1),
        assignment: row.text(2),
        scope: Scope::of(&row.text(3)),
        state: row.text(4),
        at: Moment(row.int(5)),
        by: row.text(6),
        is_beginning: row.maybe_int(7).is_some(),
    }
}

/// # Errors
/// If the database fails.
pub fn find(connection: &mut Connection<'_>, id: i64) -> Result<Option<Regrade>> {
    let sql = format!("select {COLUMNS} where regrade.id = $1");
    Ok(connection.first(&sql, &[id.into()])?.map(|row| of(&row)))
}

/// The last regrades.
///
/// # Errors
/// If the database fails.
pub fn last(connection: &mut Connection<'_>) -> Result<Vec<Regrade>> {
    let sql = format!("select {COLUMNS} order by regrade.id desc limit 50");
    Ok(connection.query(&sql, &[])?.iter().map(of).collect())
}

/// How far a regrade is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub queued: i64,
    pub running: i64,
    pub done: i64,
    pub failed: i64,
    pub dropped: i64,
}

impl Progress {
    pub fn all(&self) -> i64 {
        self.queued + self.running + self.done + self.failed + self.dropped
    }

    pub fn open(&self) -> i64 {
        self.queued + self.running
    }
}

/// # Errors
/// If the database fails.
pub fn progress(connection: &mut Connection<'_>, id: i64) -> Result<Progress> {
    let sql = "select state, count(*) from job where regrade = $1 group by state";
    let mut progress = Progress::default();
    for row in connection.query(sql, &[id.into()])? {
        let count = match row.text(0).as_str() {
            "queued" => &mut progress.queued,
            "running" => &mut progress.running,
            "done" => &mut progress.done,
            "failed" => &mut progress.failed,
            _ => &mut progress.dropped,
        };
        *count = row.int(1);
    }
    Ok(progress)
}

/// A job of a regrade that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    pub job: i64,
    pub submission: i64,
    pub login: String,
    pub reason: String,
}

/// # Errors
/// If the database fails.
pub fn failed(connection: &mut Connection<'_>, id: i64) -> Result<Vec<Failed>> {
    let sql = "select job.id, job.submission, person.login, coalesce(job.reason, '') from job \
        join submission on submission.id = job.submission \
        join person on person.id = submission.person \
        where job.regrade = $1 and job.state = 'failed' order by job.id limit 100";
    let failed = |row: &Row| Failed {
        job: row.int(0),
        submission: row.int(1),
        login: row.text(2),
        reason: row.text(3),
    };
    Ok(connection.query(sql, &[id.into()])?.iter().map(failed).collect())
}

/// How many submissions of students came since a regrade began, and are graded by another version.
///
/// # Errors
/// If the database fails.
pub fn since(connection: &mut Connection<'_>, regrade: &Regrade) -> Result<i64> {
    let sql = format!(
        "select count(*) from submission join person on person.id = submission.person \
         where submission.assignment = $1 and person.role = 'student' \
         and submission.at > $2 and coalesce({STANDING_COURSE}, '') <> $3"
    );
    let values = [(&regrade.assignment).into(), regrade.at.0.into(), (&regrade.course).into()];
    Ok(connection.first(&sql, &values)?.map_or(0, |row| row.int(0)))
}
