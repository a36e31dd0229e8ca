//! What a class gets wrong, for staff: the behaviours in which programs differ from the reference, who has them, and which mutants
//! represent them.

mod downloads;
mod lecture;

use super::{Frame, page};
use crate::app::App;
use crate::courses::Version;
use crate::database::Fault;
use crate::mining::{self, Answer as Printed, Behaviour, Found, Job, Represented, Students, Test};
use crate::people::Role;
use crate::rules::{Moment, Rules};
use crate::web::{Answer, Refusal, Route, Visitor, at_least};
use askama::Template;
use axum::extract::{Path, State};
use axum::http::Method;
use axum::response::{IntoResponse, Redirect};
use harness::diagnostic::Problem;
use std::collections::BTreeMap;

pub(super) fn routes() -> Vec<Route> {
    let staff = Role::Staff;
    vec![
        at_least(staff, Method::GET, "/assignments/{assignment}/mining", show),
        at_least(staff, Method::POST, "/assignments/{assignment}/mining", begin),
        at_least(staff, Method::GET, "/assignments/{assignment}/mining/lecture", lecture::show),
        at_least(staff, Method::GET, "/assignments/{assignment}/mining.json", downloads::json),
        at_least(staff, Method::GET, "/assignments/{assignment}/mining.tar.gz", downloads::tests),
    ]
}

#[derive(Template)]
#[template(path = "mining.html")]
struct Mining {
    frame: Frame,
    id: String,
    last: Option<Job>,
    /// Whether no job is open.
    may_begin: bool,
    /// Whether a worker is there that has what mines.
    somebody_mines: bool,
    is_nightly: bool,
    found: Option<Shown>,
}

/// What the last job found.
struct Shown {
    at: String,
    /// The version of the course, if it is not the one in force.
    other_version: Option<String>,
    cases: usize,
    programs: usize,
    right: usize,
    left_out: usize,
    broken: Vec<(i64, String)>,
    unmatched: Vec<String>,
    rows: Vec<Row>,
}

struct Row {
    it: Behaviour,
    /// The date of the first of the submissions that have it.
    since: String,
    /// How many students have it.
    count: usize,
    /// The submissions, each with the names of its students.
    students: Vec<(i64, String)>,
}

/// What the last job found, with the students.
struct Known {
    job: Job,
    found: Found,
    behaviours: Vec<Behaviour>,
    students: BTreeMap<i64, Students>,
}

impl Known {
    /// None if nothing was found yet.
    async fn read(app: &App, assignment: &str) -> Result<Option<Self>, Refusal> {
        let key = assignment.to_owned();
        let done = app.database.read(move |connection| mining::done(connection, &key)).await?;
        let Some((job, document)) = done else { return Ok(None) };
        let found = Found::parse(&document)
            .map_err(|error| Fault::Broken(format!("what was mined cannot be read: {error}")))?;
        let behaviours = found.behaviours();
        let all: Vec<_> = behaviours.iter().flat_map(|it| it.submissions.clone()).collect();
        let read = app.database.read(move |connection| mining::students(connection, &all));
        let students = read.await?;
        Ok(Some(Self { job, found, behaviours, students }))
    }

    /// What was found, or a refusal that says that nothing was yet.
    async fn demand(app: &App, assignment: &str) -> Result<Self, Refusal> {
        Self::read(app, assignment).await?.ok_or_else(nothing_yet)
    }

    /// How many students a submission is of.
    fn count(&self, submission: i64) -> usize {
        self.students.get(&submission).map_or(1, |it| it.members.len())
    }

    /// When the first of the submissions was handed in that have a behaviour.
    fn since(&self, behaviour: &Behaviour) -> Option<Moment> {
        let of = |id: &i64| self.students.get(id).map(|student| student.at);
        behaviour.submissions.iter().filter_map(of).min()
    }
}

fn nothing_yet() -> Refusal {
    let problem = Problem::new("nothing was found out yet");
    Refusal::Wrong(problem.hint("the page of what this class gets wrong has a button for it"))
}

impl Shown {
    fn of(known: &Known, rules: &Rules, version: &Version) -> Self {
        let zone = &rules.time_zone;
        let day = |moment: Option<Moment>| moment.map_or_else(String::new, |it| zone.day(it));
        let name = |id: &i64| {
            let student = known.students.get(id);
            (*id, student.map_or_else(|| id.to_string(), Students::names))
        };
        let row = |it: &Behaviour| Row {
            since: day(known.since(it)),
            count: it.submissions.iter().map(|id| known.count(*id)).sum(),
            students: it.submissions.iter().map(name).collect(),
            it: it.clone(),
        };
        let (job, found) = (&known.job, &known.found);
        Self {
            at: job.finished.map_or_else(String::new, |at| zone.shown(at)),
            other_version: (job.course != version.digest)
                .then(|| crate::courses::short(&job.course).to_owned()),
            cases: found.cases(),
            programs: found.programs(),
            right: found.right(),
            left_out: found.left_out(),
            broken: found.broken(),
            unmatched: found.unmatched_mutants.clone(),
            rows: known.behaviours.iter().map(row).collect(),
        }
    }
}

async fn show(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    version.assignment(&id).ok_or(Refusal::NotFound)?;
    let key = id.clone();
    let read = app.database.read(move |connection| {
        Ok((mining::last(connection, &key)?, mining::somebody_mines(connection)?))
    });
    let (last, somebody_mines) = read.await?;
    let known = Known::read(&app, &id).await?;
    Ok(page(&Mining {
        frame: Frame::new("What this class gets wrong", &version.course.title, &visitor),
        may_begin: last.as_ref().is_none_or(|it| !it.is_open()),
        last,
        somebody_mines,
        is_nightly: rules.mining.nightly,
        found: known.map(|known| Shown::of(&known, &rules, &version)),
        id,
    })
    .into_response())
}

async fn begin(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let version = app.courses.in_force(&app.database).await?;
    version.assignment(&id).ok_or(Refusal::NotFound)?;
    let (key, by) = (id.clone(), visitor.person().id);
    let put = app.database.write(move |connection| {
        let is_open = mining::last(connection, &key)?.is_some_and(|it| it.is_open());
        Ok(is_open || mining::put(connection, &key, &version.digest, Some(by))?)
    });
    if !put.await? {
        let problem = Problem::new("no student has handed anything in");
        return Err(Refusal::Wrong(problem.hint("come back when some have")));
    }
    app.changed.notify_waiters();
    Ok(Redirect::to(&format!("/assignments/{id}/mining")).into_response())
}
