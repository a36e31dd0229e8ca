//! The scoreboards of the class. They are computed when something changed, from what a record holds of time and memory, which is read once
//! for each result: a thousand students who look do not read a thousand records each.

use crate::app::App;
use crate::courses::Version;
use crate::database::{Connection, Result};
use crate::rules::Rules;
use crate::submissions::standing;
use crate::web::Refusal;
use harness::result::graded::SubmissionReport;
use harness::result::record::Record;
use harness::result::scoreboard::Scoreboard;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How old a scoreboard may be before it is looked whether something changed.
const FRESH: Duration = Duration::from_secs(2);

/// How many records are read at a time.
const BATCH: usize = 50;

/// The scoreboards, by assignment.
#[derive(Debug, Default)]
pub struct Boards(Mutex<HashMap<String, Arc<Mutex<Known>>>>);

/// What is known of an assignment.
#[derive(Debug, Default)]
struct Known {
    /// What it was made from.
    stamp: Option<Stamp>,
    looked: Option<Instant>,
    board: Option<Arc<Scoreboard>>,
    /// What the scoreboard needs of each result that counts, by job.
    reports: HashMap<i64, SubmissionReport>,
}

/// What changes whenever a scoreboard may: the last result, the last entry of the audit log, the last version of the course and the rules.
type Stamp = [i64; 5];

fn stamp(connection: &mut Connection<'_>) -> Result<Stamp> {
    let row = connection.first(
        "select coalesce((select max(job) from result), 0), \
         (select count(*) from job where state in ('queued', 'running')), \
         coalesce((select max(id) from audit), 0), \
         coalesce((select max(id) from course_in_force), 0), \
         coalesce((select max(id) from rules), 0)",
        &[],
    )?;
    Ok(row.map(|row| [0, 1, 2, 3, 4].map(|at| row.int(at))).unwrap_or_default())
}

impl Boards {
    /// The scoreboard of an assignment. None if the course has none.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn of(
        &self,
        app: &App,
        version: &Arc<Version>,
        assignment: &str,
    ) -> std::result::Result<Option<Arc<Scoreboard>>, Refusal> {
        let own = version.assignment(assignment);
        let Some((own, shown)) = own
            .and_then(|own| own.submission.as_ref()?.scoreboard.as_ref().map(|shown| (own, shown)))
        else {
            return Ok(None);
        };
        let known = self.0.lock().await.entry(assignment.to_owned()).or_default().clone();
        let mut known = known.lock().await;
        if known.looked.is_some_and(|looked| looked.elapsed() < FRESH) {
            return Ok(known.board.clone());
        }
        known.looked = Some(Instant::now());
        let now = app.database.read(stamp).await?;
        if known.stamp != Some(now) || known.board.is_none() {
            let rules = app.rules().await?;
            known.read(app, rules, assignment).await?;
            let points = own.submission.as_ref().map(|it| &it.points);
            let mut all: Vec<_> = known.reports.values().cloned().collect();
            for report in &mut all {
                report.other_scale = points.is_some_and(|points| !report.points.are_on(points));
            }
            all.sort_by(|one, other| one.name.cmp(&other.name));
            known.board = Some(Arc::new(Scoreboard::new((&own.id, &own.title), &all, shown)));
            known.stamp = Some(now);
        }
        Ok(known.board.clone())
    }
}

impl Known {
    /// Reads the results that count and are not known yet, and forgets those that do not count any more.
    async fn read(&mut self, app: &App, rules: Arc<Rules>, assignment: &str) -> Result<()> {
        let id = assignment.to_owned();
        let counting = app
            .database
            .read(move |connection| standing::counting_of_class(connection, &rules, &id));
        let jobs: Vec<_> = counting.await?.into_iter().map(|it| it.job).collect();
        self.reports.retain(|job, _| jobs.contains(job));
        let new: Vec<_> = jobs.into_iter().filter(|it| !self.reports.contains_key(it)).collect();
        for batch in new.chunks(BATCH).map(<[i64]>::to_vec) {
            let read = app.database.read(move |connection| {
                batch
                    .iter()
                    .map(|job| Ok((*job, slim(connection, *job)?)))
                    .collect::<Result<Vec<_>>>()
            });
            let read = read.await?.into_iter();
            self.reports.extend(read.filter_map(|(job, report)| Some((job, report?))));
        }
        Ok(())
    }
}

/// What a scoreboard needs of a record, under the login of its student.
fn slim(connection: &mut Connection<'_>, job: i64) -> Result<Option<SubmissionReport>> {
    let sql = "select record from result where job = $1";
    let Some(row) = connection.first(sql, &[job.into()])? else { return Ok(None) };
    let Ok(record) = serde_json::from_str::<Record>(&row.text(0)) else { return Ok(None) };
    let mut report = record.report;
    report.findings = Vec::new();
    (report.build, report.leaks, report.tests, report.own) = (None, None, None, None);
    for case in report.groups.iter_mut().flat_map(|group| &mut group.cases) {
        (case.command, case.says, case.stopped, case.shown) = (Vec::new(), None, None, None);
    }
    Ok(Some(report))
}
