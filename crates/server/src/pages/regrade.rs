//! Regrades: a preview of whose points change and why, which staff apply or drop.

mod begin;
mod decided;

use super::Frame;
use super::course::RegradeForm;
use super::live::{self, Live, Part};
use super::words::{points, student_page};
use crate::app::App;
use crate::courses::short;
use crate::database::{Connection, Result as Done};
use crate::people::Role;
use crate::regrades::{self, Changed, Failed, Progress, Regrade, Totals};
use crate::web::{Answer, Refusal, Route, Visitor, at_least};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::Method;
use axum::response::{IntoResponse, Redirect, Response};
use harness::diagnostic::Problem;
use serde::Deserialize;

pub(super) fn routes() -> Vec<Route> {
    let staff = Role::Staff;
    vec![
        at_least(staff, Method::POST, "/regrades", begin::begin),
        at_least(staff, Method::GET, "/regrades/{regrade}", show),
        at_least(staff, Method::GET, "/regrades/{regrade}/events", events),
        at_least(staff, Method::POST, "/regrades/{regrade}/apply", decided::apply),
        at_least(staff, Method::POST, "/regrades/{regrade}/drop", decided::drop_it),
        at_least(staff, Method::POST, "/regrades/{regrade}/retry", decided::retry),
    ]
}

/// The answer after a regrade changed.
fn changed(app: &App, id: i64) -> Response {
    app.changed.notify_waiters();
    Redirect::to(&format!("/regrades/{id}")).into_response()
}

fn wrong(what: impl Into<String>, hint: &str) -> Refusal {
    Refusal::Wrong(Problem::new(what).hint(hint).printable())
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
struct At {
    /// From 0.
    page: i64,
}

#[derive(Template)]
#[template(path = "regrade.html")]
struct Content {
    it: Regrade,
    title: String,
    version: String,
    scope: String,
    at: String,
    is_in_force: bool,
    progress: Progress,
    percent: i64,
    totals: Totals,
    changes: Vec<Row>,
    /// Those that keep their points and get them from other parts, once all is graded.
    moved: Vec<Row>,
    /// Whether there were too many to look at all of them.
    not_all_looked_at: bool,
    first: i64,
    before: Option<i64>,
    after: Option<i64>,
    failed: Vec<Failed>,
    /// Submissions that came since, and are graded by another version.
    since: i64,
    regrade: RegradeForm,
}

/// A submission whose points change.
struct Row {
    submission: i64,
    login: String,
    student_page: String,
    before: String,
    after: String,
    difference: String,
    is_less: bool,
    max: String,
    why: Vec<String>,
}

impl Row {
    fn of(it: &Changed) -> Self {
        let difference = it.after.unwrap_or_default() - it.before.unwrap_or_default();
        let or_none = |it: Option<f64>| it.map_or_else(|| "none".to_owned(), points);
        let sign = if difference > 0.0 { "+" } else { "" };
        Self {
            submission: it.submission,
            login: it.login.clone(),
            student_page: student_page(&it.login),
            before: or_none(it.before),
            after: or_none(it.after),
            difference: format!("{sign}{}", points(difference)).replace('-', "−"),
            is_less: difference < 0.0,
            max: points(it.max),
            why: it.why.clone(),
        }
    }
}

/// What the database knows.
struct Known {
    regrade: Regrade,
    progress: Progress,
    totals: Totals,
    changes: Vec<Changed>,
    moved: Vec<Changed>,
    failed: Vec<Failed>,
    since: i64,
}

impl Known {
    fn read(connection: &mut Connection<'_>, id: i64, page: i64) -> Done<Option<Self>> {
        let Some(regrade) = regrades::find(connection, id)? else { return Ok(None) };
        let progress = regrades::progress(connection, id)?;
        let is_graded = !regrade.is_beginning && progress.open() == 0;
        Ok(Some(Self {
            progress,
            totals: regrades::totals(connection, id)?,
            changes: regrades::changes(connection, id, page)?,
            moved: if is_graded { regrades::moved(connection, id)? } else { Vec::new() },
            failed: regrades::failed(connection, id)?,
            since: regrades::since(connection, &regrade)?,
            regrade,
        }))
    }
}

async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Query(at): Query<At>,
) -> Answer {
    let version = app.courses.in_force(&app.database).await?;
    let frame = Frame::new(&format!("Regrade {id}"), &version.course.title, &visitor);
    let page = at.page.clamp(0, 1_000_000);
    let events = format!("/regrades/{id}/events?page={page}");
    let part = Watched { app, visitor, id, page }.part().await?;
    Ok(live::page(frame, events, part).into_response())
}

async fn events(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Query(at): Query<At>,
) -> Answer {
    let page = at.page.clamp(0, 1_000_000);
    let watched = Watched { app: app.clone(), visitor: visitor.clone(), id, page };
    watched.stamp().await?.ok_or(Refusal::NotFound)?;
    live::events(app, &visitor, watched)
}

/// A page of the changes of a regrade, as a visitor sees it.
struct Watched {
    app: App,
    visitor: Visitor,
    id: i64,
    page: i64,
}

impl Live for Watched {
    type Stamp = Option<(Regrade, Progress)>;

    async fn stamp(&self) -> Result<Self::Stamp, Refusal> {
        let id = self.id;
        let read = self.app.database.read(move |connection| {
            let regrade = regrades::find(connection, id)?;
            regrade.map(|it| Ok((it, regrades::progress(connection, id)?))).transpose()
        });
        Ok(read.await?)
    }

    async fn part(&self) -> Result<Part, Refusal> {
        let (app, id, at) = (&self.app, self.id, self.page);
        let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
        let known = app.database.read(move |connection| Known::read(connection, id, at)).await?;
        let known = known.ok_or(Refusal::NotFound)?;
        let Known { regrade: it, progress, totals, changes, moved, failed, since } = known;
        let changed = totals.up + totals.down + totals.first;
        let title = version.assignment(&it.assignment).map_or(&it.assignment, |it| &it.title);
        let name = short(&it.course).to_owned();
        let content = Content {
            regrade: RegradeForm {
                versions: vec![(it.course.clone(), name.clone())],
                assignments: vec![(it.assignment.clone(), title.clone())],
                assignment: it.assignment.clone(),
                scope: it.scope.clone(),
                form: self.visitor.form(),
            },
            title: title.clone(),
            version: name,
            scope: it.scope.words(),
            at: rules.time_zone.shown(it.at),
            is_in_force: it.course == version.digest,
            percent: 100 * (progress.all() - progress.open()) / progress.all().max(1),
            progress,
            totals,
            first: at * regrades::MOST + 1,
            before: (at > 0).then_some(at - 1),
            after: ((at + 1) * regrades::MOST < changed).then_some(at + 1),
            changes: changes.iter().map(Row::of).collect(),
            moved: moved.iter().map(Row::of).collect(),
            not_all_looked_at: totals.same() > regrades::LOOKED_AT,
            failed,
            since,
            it,
        };
        Ok(Part::of(
            &content,
            !content.it.is_preview() || !content.it.is_beginning && progress.open() == 0,
        ))
    }
}
