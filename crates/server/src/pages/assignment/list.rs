//! What a student or group handed in for an assignment, the last one first.

use super::Open;
use crate::app::App;
use crate::database::{Connection, Result};
use crate::feedback::Reader;
use crate::pages::words::{from_now, points};
use crate::people::{Person, Role};
use crate::rules::Moment;
use crate::submissions::Submission;
use crate::web::Refusal;
use harness::course::Level;

/// How many are listed.
const MOST: usize = 100;

/// A submission in the list.
pub(super) struct Row {
    pub(super) id: i64,
    pub(super) at: String,
    pub(super) far: String,
    pub(super) file_name: String,
    /// A class of the style, and the word.
    pub(super) state: (&'static str, &'static str),
    pub(super) points: Option<String>,
    pub(super) exposed: Option<i64>,
    /// What else to know: late, past the limit, not counted.
    pub(super) tags: Vec<String>,
    pub(super) counts: bool,
}

/// What the database says of one.
struct Found {
    submission: Submission,
    /// The state of its last job that is no regrade.
    job: Option<String>,
    /// What stands: hundredths of points, the most, whether it is refused, and bugs.
    result: Option<(i64, i64, bool, Option<i64>)>,
    /// Which member of a group handed it in.
    sent_by: Option<String>,
}

/// The rows, and whether there are older ones.
pub(super) async fn rows(
    app: &App,
    person: &Person,
    open: &Open,
) -> std::result::Result<(Vec<Row>, bool), Refusal> {
    let (id, student) = (open.id.clone(), open.overview.group.keeper);
    let found = app.database.read(move |connection| find(connection, student, &id));
    let mut found = found.await?;
    let has_more = found.len() > MOST;
    found.truncate(MOST);
    let is_student = person.role == Role::Student;
    Ok((found.iter().map(|it| row(it, open, is_student)).collect(), has_more))
}

fn find(connection: &mut Connection<'_>, student: i64, assignment: &str) -> Result<Vec<Found>> {
    // One index each: the submissions of a student, the jobs of one, and the results of one.
    let sql = format!(
        "select {}, \
         (select job.state from job where job.submission = submission.id and job.class <> 2 \
          order by job.id desc limit 1), \
         result.points, result.max_points, result.refused, result.exposed, \
         (select person.name from person where person.id = submission.sent_by) from submission \
         left join result on result.job = (select one.job from result one \
          where one.submission = submission.id and one.applied is not null \
          order by one.applied desc, one.job desc limit 1) \
         where submission.person = $1 and submission.assignment = $2 \
         order by submission.id desc limit $3",
        Submission::COLUMNS
    );
    let most = MOST as i64 + 1;
    let rows = connection.query(&sql, &[student.into(), assignment.into(), most.into()])?;
    let found = |row: &crate::database::Row| Found {
        submission: Submission::of(row),
        job: row.maybe_text(14),
        result: row
            .maybe_int(15)
            .map(|points| (points, row.int(16), row.is(17), row.maybe_int(18))),
        sent_by: row.maybe_text(19),
    };
    Ok(rows.iter().map(found).collect())
}

fn row(found: &Found, open: &Open, is_student: bool) -> Row {
    let Found { submission, job, result, sent_by } = found;
    let (zone, overview) = (&open.rules.time_zone, &open.overview);
    let is_open = matches!(job.as_deref(), Some("queued" | "running"));
    let refused = result.is_some_and(|(_, _, refused, _)| refused);
    let state = match (job.as_deref(), result) {
        (_, Some(_)) if refused => ("refused", "refused"),
        (_, Some(_)) if is_open => ("running", "graded again"),
        (_, Some(_)) => ("graded", "graded"),
        (Some("queued"), None) => ("waiting", "waiting"),
        (Some("running"), None) => ("running", "being graded"),
        _ => ("failed", "not graded"),
    };
    let mut tags = Vec::new();
    let sent_by = sent_by.iter().filter(|_| !overview.group.is_alone());
    tags.extend(sent_by.map(|it| format!("handed in by {it}")));
    if submission.late.days > 0 {
        tags.push(format!("late day {}", submission.late.days));
    }
    if submission.past_limit {
        tags.push("past the limit".to_owned());
    } else if submission.slot.is_none() && is_student {
        tags.push("costs no attempt".to_owned());
    }
    let shows = overview.withheld_until.is_none() && !refused;
    let standing = overview.all.iter().find(|it| it.submission == submission.id);
    let hundredths = |it: i64| points(it as f64 / 100.0);
    let earned = result.filter(|_| shows).map(|(earned, max, ..)| {
        standing.map_or_else(
            || format!("{} of {}", hundredths(earned), hundredths(max)),
            |it| format!("{} of {}", points(it.points), points(it.max)),
        )
    });
    let audience = Reader::student(submission, overview).audience;
    let sees_bugs = open.assignment().feedback.level(audience) >= Level::Count && shows;
    // Which one is the best would tell something of points that are not shown.
    let tells = overview.withheld_until.is_none() || overview.counts == crate::rules::Counts::Last;
    let counting = overview.counting.as_ref().filter(|_| tells);
    let at: Moment = submission.at;
    Row {
        id: submission.id,
        at: zone.shown(at),
        far: from_now(overview.now, at),
        file_name: submission.file_name.clone(),
        state,
        points: earned,
        exposed: result.and_then(|(.., exposed)| exposed).filter(|_| sees_bugs),
        tags,
        counts: counting.is_some_and(|it| it.submission == submission.id),
    }
}
