//! The report of a submission as one reader sees it.

use super::reader::{Reader, withhold};
use super::{Glance, Phase, hints};
use crate::app::App;
use crate::courses::Version;
use crate::database::{Connection, Result as Read};
use crate::hand::{self, Released};
use crate::people::Person;
use crate::submissions::{Submission, adjust};
use crate::web::Refusal;
use harness::course::Audience;
use harness::diagnostic::Problem;
use harness::report::html::graded::{About, Progress, section};
use harness::result::MutantReport;
use harness::result::graded::points::{PointsReport, Results};
use harness::result::graded::{Graded, SCHEMA, SubmissionReport};
use harness::result::record::Record;
use std::sync::Arc;

/// The report of a submission, cut to what its reader may see.
pub struct Seen {
    pub version: Arc<Version>,
    pub report: SubmissionReport,
    /// The report of the attempt before.
    pub previous: Option<SubmissionReport>,
    /// The mutants, if the reader may know them.
    mutants: Vec<MutantReport>,
    progress: Progress,
    /// What people gave, as far as it is shown.
    pub by_hand: Released,
}

/// What the database holds of it.
struct Raw {
    course: String,
    report: Option<SubmissionReport>,
    /// The version and the report of the attempt before.
    previous: Option<(String, SubmissionReport)>,
    by_hand: Released,
}

/// The report of a submission: of one result, or, without `result`, what is known of a grading that is under way. None if nothing is.
///
/// # Errors
/// If the database or the course fails.
pub async fn seen(
    app: &App,
    student: &Person,
    submission: &Submission,
    glance: &Glance,
    result: Option<i64>,
    reader: Reader,
) -> Result<Option<Seen>, Refusal> {
    let running = glance.jobs.last().filter(|_| glance.phase() == Phase::Running).cloned();
    let of = submission.clone();
    let raw = app.database.read(move |connection| match (result, &running) {
        (Some(job), _) => finished(connection, &of, job),
        (None, Some(job)) => under_way(connection, job.id, &job.course),
        (None, None) => Ok(None),
    });
    let Some(Raw { course, report: Some(mut report), previous, mut by_hand }) = raw.await? else {
        return Ok(None);
    };
    let version = app.courses.version(&app.database, &course).await?;
    if result.is_some()
        && reader.withheld_until.is_none()
        && reader.audience != Audience::Staff
        && let Some(tests) = &mut report.tests
    {
        let gives = reader.gets_hints;
        hints::add(&app.database, &version, student, submission, gives, tests).await?;
    }
    let cut = |version: &Version, report: &SubmissionReport| {
        let mut seen = version.cut(&submission.assignment, report, reader.audience)?;
        if reader.withheld_until.is_some() {
            withhold(&mut seen);
        }
        Ok::<_, Refusal>(seen)
    };
    let previous = match previous.filter(|_| reader.withheld_until.is_none()) {
        Some((course, report)) => {
            let version = app.courses.version(&app.database, &course).await?;
            Some(cut(&version, &report)?)
        }
        None => None,
    };
    let progress = match reader.withheld_until {
        Some(_) if result.is_none() => Progress::Checked,
        Some(_) => Progress::Withheld,
        None if result.is_none() => Progress::UnderWay,
        None => Progress::Finished,
    };
    if result.is_none() {
        count_so_far(&mut report, &version, &submission.assignment);
    }
    let mutants = version.known_mutants(&submission.assignment, reader.audience)?;
    let mut report = cut(&version, &report)?;
    if progress == Progress::Finished {
        hand::in_report(&mut report, &by_hand.grades);
        adjust::in_report(&mut report, submission.adjusted);
    } else {
        by_hand = Released::default();
    }
    Ok(Some(Seen { version, report, previous, mutants, progress, by_hand }))
}

fn finished(
    connection: &mut Connection<'_>,
    submission: &Submission,
    job: i64,
) -> Read<Option<Raw>> {
    let sql = "select course, record from result where job = $1 and submission = $2";
    let row = connection.first(sql, &[job.into(), submission.id.into()])?;
    let Some(row) = row else { return Ok(None) };
    let previous = previous(connection, submission)?;
    let by_hand = hand::released(connection, submission.id)?;
    Ok(Some(Raw { course: row.text(0), report: report(&row.text(1)), previous, by_hand }))
}

fn under_way(connection: &mut Connection<'_>, job: i64, course: &str) -> Read<Option<Raw>> {
    let sql = "select report from progress where job = $1";
    let row = connection.first(sql, &[job.into()])?;
    let report = row.and_then(|row| serde_json::from_str(&row.text(0)).ok());
    let by_hand = Released::default();
    Ok(Some(Raw { course: course.to_owned(), report, previous: None, by_hand }))
}

/// Adds the points of what is known. A report of a grading that is under way comes without them.
fn count_so_far(report: &mut SubmissionReport, version: &Version, assignment: &str) {
    let rules = version.assignment(assignment).and_then(|it| it.submission.as_ref());
    let Some(rules) = rules else { return };
    report.points = PointsReport::of(&Results::of(report), &rules.points);
}

/// The attempt before that stands and that its student sees as much of.
fn previous(
    connection: &mut Connection<'_>,
    submission: &Submission,
) -> Read<Option<(String, SubmissionReport)>> {
    let feedback = if submission.past_limit { "past_limit" } else { "normal" };
    let row = connection.first(
        "select result.course, result.record from submission \
         join result on result.submission = submission.id \
         where submission.person = $1 and submission.assignment = $2 and submission.id < $3 \
         and submission.feedback = $4 and result.applied is not null and result.refused = 0 \
         order by submission.id desc, result.applied desc, result.job desc limit 1",
        &[
            submission.person.into(),
            (&submission.assignment).into(),
            submission.id.into(),
            feedback.into(),
        ],
    )?;
    Ok(row.and_then(|row| Some((row.text(0), report(&row.text(1))?))))
}

/// The report of a record.
fn report(record: &str) -> Option<SubmissionReport> {
    match serde_json::from_str::<Record>(record) {
        Ok(record) => Some(record.report),
        Err(error) => {
            tracing::error!(%error, "a record cannot be read");
            None
        }
    }
}

impl Seen {
    /// The section of a page.
    pub fn section(&self, submission: &Submission, note: Option<&str>) -> String {
        let mut report = self.report.clone();
        report.name = format!("Submission {}", submission.id);
        let title = self.version.assignment(&submission.assignment).map_or("", |it| &it.title);
        let (mutants, progress) = (&self.mutants[..], self.progress);
        let about = About { title, id: "0", mutants, progress, note };
        section(&report, self.previous.as_ref(), &about)
    }

    /// The document that `grade --format json` writes.
    ///
    /// # Errors
    /// If the course has no such assignment any more.
    pub fn graded(self, assignment: &str) -> Result<Graded, Refusal> {
        let gone = || Refusal::Wrong(Problem::new("the course has no such assignment any more"));
        let title = self.version.assignment(assignment).ok_or_else(gone)?.title.clone();
        Ok(graded(&self.version, assignment, &title, self.mutants, self.report))
    }
}

/// The document of one report.
pub fn graded(
    version: &Version,
    assignment: &str,
    title: &str,
    mutants: Vec<MutantReport>,
    report: SubmissionReport,
) -> Graded {
    Graded {
        schema: SCHEMA.to_owned(),
        course: version.course.title.clone(),
        assignment: assignment.to_owned(),
        title: title.to_owned(),
        mutants,
        submissions: vec![report],
        not_limited: None,
        points_from: None,
        left_out: Vec::new(),
        files: std::collections::BTreeMap::new(),
    }
}
