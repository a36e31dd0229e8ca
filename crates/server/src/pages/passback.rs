//! Which grades of an assignment went to learning platforms, which wait, which failed and why, and what staff do about it.

use super::words::{encoded, from_now, points, student_page};
use super::{Frame, page};
use crate::app::App;
use crate::passback::glance::{self, ColumnRow, Counts, GradeRow};
use crate::passback::{State as Switch, score, switch};
use crate::people::{Person, Role};
use crate::rules::{Moment, Rules};
use crate::web::{Answer, Refusal, Route, Visitor, at_least};
use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::Method;
use axum::response::{IntoResponse, Redirect, Response};
use harness::diagnostic::Problem;
use serde::Deserialize;

pub(super) fn routes() -> Vec<Route> {
    let (staff, here) = (Role::Staff, "/assignments/{assignment}/passback");
    vec![
        at_least(staff, Method::GET, here, show),
        at_least(staff, Method::POST, here, decide),
        at_least(staff, Method::POST, "/assignments/{assignment}/passback/again", again),
    ]
}

#[derive(Template)]
#[template(path = "passback.html")]
struct Content {
    frame: Frame,
    id: String,
    title: String,
    state: Switch,
    /// What it can be switched to.
    others: Vec<Switch>,
    is_on_by_rules: bool,
    /// When students see points, if they do not yet.
    shown_from: Option<String>,
    counts: Counts,
    columns: Vec<Column>,
    rows: Vec<Row>,
    /// The students whose grade goes nowhere: their pages and names.
    unknown: Vec<(String, String)>,
    page: i64,
    has_more: bool,
}

/// A column of a gradebook.
struct Column {
    platform: String,
    line_item: Option<String>,
    is_closed: bool,
    why: Option<String>,
    remedy: &'static str,
    /// When the platform is asked again, and why it is left alone until then.
    paused: Option<(String, String)>,
}

impl Column {
    fn of(it: ColumnRow, rules: &Rules, now: Moment) -> Self {
        Self {
            platform: title(rules, &it.platform),
            line_item: it.line_item,
            is_closed: it.is_closed,
            why: it.reason.map(|said| answered(it.status, &said)),
            remedy: score::remedy(it.status),
            paused: it
                .paused
                .map(|(until, status, said)| (from_now(now, until), answered(status, &said))),
        }
    }
}

/// The grade of a student in a column.
struct Row {
    login: String,
    name: String,
    student_page: String,
    platform: String,
    state: String,
    points: String,
    max: String,
    /// What the platform has, and since when.
    sent: Option<(String, String)>,
    why: Option<String>,
    remedy: &'static str,
    next_try: Option<String>,
}

impl Row {
    fn of(it: GradeRow, rules: &Rules, now: Moment) -> Self {
        let zone = &rules.time_zone;
        let is_later = it.state == "waiting" && it.until > now;
        Self {
            student_page: student_page(&it.login),
            points: in_points(it.points),
            max: points(it.max_points as f64 / 100.0),
            sent: it.sent.map(|(points, at)| (in_points(points), zone.shown(at))),
            why: it.reason.map(|said| answered(it.status, &said)),
            remedy: score::remedy(it.status),
            next_try: is_later.then(|| from_now(now, it.until)),
            login: it.login,
            name: it.name,
            platform: title(rules, &it.platform),
            state: it.state,
        }
    }
}

/// What people call a platform.
fn title(rules: &Rules, platform: &str) -> String {
    let title = rules.platforms.get(platform).and_then(|it| it.title.clone());
    title.unwrap_or_else(|| platform.to_owned())
}

fn in_points(hundredths: Option<i64>) -> String {
    hundredths.map_or_else(|| "none".to_owned(), |it| points(it as f64 / 100.0))
}

/// What a platform answered, in words. `said` is not of this server.
fn answered(status: i64, said: &str) -> String {
    match (status, said.is_empty()) {
        (0, _) => said.to_owned(),
        (_, true) => format!("the platform answered {status}"),
        (_, false) => format!("the platform answered {status}: {said}"),
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
struct At {
    /// From 0.
    page: i64,
}

async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(at): Query<At>,
) -> Answer {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    let title = version.assignment(&id).ok_or(Refusal::NotFound)?.title.clone();
    let (own, at) = (rules.of(&id), at.page.clamp(0, 1_000_000));
    let (key, is_on_by_rules) = (id.clone(), own.passback);
    let read = app.database.read(move |connection| {
        Ok((
            Moment(connection.now()?),
            switch::state(connection, &key, is_on_by_rules)?,
            glance::counts(connection, &key)?,
            glance::columns(connection, &key)?,
            glance::grades(connection, &key, at)?,
            glance::unknown(connection, &key)?,
        ))
    });
    let (now, state, counts, columns, grades, unknown) = read.await?;
    let zone = &rules.time_zone;
    let all = counts.sent + counts.waiting + counts.refused;
    Ok(page(&Content {
        frame: Frame::new(&format!("Passback of {title}"), &version.course.title, &visitor),
        id,
        title,
        state,
        others: Switch::ALL.into_iter().filter(|it| *it != state).collect(),
        is_on_by_rules,
        shown_from: own.scores(zone).filter(|it| now < *it).map(|it| zone.shown(it)),
        counts,
        columns: columns.into_iter().map(|it| Column::of(it, &rules, now)).collect(),
        rows: grades.into_iter().map(|it| Row::of(it, &rules, now)).collect(),
        unknown: unknown.iter().map(|(login, name)| (student_page(login), name.clone())).collect(),
        page: at,
        has_more: (at + 1) * glance::MOST < all,
    })
    .into_response())
}

#[derive(Deserialize)]
struct Decided {
    #[serde(default)]
    state: String,
}

async fn decide(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Form(sent): Form<Decided>,
) -> Answer {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    version.assignment(&id).ok_or(Refusal::NotFound)?;
    let (is_on_by_rules, by, key) = (rules.of(&id).passback, visitor.person().id, id.clone());
    let wrong = || Refusal::Wrong(Problem::new("there is no such state").hint("use the buttons"));
    let state = Switch::of(&sent.state).ok_or_else(wrong)?;
    let done = app.database.write(move |connection| {
        let before = switch::state(connection, &key, is_on_by_rules)?;
        if before != state {
            switch::decide(connection, &key, before, state, by)?;
        }
        Ok(())
    });
    done.await?;
    Ok(back(&app, &id))
}

#[derive(Deserialize)]
struct Again {
    /// A login. Empty: all.
    #[serde(default)]
    student: String,
}

async fn again(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Form(sent): Form<Again>,
) -> Answer {
    let version = app.courses.in_force(&app.database).await?;
    version.assignment(&id).ok_or(Refusal::NotFound)?;
    let (by, key, login) = (visitor.person().id, id.clone(), sent.student);
    let done = app.database.write(move |connection| {
        let student = match login.as_str() {
            "" => None,
            login => match Person::by_login(connection, login)? {
                Some(student) => Some(student),
                None => return Ok(false),
            },
        };
        let student = student.as_ref().map(|it| (it.id, it.login.as_str()));
        switch::send_again(connection, &key, student, by)?;
        Ok(true)
    });
    if done.await? { Ok(back(&app, &id)) } else { Err(Refusal::NotFound) }
}

/// The answer after something changed.
fn back(app: &App, assignment: &str) -> Response {
    app.changed.notify_waiters();
    Redirect::to(&format!("/assignments/{}/passback", encoded(assignment))).into_response()
}
