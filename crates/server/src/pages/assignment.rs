//! The page of an assignment: handing in, what counts, and what was handed in. For clients, the same as JSON.

mod group;
mod hand_in;
mod list;
mod offer;

use super::home::may_see;
use super::{Frame, page};
use crate::app::App;
use crate::audit;
use crate::courses::Version;
use crate::people::Role;
use crate::rules::{Counts, Rules};
use crate::submissions::group::Group;
use crate::submissions::overview::{Overview, Phase};
use crate::submissions::standing;
use crate::web::{Accepts, Answer, Refusal, Route, Visitor, signed_in};
use askama::Template;
use axum::extract::{Path, State};
use axum::http::Method;
use axum::response::{IntoResponse, Redirect};
use axum::{Form, Json};
use harness::course::Assignment;
use harness::diagnostic::Problem;
use list::Row;
use offer::Offer;
use serde::Deserialize;
use std::sync::Arc;

pub(super) fn routes() -> Vec<Route> {
    let mut routes = vec![
        signed_in(Method::GET, "/assignments/{assignment}", show).with_token(),
        signed_in(Method::POST, "/assignments/{assignment}/counts", choose),
    ];
    routes.extend(hand_in::routes());
    routes.extend(group::routes());
    routes
}

/// An assignment that a visitor may see.
pub(super) struct Open {
    pub(super) version: Arc<Version>,
    pub(super) rules: Arc<Rules>,
    id: String,
    pub(super) overview: Overview,
}

impl Open {
    /// Finds it. What students do not see yet is not found.
    pub(super) async fn find(app: &App, visitor: &Visitor, id: &str) -> Result<Self, Refusal> {
        let version = app.courses.in_force(&app.database).await?;
        if version.assignment(id).is_none() {
            return Err(Refusal::NotFound);
        }
        let rules = app.rules().await?;
        let (person, of, name) = (visitor.person().clone(), rules.clone(), id.to_owned());
        let overview = app
            .database
            .read(move |connection| Overview::of(connection, &of, &person, &name))
            .await?;
        if !may_see(visitor.person(), &overview) {
            return Err(Refusal::NotFound);
        }
        Ok(Self { version, rules, id: id.to_owned(), overview })
    }

    pub(super) fn assignment(&self) -> &Assignment {
        self.version.assignment(&self.id).expect("it was found")
    }
}

#[derive(Template)]
#[template(path = "assignment.html")]
struct Page {
    frame: Frame,
    id: String,
    title: String,
    is_student: bool,
    offer: Offer,
    group: group::Shown,
    rows: Vec<Row>,
    /// Whether older submissions are not listed.
    has_more: bool,
    has_scoreboard: bool,
    /// Why what was sent is not taken.
    problem: Option<Problem>,
    /// The report of its checks, as HTML.
    refused: Option<String>,
    report_script: String,
}

async fn show(
    State(app): State<App>,
    visitor: Visitor,
    accepts: Accepts,
    Path(id): Path<String>,
) -> Answer {
    let open = Open::find(&app, &visitor, &id).await?;
    if accepts.json {
        return Ok(Json(offer::document(&open)).into_response());
    }
    Ok(page(&content(&app, &visitor, open, None, None).await?).into_response())
}

/// The page, with what is wrong with an upload.
async fn content(
    app: &App,
    visitor: &Visitor,
    open: Open,
    problem: Option<Problem>,
    refused: Option<String>,
) -> Result<Page, Refusal> {
    let (rows, has_more) = list::rows(app, visitor.person(), &open).await?;
    let group = group::Shown::of(app, visitor.person(), &open).await?;
    let is_student = visitor.person().role == Role::Student;
    let assignment = open.assignment();
    let has_scoreboard = assignment.submission.as_ref().is_some_and(|it| it.scoreboard.is_some());
    Ok(Page {
        frame: Frame::new(&assignment.title, &open.version.course.title, visitor),
        id: open.id.clone(),
        title: assignment.title.clone(),
        is_student,
        offer: Offer::of(&open, is_student),
        group,
        rows,
        has_more,
        has_scoreboard,
        problem,
        refused,
        report_script: crate::web::assets::report_script(),
    })
}

#[derive(Deserialize)]
struct Choice {
    counts: String,
}

/// Lets the last one count instead of the best one, or the other way round.
async fn choose(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Form(choice): Form<Choice>,
) -> Answer {
    let open = Open::find(&app, &visitor, &id).await?;
    let Some(counts) = Counts::of(&choice.counts) else {
        let problem = Problem::new("a submission counts as the best or the last one");
        return Err(Refusal::Wrong(problem.hint("go back, and use the button of the page")));
    };
    let person = visitor.person().clone();
    if open.overview.phase == Phase::Closed && person.role == Role::Student {
        let problem = Problem::new("the assignment is closed, so what counts does not change");
        return Err(Refusal::Wrong(problem.hint("ask the staff if it must")));
    }
    let rules = open.rules.clone();
    let name = id.clone();
    app.database
        .write(move |connection| {
            let of = Group::shared(connection, &name, &person)?.keeper;
            let before = standing::choice(connection, &rules, of, &name)?;
            if before == counts {
                return Ok(());
            }
            standing::choose(connection, of, &name, counts)?;
            let entry = audit::Entry {
                person: Some(person.id),
                action: "choose what counts",
                object: &format!("student {}, {name}", person.login),
                reason: "",
            };
            audit::add(connection, &entry, before.word(), counts.word())
        })
        .await?;
    Ok(Redirect::to(&format!("/assignments/{id}#counts")).into_response())
}
