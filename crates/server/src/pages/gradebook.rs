//! Gradebooks: of one assignment as `harness` writes them, with what only the server knows beside it, and of the whole course.

use super::class::{OfClass, read};
use super::words::points;
use crate::app::App;
use crate::database::Result;
use crate::people::{Person, Role};
use crate::rules::Rules;
use crate::sheet;
use crate::submissions::class;
use crate::web::{Answer, Refusal, Route, Visitor, at_least};
use axum::extract::{Path, Query, State};
use axum::http::{Method, header};
use axum::response::{IntoResponse, Response};
use harness::diagnostic::Problem;
use harness::report::gradebook;
use harness::result::graded::SubmissionReport;
use serde::{Deserialize, Serialize};

/// The version of the document.
const SCHEMA: &str = "harness-serve-gradebook/1";

pub(super) fn routes() -> Vec<Route> {
    let get = Method::GET;
    vec![
        at_least(Role::Grader, get.clone(), "/assignments/{assignment}/gradebook.csv", as_csv)
            .with_token(),
        at_least(Role::Grader, get.clone(), "/assignments/{assignment}/gradebook.json", as_json)
            .with_token(),
        at_least(Role::Grader, get, "/gradebook.csv", of_course).with_token(),
    ]
}

/// A file that a browser saves.
pub(super) fn download(kind: &'static str, name: &str, body: impl IntoResponse) -> Response {
    let name = format!("attachment; filename=\"{}\"", super::words::encoded(name));
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)], body)
        .into_response()
}

/// The class of an assignment that there is.
async fn class_of(
    app: &App,
    visitor: &Visitor,
    assignment: &str,
) -> std::result::Result<(std::sync::Arc<Rules>, Vec<OfClass>), Refusal> {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    version.assignment(assignment).ok_or(Refusal::NotFound)?;
    let (viewer, for_query, key) = (visitor.person().clone(), rules.clone(), assignment.to_owned());
    let class = app.database.read(move |connection| read(connection, &for_query, &viewer, &key));
    Ok((rules, class.await?))
}

/// What the server adds to the gradebook of `harness`.
const ADDED: [&str; 10] = [
    "name",
    "section",
    "group",
    "submission",
    "handed_in",
    "counts",
    "late_days",
    "late_days_of_budget",
    "late_cost",
    "points_that_count",
];

async fn as_csv(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let (_, class) = class_of(&app, &visitor, &id).await?;
    let table = table(&id, &class)
        .ok_or_else(|| Refusal::Broken(Problem::new("the gradebook could not be written")))?;
    Ok(download("text/csv; charset=utf-8", &format!("gradebook-{id}.csv"), table))
}

/// The rows of `harness`, with more columns, and a row for each student who has no result.
fn table(assignment: &str, class: &[OfClass]) -> Option<String> {
    let reports: Vec<SubmissionReport> = class.iter().filter_map(|it| it.report.clone()).collect();
    let csv = gradebook::csv(assignment, &reports, None).ok()?;
    let mut rows =
        csv::ReaderBuilder::new().has_headers(false).from_reader(&csv[..]).into_records();
    let first = rows.next()?.ok()?;
    let mut text = sheet::line(first.iter().chain(ADDED));
    let mut of_reports = rows;
    for it in class {
        let row: Vec<String> = if it.report.is_some() {
            of_reports.next()?.ok()?.iter().map(Into::into).collect()
        } else {
            let known = [it.student.login.as_str(), assignment, "no"].map(str::to_owned);
            let empty = std::iter::repeat_with(String::new);
            known.into_iter().chain(empty).take(first.len()).collect()
        };
        // What `harness` wrote begins with a quote already if it must.
        text.push_str(&sheet::line(row.into_iter().chain(added(it))));
    }
    Some(text)
}

fn added(it: &OfClass) -> [String; 10] {
    let of = |text: &dyn Fn(&class::Counting) -> String| {
        it.counting.as_ref().map_or_else(String::new, text)
    };
    [
        it.student.name.clone(),
        it.student.section.clone(),
        it.group.clone().unwrap_or_default(),
        of(&|it| it.standing.submission.to_string()),
        of(&|it| it.at.rfc3339()),
        of(&|it| it.counts.word().to_owned()),
        of(&|it| it.standing.late.days.to_string()),
        of(&|it| it.standing.late.covered.to_string()),
        of(&|it| points(it.standing.earned - it.standing.points)),
        of(&|it| points(it.standing.points)),
    ]
}

#[derive(Serialize)]
struct Gradebook<'a> {
    schema: &'static str,
    assignment: &'a str,
    students: Vec<Student<'a>>,
}

#[derive(Serialize)]
struct Student<'a> {
    login: &'a str,
    name: &'a str,
    section: &'a str,
    /// The logins of those who hand in together.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    /// The submission that counts, if there is one.
    submission: Option<Counts<'a>>,
}

#[derive(Serialize)]
struct Counts<'a> {
    id: i64,
    handed_in: String,
    counts: &'static str,
    /// After what lateness costs.
    points: f64,
    /// Before.
    earned: f64,
    max_points: f64,
    late_days: i64,
    late_days_of_budget: i64,
    bugs_exposed: Option<i64>,
    parts: Vec<&'a harness::result::graded::points::Part>,
}

async fn as_json(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let (_, class) = class_of(&app, &visitor, &id).await?;
    let students = class.iter().map(|it| Student {
        login: &it.student.login,
        name: &it.student.name,
        section: &it.student.section,
        group: it.group.as_deref(),
        submission: it.counting.as_ref().map(|counting| Counts {
            id: counting.standing.submission,
            handed_in: counting.at.rfc3339(),
            counts: counting.counts.word(),
            points: counting.standing.points,
            earned: counting.standing.earned,
            max_points: counting.standing.max,
            late_days: counting.standing.late.days,
            late_days_of_budget: counting.standing.late.covered,
            bugs_exposed: counting.standing.exposed,
            parts: it.report.iter().flat_map(|report| &report.points.parts).collect(),
        }),
    });
    let book = Gradebook { schema: SCHEMA, assignment: &id, students: students.collect() };
    let text = serde_json::to_string_pretty(&book).unwrap_or_default();
    Ok(download("application/json", &format!("gradebook-{id}.json"), text))
}

/// Who reads the gradebook of the course.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Reader {
    /// People, spreadsheets, and Moodle, which asks what each column is.
    #[default]
    Any,
    Canvas,
    Blackboard,
}

#[derive(Deserialize)]
struct For {
    #[serde(default, rename = "for")]
    reader: Reader,
}

impl Reader {
    /// The columns that say who somebody is.
    fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Any => &["login", "name", "section"],
            Self::Canvas => &["Student", "ID", "SIS User ID", "SIS Login ID", "Section"],
            Self::Blackboard => &["Username"],
        }
    }

    fn row(self, it: &Person) -> Vec<&str> {
        match self {
            Self::Any => vec![&it.login, &it.name, &it.section],
            Self::Canvas => vec![&it.name, "", "", &it.login, &it.section],
            Self::Blackboard => vec![&it.login],
        }
    }
}

async fn of_course(
    State(app): State<App>,
    visitor: Visitor,
    Query(For { reader }): Query<For>,
) -> Answer {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    let ids: Vec<_> = version.assignments().map(|it| it.id.clone()).collect();
    let titles: Vec<_> = version.assignments().map(|it| it.title.clone()).collect();
    let viewer = visitor.person().clone();
    let table = app.database.read(move |connection| -> Result<String> {
        let students = class::students(connection, &viewer)?;
        let seen: Vec<_> = students.iter().map(|it| it.id).collect();
        let mut columns = Vec::new();
        for id in &ids {
            columns.push(class::counting(connection, &rules, id, Some(&seen))?);
        }
        let names = if reader == Reader::Any { &ids } else { &titles };
        let first = reader.columns().iter().copied().chain(names.iter().map(String::as_str));
        let mut text = sheet::line(first);
        if reader == Reader::Canvas {
            let most = columns.iter().map(|all| all.values().map(|it| it.standing.max));
            let most = most.map(|all| all.fold(0.0, f64::max));
            let most = most.map(|it| if it > 0.0 { points(it) } else { String::new() });
            let nobody = ["Points Possible", "", "", "", ""].map(str::to_owned);
            text.push_str(&sheet::line(nobody.into_iter().chain(most)));
        }
        for it in &students {
            let own = columns.iter().map(|all| {
                all.get(&it.id).map_or_else(String::new, |it| points(it.standing.points))
            });
            let person = reader.row(it).into_iter().map(str::to_owned);
            text.push_str(&sheet::line(person.chain(own)));
        }
        Ok(text)
    });
    Ok(download("text/csv; charset=utf-8", "gradebook.csv", table.await?))
}
