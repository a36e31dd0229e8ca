//! How far a submission is, without its reports: what a page that waits looks at again and again.

use crate::database::{Connection, Result, Row};
use crate::queue::{self, Class, Estimate};
use crate::rules::Moment;

/// To how many milliseconds an estimate is rounded, so that a page changes only when there is something to say.
const ROUNDED: i64 = 5_000;

/// How far a submission is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glance {
    /// Its jobs, but for regrades, the first one first.
    pub jobs: Vec<JobRow>,
    /// Its results, in the order in which they came to stand. Those of regrades that are not applied come first.
    pub results: Vec<ResultRow>,
    /// The stage of the job that is running, and when that was noted.
    pub stage: Option<(String, i64)>,
    /// If it waits.
    pub estimate: Option<Estimate>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRow {
    pub id: i64,
    pub state: String,
    pub attempt: i64,
    pub course: String,
    /// Why it failed.
    pub reason: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultRow {
    pub job: i64,
    pub course: String,
    pub finished: Moment,
    /// Since when it stands.
    pub applied: Option<i64>,
    pub has_receipt: bool,
}

/// How far a submission is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Waiting,
    Running,
    /// It has a result. Perhaps it is being graded again.
    Done,
    /// The machine or the course failed, and staff see why.
    Failed,
}

impl Glance {
    /// # Errors
    /// If the database fails.
    pub fn of(connection: &mut Connection<'_>, submission: i64) -> Result<Self> {
        let jobs = connection.query(
            "select id, state, attempt, course, reason from job \
             where submission = $1 and class <> $2 order by id",
            &[submission.into(), (Class::Regrade as i64).into()],
        )?;
        let jobs: Vec<_> = jobs.iter().map(JobRow::of).collect();
        let results = connection.query(
            "select result.job, result.course, result.finished, result.applied, receipt.number \
             from result left join receipt on receipt.job = result.job where result.submission = $1 \
             order by coalesce(result.applied, 0), result.job",
            &[submission.into()],
        )?;
        let last = jobs.last().map(|job| (job.id, job.state.clone()));
        let mut stage = None;
        let mut estimate = None;
        if let Some((job, state)) = last {
            if state == "running" {
                let sql = "select progress.stage, progress.at from progress \
                    join job on job.id = progress.job \
                    where progress.job = $1 and progress.attempt = job.attempt";
                let row = connection.first(sql, &[job.into()])?;
                stage = row.map(|row| (row.text(0), row.int(1)));
            } else if state == "queued" {
                estimate = queue::estimate(connection, job)?.map(rounded);
            }
        }
        let results = results.iter().map(ResultRow::of).collect();
        Ok(Self { jobs, results, stage, estimate })
    }

    pub fn phase(&self) -> Phase {
        if self.standing().is_some() {
            return Phase::Done;
        }
        match self.jobs.last().map(|job| job.state.as_str()) {
            Some("running") => Phase::Running,
            Some("queued") => Phase::Waiting,
            _ => Phase::Failed,
        }
    }

    /// The result that stands.
    pub fn standing(&self) -> Option<&ResultRow> {
        self.results.last().filter(|result| result.applied.is_some())
    }

    /// Whether something will change by itself.
    pub fn is_open(&self) -> bool {
        self.jobs.last().is_some_and(|job| matches!(job.state.as_str(), "queued" | "running"))
    }

    /// Whether it has a result, and is being graded once more.
    pub fn is_graded_again(&self) -> bool {
        self.is_open() && self.standing().is_some()
    }
}

impl JobRow {
    fn of(row: &Row) -> Self {
        Self {
            id: row.int(0),
            state: row.text(1),
            attempt: row.int(2),
            course: row.text(3),
            reason: row.maybe_text(4),
        }
    }
}

impl ResultRow {
    fn of(row: &Row) -> Self {
        Self {
            job: row.int(0),
            course: row.text(1),
            finished: Moment(row.int(2)),
            applied: row.maybe_int(3),
            has_receipt: row.maybe_int(4).is_some(),
        }
    }
}

fn rounded(estimate: Estimate) -> Estimate {
    let up = |time: i64| (time + ROUNDED - 1) / ROUNDED * ROUNDED;
    Estimate { starts_in: estimate.starts_in.map(up), ..estimate }
}
