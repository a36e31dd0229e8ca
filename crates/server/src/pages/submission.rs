//! The page of a submission: its place in the queue, what is known while it is graded, and its report. For clients, the same as JSON.

mod archive;
mod ask;
mod by_hand;
mod document;
mod live;
mod state;

pub(super) use ask::letter;

use super::live::Part;
use super::words::from_now;
use super::{Frame, Tools, page};
use crate::app::App;
use crate::courses::Version;
use crate::feedback::{Glance, Phase, Reader, Seen, seen};
use crate::people::{Person, Role};
use crate::requests::{self, Request};
use crate::rules::Rules;
use crate::submissions::Submission;
use crate::submissions::overview::Overview;
use crate::web::{Accepts, Access, Answer, Refusal, Route, Visitor, route};
use ask::Ask;
use askama::Template;
use axum::extract::{Query, State};
use axum::http::Method;
use axum::response::IntoResponse;
use serde::Deserialize;
use state::{Steps, Words};
use std::sync::Arc;

pub(super) fn routes() -> Vec<Route> {
    vec![
        route(Method::GET, "/submissions/{submission}", Access::Submission, show).with_token(),
        route(Method::GET, "/submissions/{submission}/events", Access::Submission, live::events),
        route(Method::GET, "/submissions/{submission}/archive", Access::Submission, archive::get),
        route(Method::POST, "/submissions/{submission}/requests", Access::Submission, ask::open),
    ]
}

/// What the address of the page asks for.
#[derive(Clone, Debug, Default, Deserialize)]
struct Asked {
    /// `student`: staff read it as the student does.
    #[serde(rename = "as")]
    reads_as: Option<String>,
    /// Another result than the one that stands.
    result: Option<i64>,
    /// For clients: the report as text, for a terminal so wide.
    text: Option<bool>,
    columns: Option<usize>,
    colored: Option<bool>,
}

/// A submission, as far as it is known at one moment.
struct Now {
    app: App,
    rules: Arc<Rules>,
    visitor: Visitor,
    asked: Asked,
    submission: Submission,
    student: Person,
    overview: Overview,
    glance: Glance,
    requests: Vec<Request>,
    reader: Reader,
    /// The version of the course with which it is graded.
    version: Arc<Version>,
    /// The result that is shown.
    result: Option<i64>,
}

impl Now {
    async fn of(app: &App, visitor: &Visitor, asked: &Asked) -> Result<Self, Refusal> {
        let rules = app.rules().await?;
        let (submission, student) = (visitor.submission().clone(), visitor.student().clone());
        let (of, by, at) = (rules.clone(), student.clone(), submission.clone());
        let (overview, glance, requests) = app
            .database
            .read(move |connection| {
                // What counts is then at least as new as the result.
                let glance = Glance::of(connection, at.id)?;
                let requests = requests::of(connection, at.id)?;
                Ok((Overview::of(connection, &of, &by, &at.assignment)?, glance, requests))
            })
            .await?;
        let is_staff = visitor.is(Role::Grader);
        let as_staff = is_staff && asked.reads_as.as_deref() != Some("student");
        let mut reader =
            if as_staff { Reader::STAFF } else { Reader::student(&submission, &overview) };
        // Whoever looks over the student's shoulder changes nothing.
        reader.gets_hints = !is_staff;
        let standing = glance.standing().map(|it| it.job);
        let wanted = asked.result.filter(|job| {
            let known = glance.results.iter().find(|it| it.job == *job);
            known.is_some_and(|it| as_staff || it.applied.is_some())
        });
        if asked.result.is_some() && wanted.is_none() {
            return Err(Refusal::NotFound);
        }
        let result = wanted.or(standing);
        let course = result.and_then(|job| glance.results.iter().find(|it| it.job == job));
        let course = course.map(|it| it.course.clone());
        let course = course.or_else(|| glance.jobs.last().map(|job| job.course.clone()));
        let version = match course {
            Some(course) => app.courses.version(&app.database, &course).await?,
            None => app.courses.in_force(&app.database).await?,
        };
        let (app, visitor, asked) = (app.clone(), visitor.clone(), asked.clone());
        Ok(Self {
            app,
            rules,
            visitor,
            asked,
            submission,
            student,
            overview,
            glance,
            requests,
            reader,
            version,
            result,
        })
    }

    fn as_staff(&self) -> bool {
        self.reader == Reader { gets_hints: self.reader.gets_hints, ..Reader::STAFF }
    }

    fn title(&self) -> String {
        let assignment = self.version.assignment(&self.submission.assignment);
        assignment.map_or_else(|| self.submission.assignment.clone(), |it| it.title.clone())
    }

    /// What is known of the report.
    async fn seen(&self) -> Result<Option<Seen>, Refusal> {
        seen(&self.app, &self.student, &self.submission, &self.glance, self.result, self.reader)
            .await
    }
}

/// The part of the page that changes.
#[derive(Template)]
#[template(path = "submission_live.html")]
struct Live {
    id: i64,
    assignment: String,
    title: String,
    heading: &'static str,
    student: Option<String>,
    at: String,
    far: String,
    file_name: String,
    /// The job of the result that is shown, if there is a receipt for whoever reads.
    receipt: Option<i64>,
    words: Words,
    may_rerun: bool,
    /// Whether the report says all that the status does.
    is_report: bool,
    steps: Option<Steps>,
    /// The section of the report.
    section: Option<String>,
    /// Other results: their job, when they were made, and whether they stand or are shown.
    results: Vec<Other>,
    /// The requests: their numbers, places and states.
    requests: Vec<(i64, String, String)>,
    /// The query of the page that the links keep.
    reads_as: &'static str,
}

struct Other {
    job: i64,
    at: String,
    is_standing: bool,
    is_applied: bool,
    is_shown: bool,
}

impl Now {
    /// The part of the page that changes.
    async fn part(&self) -> Result<Part, Refusal> {
        let (zone, submission) = (&self.rules.time_zone, &self.submission);
        let seen = self.seen().await?;
        let words = Words::of(self, seen.as_ref());
        let section = seen
            .as_ref()
            .map(|it| ask::with_requests(self, it, section(it, submission, words.note.as_deref())));
        let standing = self.glance.standing().map(|it| it.job);
        let as_staff = self.as_staff();
        let results = self.glance.results.iter().rev();
        let results = results.filter(|it| as_staff || it.applied.is_some()).map(|it| Other {
            job: it.job,
            at: zone.shown(it.finished),
            is_standing: standing == Some(it.job),
            is_applied: it.applied.is_some(),
            is_shown: self.result == Some(it.job),
        });
        let live = Live {
            id: submission.id,
            assignment: submission.assignment.clone(),
            title: self.title(),
            heading: match self.glance.phase() {
                Phase::Waiting => "waits to be graded",
                Phase::Running => "is being graded",
                Phase::Failed => "could not be graded",
                Phase::Done => "is graded",
            },
            student: (self.visitor.person().id != self.student.id).then(|| self.students()),
            at: zone.shown(submission.at),
            far: from_now(self.overview.now, submission.at),
            file_name: submission.file_name.clone(),
            receipt: self.receipt(),
            steps: Steps::of(self, seen.as_ref()),
            words,
            may_rerun: self.visitor.is(Role::Staff),
            is_report: section.is_some() && self.glance.phase() == Phase::Done,
            section,
            results: results.collect(),
            requests: self
                .requests
                .iter()
                .map(|it| (it.id, requests::title(&it.place), it.state.clone()))
                .collect(),
            reads_as: if as_staff || !self.visitor.is(Role::Grader) { "" } else { "&as=student" },
        };
        Ok(Part::of(&live, !self.glance.is_open()))
    }

    /// Whose submission it is.
    fn students(&self) -> String {
        let group = &self.overview.group;
        let is_of_group = group.keeper == self.submission.person;
        let all =
            if is_of_group { &group.members[..] } else { std::slice::from_ref(&self.student) };
        let all: Vec<_> = all.iter().map(|it| format!("{} ({})", it.name, it.login)).collect();
        all.join(", ")
    }

    /// The job of the result that is shown, if there is a receipt for whoever reads. It says the points.
    fn receipt(&self) -> Option<i64> {
        let shown = self.glance.results.iter().find(|it| self.result == Some(it.job));
        let shown = shown.filter(|it| it.has_receipt && self.reader.withheld_until.is_none());
        shown.map(|it| it.job)
    }
}

/// The section of the report, with what people gave.
fn section(seen: &Seen, submission: &Submission, note: Option<&str>) -> String {
    seen.section(submission, note) + &by_hand::section(&seen.by_hand)
}

#[derive(Template)]
#[template(path = "submission.html")]
struct Page {
    frame: Frame,
    id: i64,
    /// Whether whoever reads it is staff, and whether they read it as the student does.
    is_staff: bool,
    as_student: bool,
    is_by_hand: bool,
    /// What staff do with it.
    tools: Option<Tools>,
    /// With which a student asks about the report.
    ask: Option<Ask>,
    part: Part,
    /// The address of its events.
    events: String,
    report_script: String,
}

async fn show(
    State(app): State<App>,
    visitor: Visitor,
    accepts: Accepts,
    Query(asked): Query<Asked>,
) -> Answer {
    let now = Now::of(&app, &visitor, &asked).await?;
    if accepts.json {
        return document::answer(&now).await;
    }
    let title = format!("Submission {}, {}", now.submission.id, now.title());
    let as_student = asked.reads_as.as_deref() == Some("student");
    let of = visitor.clone();
    let tools = app.database.read(move |connection| Tools::of(connection, &of)).await?;
    Ok(page(&Page {
        frame: Frame::new(&title, &now.version.course.title, &visitor),
        id: now.submission.id,
        is_staff: visitor.is(Role::Grader),
        as_student,
        is_by_hand: !now.overview.rules.rubrics.0.is_empty(),
        tools: tools.filter(|_| !as_student),
        ask: Ask::of(&now, now.seen().await?.as_ref()),
        part: now.part().await?,
        events: format!(
            "/submissions/{}/events{}",
            now.submission.id,
            if as_student { "?as=student" } else { "" }
        ),
        report_script: crate::web::assets::report_script(),
    })
    .into_response())
}
