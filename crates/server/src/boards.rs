//! The scoreboards of the class. They are computed when something changed: a thousand students who look do not read a thousand reports
//! each.

use crate::app::App;
use crate::courses::Version;
use crate::database::{Connection, Result};
use crate::rules::Rules;
use crate::submissions::class;
use crate::web::Refusal;
use harness::result::graded::SubmissionReport;
use harness::result::scoreboard::Scoreboard;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How old a scoreboard may be before it is looked whether something changed.
const FRESH: Duration = Duration::from_secs(2);

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
            let id = assignment.to_owned();
            let read = app.database.read(move |connection| reports(connection, &rules, &id));
            let (mut all, points) = (read.await?, own.submission.as_ref().map(|it| &it.points));
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

/// The reports that count of the students who are in the course, each under the login of its student.
fn reports(
    connection: &mut Connection<'_>,
    rules: &Rules,
    assignment: &str,
) -> Result<Vec<SubmissionReport>> {
    let sql = "select id from person where role = 'student' and active = 1";
    let active: HashSet<_> = connection.query(sql, &[])?.iter().map(|row| row.int(0)).collect();
    let counting = class::counting(connection, rules, assignment, None)?;
    let counting = counting.iter().filter(|(student, _)| active.contains(student));
    let jobs: Vec<_> = counting.map(|(_, it)| it.standing.job).collect();
    Ok(class::reports(connection, &jobs)?.into_values().collect())
}
