//! Regrades: a preview of whose points change and why, which staff apply or drop.

use super::course::RegradeForm;
use super::words::{points, reason, student_page};
use super::{Frame, page};
use crate::app::App;
use crate::courses::short;
use crate::database::{Connection, Fault, Result as Done};
use crate::people::{Person, Role};
use crate::queue::by_hand;
use crate::regrades::{self, Applied, Changed, Failed, New, Progress, Regrade, Scope, Totals};
use crate::web::{Answer, Refusal, Route, Visitor, at_least};
use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::Method;
use axum::response::{IntoResponse, Redirect};
use harness::diagnostic::Problem;
use serde::Deserialize;

/// The most students that are named.
const MOST_STUDENTS: usize = 500;

pub(super) fn routes() -> Vec<Route> {
    let staff = Role::Staff;
    vec![
        at_least(staff, Method::POST, "/regrades", begin),
        at_least(staff, Method::GET, "/regrades/{regrade}", show),
        at_least(staff, Method::POST, "/regrades/{regrade}/apply", apply),
        at_least(staff, Method::POST, "/regrades/{regrade}/drop", drop_it),
        at_least(staff, Method::POST, "/regrades/{regrade}/retry", retry),
    ]
}

/// What the form sends that begins a regrade.
#[derive(Clone, Debug, Deserialize)]
struct Begin {
    course: String,
    assignment: String,
    scope: String,
    #[serde(default)]
    students: String,
    #[serde(default)]
    again: String,
}

fn wrong(what: impl Into<String>, hint: &str) -> Refusal {
    Refusal::Wrong(Problem::new(what).hint(hint).printable())
}

impl Begin {
    fn scope(&self) -> Result<Scope, Refusal> {
        let between = |it: char| it.is_whitespace() || it == ',' || it == ';';
        let logins = self.students.split(between).filter(|it| !it.is_empty()).map(Into::into);
        match self.scope.as_str() {
            "counting" => Ok(Scope::Counting),
            "all" => Ok(Scope::All),
            _ => match logins.collect::<Vec<String>>() {
                all if all.is_empty() => Err(wrong("no student is named", "write their logins")),
                all if all.len() > MOST_STUDENTS => {
                    Err(wrong("these are too many students", "choose all submissions instead"))
                }
                all => Ok(Scope::Students(all)),
            },
        }
    }
}

async fn begin(State(app): State<App>, visitor: Visitor, Form(sent): Form<Begin>) -> Answer {
    let scope = sent.scope()?;
    let version = app.courses.version(&app.database, &sent.course).await;
    let version =
        version.map_err(|_| wrong("this version cannot be used", "choose another one"))?;
    version.assignment(&sent.assignment).ok_or_else(|| {
        wrong("this version does not have the assignment", "choose another version")
    })?;
    let rules = app.rules().await?;
    let new = New {
        course: sent.course,
        assignment: sent.assignment,
        scope,
        again: sent.again == "yes",
        by: visitor.person().id,
    };
    let (wanted, of) = (new.clone(), rules.clone());
    let count = app.database.read(move |connection| {
        if let Some(login) = unknown(connection, &wanted.scope)? {
            return Ok(Err(login));
        }
        Ok(Ok(regrades::count(connection, &of, &wanted)?))
    });
    let count = count.await?.map_err(|login| {
        wrong(format!("there is no student `{login}`"), "the page of the students has all logins")
    })?;
    if count == 0 {
        let what = "there is nothing to regrade: these submissions have results of this version";
        return Err(wrong(what, "tick the last box to grade them all the same"));
    }
    let id = app.database.write(move |connection| regrades::begin(connection, &new, count)).await?;
    // It goes on though nobody may wait for the page any more.
    let database = app.database.clone();
    let queued = tokio::spawn(async move { regrades::finish(&database, &rules, id).await });
    queued.await.map_err(|error| Fault::Broken(error.to_string()))??;
    app.changed.notify_waiters();
    Ok(Redirect::to(&format!("/regrades/{id}")).into_response())
}

/// The first of the named students who is not there.
fn unknown(connection: &mut Connection<'_>, scope: &Scope) -> Done<Option<String>> {
    let Scope::Students(logins) = scope else { return Ok(None) };
    for login in logins {
        let known = Person::by_login(connection, login)?;
        if known.is_none_or(|person| person.role != Role::Student) {
            return Ok(Some(login.clone()));
        }
    }
    Ok(None)
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
struct At {
    /// From 0.
    page: i64,
}

#[derive(Template)]
#[template(path = "regrade.html")]
struct Page {
    frame: Frame,
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
type Known = (Regrade, Progress, Totals, Vec<Changed>, Vec<Failed>, i64);

fn read(connection: &mut Connection<'_>, id: i64, at: i64) -> Done<Option<Known>> {
    let Some(regrade) = regrades::find(connection, id)? else { return Ok(None) };
    Ok(Some((
        regrades::progress(connection, id)?,
        regrades::totals(connection, id)?,
        regrades::changes(connection, id, at)?,
        regrades::failed(connection, id)?,
        regrades::since(connection, &regrade)?,
    ))
    .map(|(progress, totals, changes, failed, since)| {
        (regrade, progress, totals, changes, failed, since)
    }))
}

async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Query(at): Query<At>,
) -> Answer {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    let at = at.page.clamp(0, 1_000_000);
    let known = app.database.read(move |connection| read(connection, id, at)).await?;
    let (it, progress, totals, changes, failed, since) = known.ok_or(Refusal::NotFound)?;
    let changed = totals.up + totals.down + totals.first;
    let title = version.assignment(&it.assignment).map_or(&it.assignment, |it| &it.title).clone();
    let name = short(&it.course).to_owned();
    Ok(page(&Page {
        frame: Frame::new(&format!("Regrade {id}"), &version.course.title, &visitor),
        regrade: RegradeForm {
            versions: vec![(it.course.clone(), name.clone())],
            assignments: vec![(it.assignment.clone(), title.clone())],
            assignment: it.assignment.clone(),
            scope: it.scope.clone(),
        },
        title,
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
        failed,
        since,
        it,
    })
    .into_response())
}

#[derive(Clone, Debug, Deserialize)]
struct Reason {
    #[serde(default)]
    reason: String,
}

async fn apply(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Form(sent): Form<Reason>,
) -> Answer {
    let (why, by) = (reason(&sent.reason)?, visitor.person().id);
    let applied = app.database.write(move |connection| regrades::apply(connection, id, &why, by));
    match applied.await? {
        Applied::Yes(_) => {}
        Applied::Over => {
            return Err(wrong("this regrade is over", "somebody else applied or dropped it"));
        }
        Applied::Beginning => {
            return Err(wrong(
                "its submissions are still being queued",
                "wait, or drop the regrade",
            ));
        }
        Applied::Open(open) => {
            let what = format!("{open} of its submissions are still to be graded");
            return Err(wrong(what, "wait, or drop the regrade"));
        }
        Applied::Elsewhere(open) => {
            let what =
                format!("{open} of its submissions are just being graded for another reason");
            return Err(wrong(what, "wait until that is done, and apply it then"));
        }
        Applied::Nothing => {
            return Err(wrong("none of its submissions could be graded", "drop the regrade"));
        }
    }
    app.changed.notify_waiters();
    Ok(Redirect::to(&format!("/regrades/{id}")).into_response())
}

async fn drop_it(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Form(sent): Form<Reason>,
) -> Answer {
    let (why, by) = (reason(&sent.reason)?, visitor.person().id);
    let dropped = app.database.write(move |connection| regrades::drop_it(connection, id, &why, by));
    if !dropped.await? {
        return Err(wrong("this regrade is over", "somebody else applied or dropped it"));
    }
    app.changed.notify_waiters();
    Ok(Redirect::to(&format!("/regrades/{id}")).into_response())
}

/// Tries again what failed.
async fn retry(State(app): State<App>, visitor: Visitor, Path(id): Path<i64>) -> Answer {
    let by = visitor.person().id;
    let retried = app.database.write(move |connection| {
        let mut count = 0;
        for failed in regrades::failed(connection, id)? {
            count += i64::from(by_hand::retry(connection, failed.job, by)?);
        }
        Ok(count)
    });
    if retried.await? == 0 {
        return Err(wrong("nothing can be tried again", "the regrade may be over"));
    }
    app.changed.notify_waiters();
    Ok(Redirect::to(&format!("/regrades/{id}")).into_response())
}
