//! The students: a list with the points that count, for staff and for graders, who see only their sections.

use super::words::{encoded, points, student_page};
use super::{Frame, page};
use crate::app::App;
use crate::database::{Connection, Result, Value};
use crate::people::{Person, Role, sight};
use crate::rules::Rules;
use crate::rules::lengths::whole;
use crate::submissions::class;
use crate::web::{Answer, Route, Visitor, at_least};
use askama::Template;
use axum::extract::{Query, State};
use axum::http::Method;
use axum::response::IntoResponse;
use serde::Deserialize;

/// How many students are on a page.
const MOST: i64 = 50;

pub(super) fn routes() -> Vec<Route> {
    vec![at_least(Role::Grader, Method::GET, "/students", list)]
}

/// What a person looks for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Search {
    /// A part of a login or name.
    q: String,
    section: String,
    /// From 1.
    page: i64,
}

#[derive(Template)]
#[template(path = "students.html")]
struct Students {
    frame: Frame,
    search: Search,
    sections: Vec<String>,
    /// The ids and titles of the assignments.
    assignments: Vec<(String, String)>,
    rows: Vec<Row>,
    found: i64,
    first: i64,
    /// The addresses of the pages before and after this one.
    before: Option<String>,
    after: Option<String>,
    is_staff: bool,
}

struct Row {
    address: String,
    login: String,
    name: String,
    section: String,
    extra: Option<String>,
    is_active: bool,
    has_password: bool,
    /// The points that count, by assignment. None: no submission.
    points: Vec<Option<String>>,
}

/// What the database has of a page of the list.
struct Found {
    count: i64,
    sections: Vec<String>,
    rows: Vec<Row>,
}

async fn list(State(app): State<App>, visitor: Visitor, Query(search): Query<Search>) -> Answer {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    let assignments: Vec<_> =
        version.assignments().map(|it| (it.id.clone(), it.title.clone())).collect();
    let (viewer, looked_for) = (visitor.person().clone(), search.clone());
    let ids: Vec<_> = assignments.iter().map(|(id, _)| id.clone()).collect();
    let found =
        app.database.read(move |connection| find(connection, &rules, &viewer, &looked_for, &ids));
    let found = found.await?;
    let at = search.page.max(1);
    let address = |at: i64| {
        let (q, section) = (encoded(&search.q), encoded(&search.section));
        format!("/students?q={q}&section={section}&page={at}")
    };
    Ok(page(&Students {
        frame: Frame::new("Students", &version.course.title, &visitor),
        sections: found.sections,
        assignments,
        rows: found.rows,
        found: found.count,
        first: (at - 1) * MOST + 1,
        before: (at > 1).then(|| address(at - 1)),
        after: (at * MOST < found.count).then(|| address(at + 1)),
        is_staff: visitor.is(Role::Staff),
        search,
    })
    .into_response())
}

fn find(
    connection: &mut Connection<'_>,
    rules: &Rules,
    viewer: &Person,
    search: &Search,
    assignments: &[String],
) -> Result<Found> {
    let (seen, values) = sight::students(viewer, 1);
    let sql = format!("select distinct section from person where {seen} order by section");
    let sections = connection.query(&sql, &values)?.iter().map(|row| row.text(0)).collect();
    let (condition, mut values) = condition(seen, values, search);
    let sql = format!("select count(*) from person where {condition}");
    let count = connection.first(&sql, &values)?.map_or(0, |row| row.int(0));
    let at = values.len();
    values.extend([MOST.into(), ((search.page.max(1) - 1).saturating_mul(MOST)).into()]);
    let sql = format!(
        "select {}, case when person.password is null then 0 else 1 end from person \
         where {condition} order by person.active desc, person.login limit ${} offset ${}",
        Person::COLUMNS,
        at + 1,
        at + 2
    );
    let people: Vec<_> = connection
        .query(&sql, &values)?
        .iter()
        .map(|row| (Person::of(row), row.int(8) == 1))
        .collect();
    let ids: Vec<_> = people.iter().map(|(person, _)| person.id).collect();
    let mut counting = Vec::new();
    for assignment in assignments {
        counting.push(class::counting(connection, rules, assignment, Some(&ids))?);
    }
    let row = |(person, has_password): (Person, bool)| Row {
        address: student_page(&person.login),
        extra: (person.extra_minutes > 0).then(|| whole(person.extra_minutes)),
        points: counting
            .iter()
            .map(|all| all.get(&person.id).map(|it| points(it.standing.points)))
            .collect(),
        login: person.login,
        name: person.name,
        section: person.section,
        is_active: person.is_active,
        has_password,
    };
    Ok(Found { count, sections, rows: people.into_iter().map(row).collect() })
}

/// The condition of what is looked for, among those who are seen.
fn condition(seen: String, mut values: Vec<Value>, search: &Search) -> (String, Vec<Value>) {
    let mut condition = seen;
    let q = search.q.trim().to_lowercase();
    if !q.is_empty() {
        let escaped = q.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        values.push(format!("%{escaped}%").into());
        let at = values.len();
        let like = format!("like ${at} escape '\\'");
        condition =
            format!("{condition} and (lower(person.login) {like} or lower(person.name) {like})");
    }
    if !search.section.is_empty() {
        values.push((&search.section).into());
        condition = format!("{condition} and person.section = ${}", values.len());
    }
    (condition, values)
}
