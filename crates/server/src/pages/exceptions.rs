//! Exceptions: later due dates and more submissions, for a student or for all, each with a reason.

use super::words::{encoded, reason, student_page};
use super::{Frame, page};
use crate::app::App;
use crate::courses::Version;
use crate::people::roster::minutes::minutes;
use crate::people::{Person, Role};
use crate::rules::Rules;
use crate::rules::lengths::whole;
use crate::submissions::exceptions::{self, Exception, Grant, Kind};
use crate::web::{Access, Answer, Refusal, Route, Visitor, at_least, route};
use askama::Template;
use axum::extract::{Path, State};
use axum::http::Method;
use axum::response::{IntoResponse, Redirect};
use harness::diagnostic::Problem;
use serde::Deserialize;
use std::collections::HashMap;

/// The most submissions that are granted at once.
const MOST: i64 = 100;

pub(super) fn routes() -> Vec<Route> {
    let student = Access::StudentAs(Role::Staff);
    vec![
        route(Method::POST, "/students/{student}/exceptions", student, grant_one),
        route(Method::POST, "/students/{student}/exceptions/{exception}", student, remove_one),
        at_least(Role::Staff, Method::GET, "/assignments/{assignment}/exceptions", for_all),
        at_least(Role::Staff, Method::POST, "/assignments/{assignment}/exceptions", grant_all),
        at_least(
            Role::Staff,
            Method::POST,
            "/assignments/{assignment}/exceptions/{exception}",
            remove_all,
        ),
    ]
}

/// The form that grants something.
pub(super) struct Form {
    /// Its address begins with this.
    pub(super) address: String,
    /// The ids and titles of the assignments to choose from.
    pub(super) assignments: Vec<(String, String)>,
}

impl Form {
    pub(super) fn new(version: &Version, address: &str) -> Self {
        let assignments = version.assignments().map(|it| (it.id.clone(), it.title.clone()));
        Self { address: address.to_owned(), assignments: assignments.collect() }
    }
}

/// An exception on a page.
pub(super) struct Shown {
    pub(super) id: i64,
    pub(super) is_for_all: bool,
    pub(super) assignment: String,
    /// What is granted, in words.
    pub(super) what: String,
    pub(super) reason: String,
    pub(super) at: String,
    pub(super) by: String,
}

impl Shown {
    pub(super) fn of(it: &Exception, rules: &Rules) -> Self {
        let amount = it.grant.amount;
        let what = match (it.grant.kind, &it.grant.day) {
            (Kind::Extension, _) => format!("due {} later", whole(amount)),
            (Kind::More, Some(day)) => format!("{amount} more on {day}"),
            (Kind::More, None) => format!("{amount} more each day"),
        };
        Self {
            id: it.id,
            is_for_all: it.is_for_all,
            assignment: it.grant.assignment.clone(),
            what,
            reason: it.grant.reason.clone(),
            at: rules.time_zone.shown(it.at),
            by: it.by.clone(),
        }
    }
}

#[derive(Template)]
#[template(path = "exceptions.html")]
struct ForAll {
    frame: Frame,
    title: String,
    exceptions: Vec<Shown>,
    form: Form,
    is_staff: bool,
}

/// What the form sends.
#[derive(Clone, Debug, Deserialize)]
struct Sent {
    #[serde(default)]
    assignment: String,
    kind: String,
    amount: String,
    #[serde(default)]
    day: String,
    #[serde(default)]
    reason: String,
}

#[derive(Clone, Debug, Deserialize)]
struct Removed {
    #[serde(default)]
    reason: String,
}

impl Sent {
    fn grant(&self, version: &Version) -> Result<Grant, Refusal> {
        let wrong = |what: &str, hint: &str| Refusal::Wrong(Problem::new(what).hint(hint));
        let assignment = version.assignment(&self.assignment).ok_or(Refusal::NotFound)?;
        let kind = Kind::of(&self.kind).ok_or(Refusal::NotFound)?;
        let amount = match kind {
            Kind::Extension => minutes(&self.amount),
            Kind::More => self.amount.trim().parse().ok().filter(|amount| *amount <= MOST),
        };
        let hint =
            "write a time such as 90 (minutes), 36h or 2d, or a number of submissions up to 100";
        let amount = amount.filter(|amount| *amount > 0);
        let amount = amount.ok_or_else(|| wrong("this amount cannot be granted", hint))?;
        let day = Some(self.day.trim()).filter(|day| !day.is_empty() && kind == Kind::More);
        let is_day =
            day.is_none_or(|day| day.len() == 10 && day.parse::<jiff::civil::Date>().is_ok());
        if !is_day {
            return Err(wrong("the day is no date", "write it as 2026-11-24, or leave it out"));
        }
        let (assignment, day) = (assignment.id.clone(), day.map(Into::into));
        Ok(Grant { kind, assignment, amount, day, reason: reason(&self.reason)? })
    }
}

async fn grant_one(
    State(app): State<App>,
    visitor: Visitor,
    axum::Form(sent): axum::Form<Sent>,
) -> Answer {
    let student = visitor.student().clone();
    let back = format!("{}#exceptions", student_page(&student.login));
    grant(&app, &visitor, Some(student), &sent).await?;
    Ok(Redirect::to(&back).into_response())
}

async fn grant_all(
    State(app): State<App>,
    visitor: Visitor,
    Path(assignment): Path<String>,
    axum::Form(sent): axum::Form<Sent>,
) -> Answer {
    let back = format!("/assignments/{}/exceptions", encoded(&assignment));
    grant(&app, &visitor, None, &Sent { assignment, ..sent }).await?;
    Ok(Redirect::to(&back).into_response())
}

async fn grant(
    app: &App,
    visitor: &Visitor,
    student: Option<Person>,
    sent: &Sent,
) -> Result<(), Refusal> {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    let (grant, by) = (sent.grant(&version)?, visitor.person().id);
    app.database
        .write(move |connection| {
            exceptions::grant(connection, &rules, student.as_ref(), &grant, by)
        })
        .await?;
    Ok(())
}

async fn remove_one(
    State(app): State<App>,
    visitor: Visitor,
    Path(path): Path<HashMap<String, String>>,
    axum::Form(sent): axum::Form<Removed>,
) -> Answer {
    let student = visitor.student().clone();
    let back = format!("{}#exceptions", student_page(&student.login));
    remove(&app, &visitor, Some(student), &path, &sent).await?;
    Ok(Redirect::to(&back).into_response())
}

async fn remove_all(
    State(app): State<App>,
    visitor: Visitor,
    Path(path): Path<HashMap<String, String>>,
    axum::Form(sent): axum::Form<Removed>,
) -> Answer {
    remove(&app, &visitor, None, &path, &sent).await?;
    let assignment = path.get("assignment").map(String::as_str).unwrap_or_default();
    Ok(Redirect::to(&format!("/assignments/{}/exceptions", encoded(assignment))).into_response())
}

async fn remove(
    app: &App,
    visitor: &Visitor,
    student: Option<Person>,
    path: &HashMap<String, String>,
    sent: &Removed,
) -> Result<(), Refusal> {
    let id = path.get("exception").and_then(|id| id.parse().ok()).ok_or(Refusal::NotFound)?;
    let (why, by) = (reason(&sent.reason)?, visitor.person().id);
    let removed = app
        .database
        .write(move |connection| exceptions::remove(connection, id, student.as_ref(), &why, by));
    if removed.await? { Ok(()) } else { Err(Refusal::NotFound) }
}

async fn for_all(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    let assignment = version.assignment(&id).ok_or(Refusal::NotFound)?;
    let all = app.database.read(|connection| exceptions::of(connection, None)).await?;
    let all = all.iter().filter(|it| it.grant.assignment == id);
    let mut form = Form::new(&version, &format!("/assignments/{}", encoded(&id)));
    form.assignments.retain(|(it, _)| *it == id);
    Ok(page(&ForAll {
        frame: Frame::new("Exceptions for all", &version.course.title, &visitor),
        title: assignment.title.clone(),
        exceptions: all.map(|it| Shown::of(it, &rules)).collect(),
        form,
        is_staff: true,
    })
    .into_response())
}
