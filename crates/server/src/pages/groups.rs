//! The groups of an assignment, for staff: who hands in together. They put students together, and take them out.

use super::words::{encoded, reason, student_page};
use super::{Frame, page};
use crate::app::App;
use crate::database::{Connection, Result};
use crate::people::{Person, Role};
use crate::submissions::group::{self, Group, change};
use crate::web::{Answer, Refusal, Route, Visitor, at_least};
use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::http::Method;
use axum::response::{IntoResponse, Redirect, Response};
use harness::diagnostic::Problem;
use serde::Deserialize;
use std::collections::BTreeSet;

pub(super) fn routes() -> Vec<Route> {
    let staff = Role::Staff;
    vec![
        at_least(staff, Method::GET, "/assignments/{assignment}/groups", show),
        at_least(staff, Method::POST, "/assignments/{assignment}/groups", put_together),
        at_least(staff, Method::POST, "/assignments/{assignment}/groups/take-out", take_out),
    ]
}

#[derive(Template)]
#[template(path = "groups.html")]
struct Groups {
    frame: Frame,
    id: String,
    title: String,
    /// How many students make a group, if they may.
    most: Option<i64>,
    groups: Vec<Row>,
    /// The students who work alone, by login: their pages and names, and how many submissions each has.
    alone: Vec<Alone>,
}

struct Row {
    members: Vec<Member>,
    submissions: i64,
}

struct Member {
    login: String,
    name: String,
    page: String,
    is_active: bool,
}

struct Alone {
    login: String,
    name: String,
    page: String,
    submissions: i64,
}

async fn show(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    let assignment = version.assignment(&id).ok_or(Refusal::NotFound)?;
    let key = id.clone();
    let (groups, students) = app.database.read(move |connection| read(connection, &key)).await?;
    let in_groups: BTreeSet<_> = groups.iter().flat_map(|(group, _)| group.ids()).collect();
    let row = |(group, submissions): (Group, i64)| Row {
        members: group.members.iter().map(Member::of).collect(),
        submissions,
    };
    let alone = students.into_iter().filter(|(it, _)| !in_groups.contains(&it.id));
    let alone = alone.map(|(it, submissions)| Alone {
        page: student_page(&it.login),
        login: it.login,
        name: it.name,
        submissions,
    });
    Ok(page(&Groups {
        frame: Frame::new("Groups", &version.course.title, &visitor),
        title: assignment.title.clone(),
        most: rules.of(&id).groups.map(|it| it.value.most),
        alone: alone.collect(),
        groups: groups.into_iter().map(row).collect(),
        id,
    })
    .into_response())
}

impl Member {
    fn of(it: &Person) -> Self {
        let (login, name) = (it.login.clone(), it.name.clone());
        Self { page: student_page(&login), login, name, is_active: it.is_active }
    }
}

/// Groups and students, each with how many submissions there are.
type Counted<T> = Vec<(T, i64)>;

/// The groups, and the active students.
fn read(
    connection: &mut Connection<'_>,
    assignment: &str,
) -> Result<(Counted<Group>, Counted<Person>)> {
    let sql = format!(
        "select {}, (select count(*) from submission where submission.person = person.id \
            and submission.assignment = $1) from person \
         where role = 'student' and active = 1 order by login",
        Person::COLUMNS
    );
    let students = connection.query(&sql, &[assignment.into()])?;
    let students: Vec<_> = students.iter().map(|row| (Person::of(row), row.int(8))).collect();
    let of_keeper = "select count(*) from submission where person = $1 and assignment = $2";
    let mut groups = Vec::new();
    for group in group::all(connection, assignment)?.into_values() {
        let row = connection.first(of_keeper, &[group.keeper.into(), assignment.into()])?;
        groups.push((group, row.map_or(0, |row| row.int(0))));
    }
    Ok((groups, students))
}

#[derive(Deserialize)]
struct Sent {
    #[serde(default)]
    logins: String,
    #[serde(default)]
    reason: String,
}

fn back(assignment: &str) -> Response {
    Redirect::to(&format!("/assignments/{}/groups", encoded(assignment))).into_response()
}

fn wrong(message: impl Into<String>, hint: &str) -> Refusal {
    Refusal::Wrong(Problem::new(message).hint(hint))
}

/// The logins of a text, each once, in their order.
fn logins(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for login in text.split(|it: char| it.is_whitespace() || it == ',' || it == ';') {
        if !login.is_empty() && !all.iter().any(|it| it == login) {
            all.push(login.to_owned());
        }
    }
    all
}

/// The student of the course with this login.
fn student(
    connection: &mut Connection<'_>,
    login: &str,
) -> Result<std::result::Result<Person, Problem>> {
    let found = Person::by_login(connection, login)?.filter(|it| it.role == Role::Student);
    let unknown = || Problem::new(format!("no student has the login {login}"));
    Ok(found.ok_or_else(|| unknown().hint("write the logins with spaces between them")))
}

async fn put_together(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Form(sent): Form<Sent>,
) -> Answer {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    version.assignment(&id).ok_or(Refusal::NotFound)?;
    let (logins, why, by) = (logins(&sent.logins), reason(&sent.reason)?, visitor.person().id);
    if logins.len() < 2 {
        return Err(wrong("a group has two students at least", "write their logins"));
    }
    let key = id.clone();
    let done = app.database.write(move |connection| {
        let mut students = Vec::new();
        for login in &logins {
            match student(connection, login)? {
                Ok(student) => students.push(student),
                Err(problem) => return Ok(Err(problem)),
            }
        }
        change::put_together(connection, &rules, &key, &students, (&why, by))
    });
    done.await?.map_err(Refusal::Wrong)?;
    app.changed.notify_waiters();
    Ok(back(&id))
}

async fn take_out(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Form(sent): Form<Sent>,
) -> Answer {
    let version = app.courses.in_force(&app.database).await?;
    version.assignment(&id).ok_or(Refusal::NotFound)?;
    let (why, by, key) = (reason(&sent.reason)?, visitor.person().id, id.clone());
    let done = app.database.write(move |connection| {
        let student = match student(connection, sent.logins.trim())? {
            Ok(student) => student,
            Err(problem) => return Ok(Err(problem)),
        };
        change::take_out(connection, &key, &student, (&why, by)).map(Ok)
    });
    if !done.await?.map_err(Refusal::Wrong)? {
        return Err(wrong("this student is in no group", "load the page again"));
    }
    app.changed.notify_waiters();
    Ok(back(&id))
}
