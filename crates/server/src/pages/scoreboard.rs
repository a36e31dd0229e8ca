//! The scoreboard of an assignment: the fastest and the smallest programs, with oneself marked.

use super::home::may_see;
use super::words::points;
use super::{Frame, page};
use crate::app::App;
use crate::people::Role;
use crate::submissions::overview::Overview;
use crate::web::{Answer, Refusal, Route, Visitor, signed_in};
use askama::Template;
use axum::extract::{Path, State};
use axum::http::Method;
use axum::response::IntoResponse;
use harness::course::submission::Shown;
use harness::result::pseudonym;
use harness::result::scoreboard::{Board, Place, Scoreboard};

/// How many places of a table are shown, with one's own.
const MOST: usize = 50;

pub(super) fn routes() -> Vec<Route> {
    vec![signed_in(Method::GET, "/assignments/{assignment}/scoreboard", show)]
}

#[derive(Template)]
#[template(path = "scoreboard.html")]
struct Page {
    frame: Frame,
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
    let assignment = version.assignment(&id).ok_or(Refusal::NotFound)?;
    let shown = assignment.submission.as_ref().and_then(|it| it.scoreboard.as_ref());
    let shown = shown.ok_or(Refusal::NotFound)?;
    let rules = app.rules().await?;
    let (of, person, name) = (rules.clone(), visitor.person().clone(), id.clone());
    let overview =
        app.database.read(move |connection| Overview::of(connection, &of, &person, &name)).await?;
    let person = visitor.person();
    if !may_see(person, &overview) {
        return Err(Refusal::NotFound);
    }
    let own_name = match shown {
        Shown::Names => person.login.clone(),
        Shown::Pseudonyms(secret) => pseudonym::of_student(secret, &id, &person.login),
    };
    // It tells as much as the points.
    let withheld = overview.withheld_until.filter(|_| person.role == Role::Student);
    let board = match withheld {
        Some(_) => None,
        None => app.boards.of(&app, &version, &id).await?,
    };
    let groups = board.iter().flat_map(|board| groups(board, &own_name));
    let is_other = own_name != person.login && person.role == Role::Student;
    Ok(page(&Page {
        frame: Frame::new("Scoreboard", &version.course.title, &visitor),
        id: id.clone(),
        title: assignment.title.clone(),
        groups: groups.collect(),
        other_scale: board.as_ref().map_or(0, |board| board.other_scale),
        own_name: is_other.then_some(own_name),
        withheld_until: withheld.map(|it| rules.time_zone.shown(it)),
    })
    .into_response())
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
