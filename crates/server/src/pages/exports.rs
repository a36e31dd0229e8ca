//! All submissions of an assignment with their results, as CSV and JSON. They are read and sent in parts, so that no part of the class has
//! to fit into memory at once.

use super::gradebook::download;
use crate::app::App;
use crate::database::{Connection, Result, Row, Value};
use crate::people::{Person, Role, sight};
use crate::rules::Moment;
use crate::sheet;
use crate::submissions::group::{self, Group};
use crate::web::{Answer, Refusal, Route, Visitor, at_least};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::Method;
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

/// How many rows are read at once, and how many with their records.
const ROWS: i64 = 1000;
const RECORDS: i64 = 50;

pub(super) fn routes() -> Vec<Route> {
    let get = Method::GET;
    vec![
        at_least(Role::Grader, get.clone(), "/assignments/{assignment}/submissions.csv", as_csv)
            .with_token(),
        at_least(Role::Grader, get.clone(), "/assignments/{assignment}/submissions.json", as_json)
            .with_token(),
        at_least(Role::Grader, get, "/assignments/{assignment}/records.json", records).with_token(),
    ]
}

async fn as_csv(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    export(&app, &visitor, &id, Kind::Csv).await
}

async fn as_json(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    export(&app, &visitor, &id, Kind::Json).await
}

async fn records(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    export(&app, &visitor, &id, Kind::Records).await
}

/// What is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A line for each submission.
    Csv,
    /// An object for each submission.
    Json,
    /// The same with the record of the result that stands.
    Records,
}

/// The columns of the table, which are the keys of the objects.
const COLUMNS: [&str; 19] = [
    "submission",
    "login",
    "name",
    "section",
    "handed_in",
    "day",
    "number_of_the_day",
    "past_limit",
    "late_days",
    "points_by_hand",
    "points_by_rubric",
    "points",
    "max_points",
    "refused",
    "bugs_exposed",
    "version",
    "state",
    "handed_in_by",
    "group",
];

/// A submission.
#[derive(Serialize)]
struct Exported {
    submission: i64,
    login: String,
    name: String,
    section: String,
    handed_in: String,
    day: String,
    number_of_the_day: Option<i64>,
    past_limit: bool,
    late_days: i64,
    points_by_hand: f64,
    /// Of the parts that people grade, as far as they are released.
    points_by_rubric: f64,
    points: Option<f64>,
    max_points: Option<f64>,
    refused: Option<bool>,
    bugs_exposed: Option<i64>,
    version: Option<String>,
    state: Option<String>,
    /// The login of the member who handed it in, and those of the group.
    handed_in_by: String,
    group: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<Box<RawValue>>,
}

impl Exported {
    fn of(row: &Row, groups: &BTreeMap<i64, Group>) -> Self {
        let hundredths = |number: i64| number as f64 / 100.0;
        Self {
            submission: row.int(0),
            login: row.text(1),
            name: row.text(2),
            section: row.text(3),
            handed_in: Moment(row.int(4)).rfc3339(),
            day: row.text(5),
            number_of_the_day: row.maybe_int(6),
            past_limit: row.text(7) == "past_limit",
            late_days: row.int(8),
            points_by_hand: hundredths(row.int(16)),
            points_by_rubric: hundredths(row.int(17)),
            points: row.maybe_int(9).map(hundredths),
            max_points: row.maybe_int(10).map(hundredths),
            refused: row.maybe_int(11).map(|it| it == 1),
            bugs_exposed: row.maybe_int(12),
            version: row.maybe_text(13),
            state: row.maybe_text(14),
            handed_in_by: row.maybe_text(18).unwrap_or_else(|| row.text(1)),
            group: groups.get(&row.int(19)).map_or_else(String::new, Group::logins),
            record: row.maybe_text(15).and_then(|text| RawValue::from_string(text).ok()),
        }
    }

    fn line(&self) -> String {
        let int = |number: Option<i64>| number.map_or_else(String::new, |it| it.to_string());
        let points = |points: Option<f64>| points.map_or_else(String::new, super::words::points);
        let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
        sheet::line([
            self.submission.to_string(),
            self.login.clone(),
            self.name.clone(),
            self.section.clone(),
            self.handed_in.clone(),
            self.day.clone(),
            int(self.number_of_the_day),
            yes(self.past_limit),
            self.late_days.to_string(),
            super::words::points(self.points_by_hand),
            super::words::points(self.points_by_rubric),
            points(self.points),
            points(self.max_points),
            self.refused.map_or_else(String::new, yes),
            int(self.bugs_exposed),
            self.version.clone().unwrap_or_default(),
            self.state.clone().unwrap_or_default(),
            self.handed_in_by.clone(),
            self.group.clone(),
        ])
    }
}

async fn export(app: &App, visitor: &Visitor, id: &str, kind: Kind) -> Answer {
    let version = app.courses.in_force(&app.database).await?;
    version.assignment(id).ok_or(Refusal::NotFound)?;
    let (sender, receiver) = mpsc::channel(2);
    let (app, viewer, assignment) = (app.clone(), visitor.person().clone(), id.to_owned());
    tokio::spawn(async move { send(&app, &viewer, &assignment, kind, &sender).await });
    let body = Body::from_stream(ReceiverStream::new(receiver));
    let (mime, name) = match kind {
        Kind::Csv => ("text/csv; charset=utf-8", format!("submissions-{id}.csv")),
        Kind::Json => ("application/json", format!("submissions-{id}.json")),
        Kind::Records => ("application/json", format!("records-{id}.json")),
    };
    Ok(download(mime, &name, body))
}

type Part = std::result::Result<String, std::io::Error>;

/// Sends part after part, until all are sent or nobody reads them. A fault of the database ends the answer before its end, so nobody takes
/// it for whole.
async fn send(app: &App, viewer: &Person, assignment: &str, kind: Kind, to: &mpsc::Sender<Part>) {
    let begin = if kind == Kind::Csv { sheet::line(COLUMNS) } else { "[".to_owned() };
    if to.send(Ok(begin)).await.is_err() {
        return;
    }
    let mut last = 0;
    loop {
        let (viewer, key, after) = (viewer.clone(), assignment.to_owned(), last);
        let read =
            app.database.read(move |connection| some(connection, &viewer, &key, kind, after));
        let rows = match read.await {
            Ok(rows) => rows,
            Err(fault) => {
                let _ = to.send(Err(std::io::Error::other(fault.to_string()))).await;
                return;
            }
        };
        let Some(end) = rows.last().map(|row| row.submission) else { break };
        let text = match kind {
            Kind::Csv => rows.iter().map(Exported::line).collect(),
            _ => objects(&rows, last == 0),
        };
        last = end;
        if to.send(Ok(text)).await.is_err() {
            return;
        }
    }
    if kind != Kind::Csv {
        let _ = to.send(Ok("\n]\n".to_owned())).await;
    }
}

fn objects(rows: &[Exported], is_first: bool) -> String {
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        text.push_str(if is_first && at == 0 { "\n" } else { ",\n" });
        text.push_str(&serde_json::to_string(row).unwrap_or_default());
    }
    text
}

/// The submissions after one, of those whom `viewer` may see, or with one of whom they were handed in.
fn some(
    connection: &mut Connection<'_>,
    viewer: &Person,
    assignment: &str,
    kind: Kind,
    after: i64,
) -> Result<Vec<Exported>> {
    let (seen, people) = sight::students(viewer, 4);
    let record = if kind == Kind::Records { "result.record" } else { "null" };
    let sql = format!(
        "select submission.id, person.login, person.name, person.section, submission.at, \
         submission.day, submission.slot, submission.feedback, submission.late_days, result.points, \
         result.max_points, result.refused, result.exposed, result.course, \
         (select job.state from job where job.submission = submission.id and job.regrade is null \
            order by job.id desc limit 1), {record}, submission.adjusted, submission.hand_points, \
         (select sender.login from person sender where sender.id = submission.sent_by), person.id \
         from submission \
         join person on person.id = submission.person \
         left join result on result.job = (select one.job from result one \
            where one.submission = submission.id and one.applied is not null \
            order by one.applied desc, one.job desc limit 1) \
         where submission.assignment = $1 and submission.id > $2 and ({seen} or exists (select 1 from member \
            join person on person.id = member.person where member.assignment = $1 \
            and member.keeper = submission.person and {seen})) \
         order by submission.id limit $3"
    );
    let count = if kind == Kind::Records { RECORDS } else { ROWS };
    let mut values: Vec<Value> = vec![assignment.into(), after.into(), count.into()];
    values.extend(people);
    let groups = group::all(connection, assignment)?;
    Ok(connection.query(&sql, &values)?.iter().map(|row| Exported::of(row, &groups)).collect())
}
