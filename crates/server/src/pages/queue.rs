//! The queue at a glance, for staff.

use super::Frame;
use super::live::{self, Live, Part};
use super::words::{span, student_page};
use crate::app::App;
use crate::people::Role;
use crate::queue::glance::{self, Glance, Listed};
use crate::queue::{Class, by_hand};
use crate::rules::Moment;
use crate::web::{Answer, Refusal, Route, Visitor, at_least};
use askama::Template;
use axum::extract::{Path, State};
use axum::http::Method;
use axum::response::{IntoResponse, Redirect};
use harness::diagnostic::Problem;

pub(super) fn routes() -> Vec<Route> {
    vec![
        at_least(Role::Grader, Method::GET, "/queue", queue),
        at_least(Role::Grader, Method::GET, "/queue/events", events),
        at_least(Role::Staff, Method::POST, "/queue/{job}/retry", retry),
    ]
}

#[derive(Template)]
#[template(path = "queue.html")]
struct Queue {
    /// What its forms send along.
    form: String,
    /// What the classes are called, how many wait and run, and how long the oldest has waited.
    classes: Vec<(&'static str, i64, i64, Option<String>)>,
    running: Vec<Row>,
    next: Vec<Row>,
    failed: Vec<Row>,
    workers: Vec<(String, String, String, bool)>,
    /// Assignment, how many, how long grading and waiting took.
    done: Vec<(String, i64, String, String)>,
    in_all: i64,
    is_staff: bool,
    is_without_worker: bool,
}

/// A job.
struct Row {
    job: i64,
    submission: i64,
    assignment: String,
    login: String,
    student_page: String,
    class: &'static str,
    attempt: i64,
    /// How long it has been waiting, running or over.
    age: String,
    worker: String,
    stage: String,
    reason: String,
    regrade: Option<i64>,
}

fn word(class: i64) -> &'static str {
    match class {
        it if it == Class::Live as i64 => "live",
        it if it == Class::ByHand as i64 => "by hand",
        _ => "regrade",
    }
}

async fn queue(State(app): State<App>, visitor: Visitor) -> Answer {
    let version = app.courses.in_force(&app.database).await?;
    let frame = Frame::new("Queue", &version.course.title, &visitor);
    let part = Watched { app, visitor }.part().await?;
    Ok(live::page(frame, "/queue/events".to_owned(), part).into_response())
}

async fn events(State(app): State<App>, visitor: Visitor) -> Answer {
    live::events(app.clone(), &visitor.clone(), Watched { app, visitor })
}

/// The queue, as a visitor sees it.
struct Watched {
    app: App,
    visitor: Visitor,
}

impl Live for Watched {
    /// It tells how long ago things were, so it changes with time.
    type Stamp = Moment;

    async fn stamp(&self) -> Result<Moment, Refusal> {
        Ok(self.app.now().await?)
    }

    async fn part(&self) -> Result<Part, Refusal> {
        let viewer = self.visitor.person().clone();
        let read = self.app.database.read(move |connection| glance::glance(connection, &viewer));
        Ok(Part::of(&Queue::of(&read.await?, &self.visitor), false))
    }
}

impl Queue {
    fn of(it: &Glance, visitor: &Visitor) -> Self {
        let ago = |moment: Moment| span(it.now.0 - moment.0);
        let classes = it.classes.iter().map(|class| {
            (word(class.class as i64), class.queued, class.running, class.oldest.map(ago))
        });
        let rows = |all: &[Listed], since: fn(&Listed) -> Option<Moment>| {
            all.iter().map(|job| row(job, since(job).map(ago))).collect::<Vec<_>>()
        };
        let done = it.done.iter();
        let waits = it.classes.iter().any(|class| class.queued > 0);
        Self {
            form: visitor.form(),
            classes: classes.collect(),
            running: rows(&it.running, |job| job.started),
            next: rows(&it.next, |job| Some(job.queued)),
            failed: rows(&it.failed, |job| job.finished),
            workers: workers(it),
            done: done
                .map(|it| (it.assignment.clone(), it.count, span(it.grading), span(it.waiting)))
                .collect(),
            in_all: it.done.iter().map(|it| it.count).sum(),
            is_staff: visitor.is(Role::Staff),
            is_without_worker: waits && !it.workers.iter().any(|worker| worker.is_there),
        }
    }
}

fn workers(it: &Glance) -> Vec<(String, String, String, bool)> {
    let worker = |worker: &glance::Worker| {
        let seen = span(it.now.0 - worker.seen.0);
        (worker.name.clone(), seen, worker.state.clone(), worker.is_there)
    };
    it.workers.iter().map(worker).collect()
}

fn row(job: &Listed, age: Option<String>) -> Row {
    Row {
        job: job.job,
        submission: job.submission,
        assignment: job.assignment.clone(),
        login: job.login.clone(),
        student_page: student_page(&job.login),
        class: word(job.class),
        attempt: job.attempt,
        age: age.unwrap_or_default(),
        worker: job.worker.clone().unwrap_or_default(),
        stage: job.stage.clone().unwrap_or_else(|| "begins".to_owned()),
        reason: job.reason.clone().unwrap_or_default(),
        regrade: job.regrade,
    }
}

async fn retry(State(app): State<App>, visitor: Visitor, Path(job): Path<i64>) -> Answer {
    let by = visitor.person().id;
    if !app.database.write(move |connection| by_hand::retry(connection, job, by)).await? {
        let problem = Problem::new("this job cannot be tried again");
        let hint = "somebody else may have done it, or its regrade is over";
        return Err(Refusal::Wrong(problem.hint(hint)));
    }
    app.changed.notify_waiters();
    Ok(Redirect::to("/queue").into_response())
}
