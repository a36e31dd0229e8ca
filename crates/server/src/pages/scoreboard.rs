//! The scoreboard of an assignment: the fastest and the smallest programs, with oneself marked.

use super::Frame;
use super::assignment::Open;
use super::live::{self, Live, Part};
use super::words::{encoded, points};
use crate::app::App;
use crate::people::Role;
use crate::web::{Answer, Refusal, Route, Visitor, signed_in};
use askama::Template;
use axum::extract::{Path, State};
use axum::http::Method;
use axum::response::IntoResponse;
use harness::course::submission::Shown;
use harness::result::pseudonym;
use harness::result::scoreboard::{Board, Place, Scoreboard};
use std::sync::Arc;

/// How many places of a table are shown, with one's own.
const MOST: usize = 50;

pub(super) fn routes() -> Vec<Route> {
    vec![
        signed_in(Method::GET, "/assignments/{assignment}/scoreboard", show),
        signed_in(Method::GET, "/assignments/{assignment}/scoreboard/events", events),
    ]
}

#[derive(Template)]
#[template(path = "scoreboard.html")]
struct Content {
    id: String,
    title: String,
    /// What the board calls whoever reads it, if it is not the login.
    own_name: Option<String>,
    groups: Vec<Group>,
    other_scale: usize,
    /// When it is shown, if it is not yet.
    withheld_until: Option<String>,
}

struct Group {
    name: String,
    cases: usize,
    tables: Vec<Table>,
}

impl Group {
    fn is_empty(&self) -> bool {
        self.tables.iter().all(|table| table.rows.is_empty())
    }
}

/// The fastest or the smallest programs of a group.
struct Table {
    heading: &'static str,
    unit: &'static str,
    rows: Vec<Row>,
    /// How many are not listed.
    more: usize,
}

struct Row {
    rank: usize,
    name: String,
    ratio: String,
    value: String,
    /// The ratio beside the largest of the table, in percent.
    percent: f64,
    is_own: bool,
}

async fn show(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let version = app.courses.in_force(&app.database).await?;
    let frame = Frame::new("Scoreboard", &version.course.title, &visitor);
    let events = format!("/assignments/{}/scoreboard/events", encoded(&id));
    let part = Watched { app, visitor, id }.part().await?;
    Ok(live::page(frame, events, part).into_response())
}

async fn events(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let watched = Watched { app: app.clone(), visitor: visitor.clone(), id };
    // Whoever may not see it gets no events of it.
    watched.part().await?;
    live::events(app, &visitor, watched)
}

/// The scoreboard of an assignment, as a visitor sees it.
struct Watched {
    app: App,
    visitor: Visitor,
    id: String,
}

impl Live for Watched {
    type Stamp = Option<Arc<Scoreboard>>;

    async fn stamp(&self) -> Result<Self::Stamp, Refusal> {
        let version = self.app.courses.in_force(&self.app.database).await?;
        self.app.boards.of(&self.app, &version, &self.id).await
    }

    async fn part(&self) -> Result<Part, Refusal> {
        let (app, person, id) = (&self.app, self.visitor.person(), &self.id);
        let open = Open::find(app, &self.visitor, id).await?;
        let assignment = open.assignment();
        let shown = assignment.submission.as_ref().and_then(|it| it.scoreboard.as_ref());
        let shown = shown.ok_or(Refusal::NotFound)?;
        // A group has the place of its keeper.
        let login = &open.overview.group.members[0].login;
        let own_name = match shown {
            Shown::Names => login.clone(),
            Shown::Pseudonyms(secret) => pseudonym::of_student(secret, id, login),
        };
        // It tells as much as the points.
        let withheld = open.overview.withheld_until.filter(|_| person.role == Role::Student);
        let board = match withheld {
            Some(_) => None,
            None => app.boards.of(app, &open.version, id).await?,
        };
        let groups = board.iter().flat_map(|board| groups(board, &own_name));
        let is_other = own_name != person.login && person.role == Role::Student;
        let content = Content {
            id: id.clone(),
            title: assignment.title.clone(),
            groups: groups.collect(),
            other_scale: board.as_ref().map_or(0, |board| board.other_scale),
            own_name: is_other.then_some(own_name),
            withheld_until: withheld.map(|it| open.rules.time_zone.shown(it)),
        };
        Ok(Part::of(&content, false))
    }
}

fn groups(board: &Scoreboard, own: &str) -> Vec<Group> {
    let group = |board: &Board| Group {
        name: board.group.clone(),
        cases: board.cases,
        tables: [
            table("Fastest", "Seconds", &board.fastest, own),
            table("Smallest", "Megabytes", &board.smallest, own),
        ]
        .into(),
    };
    board.groups.iter().map(group).collect()
}

/// The first places, and one's own.
fn table(heading: &'static str, unit: &'static str, places: &[Place], own: &str) -> Table {
    let listed = places.iter().enumerate();
    let listed: Vec<_> =
        listed.filter(|(at, it)| *at < MOST || it.name == own).map(|(_, it)| it).collect();
    let largest = listed.iter().map(|it| it.ratio).fold(0.0, f64::max);
    let rows = listed.iter().map(|place| Row {
        rank: place.rank,
        name: place.name.clone(),
        ratio: points(place.ratio),
        value: format!("{:.3}", place.value),
        percent: if largest > 0.0 {
            (place.ratio / largest * 100.0).clamp(0.0, 100.0)
        } else {
            0.0
        },
        is_own: place.name == own,
    });
    Table { heading, unit, rows: rows.collect(), more: places.len() - listed.len() }
}
