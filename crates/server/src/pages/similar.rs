//! Similar work, for staff: which submissions of an assignment are alike, and two of them side by side. Students never see it.

mod beside;

use super::{Frame, page};
use crate::app::App;
use crate::courses::Version;
use crate::people::{Person, Role};
use crate::similar::{self, HandedIn, Task};
use crate::submissions::group;
use crate::web::{Answer, Refusal, Route, Visitor, at_least};
use askama::Template;
use axum::extract::{Path, State};
use axum::http::Method;
use axum::response::IntoResponse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

pub(super) fn routes() -> Vec<Route> {
    vec![
        at_least(Role::Grader, Method::GET, "/assignments/{assignment}/similar", show),
        at_least(
            Role::Grader,
            Method::GET,
            "/assignments/{assignment}/similar/{one}/{other}",
            beside::show,
        ),
    ]
}

#[derive(Template)]
#[template(path = "similar.html")]
struct Similar {
    frame: Frame,
    id: String,
    /// How many submissions were compared. None: not yet.
    compared: Option<usize>,
    /// Whether newer ones are being compared.
    is_comparing: bool,
    equal: Vec<Vec<Side>>,
    pairs: Vec<Row>,
    least: u32,
}

/// A submission of a student or group.
#[derive(Clone)]
struct Side {
    name: String,
    section: String,
    submission: i64,
    percent: u32,
}

struct Row {
    one: Side,
    other: Side,
    symbols: usize,
}

async fn show(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let version = app.courses.in_force(&app.database).await?;
    version.assignment(&id).ok_or(Refusal::NotFound)?;
    let key = id.clone();
    let all = app.database.read(move |connection| similar::handed_in(connection, &key)).await?;
    let seen = seen(&all, visitor.person());
    let mut equal = similar::equal_archives(&all);
    let given = given(&app, &version, &id).await?;
    let task = Task { assignment: id.clone(), all, version: version.digest.clone(), given };
    let (found, is_new) = app.similar.of(&task);
    if !is_new {
        compare(app.clone(), task);
    }
    // Sources may be equal where archives are not.
    if let Some(found) = &found {
        equal.retain(|group| {
            !found.equal.iter().any(|other| group.iter().all(|it| other.contains(it)))
        });
        equal.extend(found.equal.iter().cloned());
    }
    let side = |(submission, share): (i64, f64)| {
        let side = Side::of(seen.get(&submission)?);
        Some(Side { percent: (share * 100.0) as u32, ..side })
    };
    let group = |group: &Vec<i64>| group.iter().filter_map(|&it| side((it, 1.0))).collect();
    let equal: Vec<Vec<Side>> =
        equal.iter().map(group).filter(|it: &Vec<_>| it.len() > 1).collect();
    let rows = found.iter().flat_map(|found| &found.pairs).filter_map(|pair| {
        Some(Row { one: side(pair.one)?, other: side(pair.other)?, symbols: pair.symbols })
    });
    Ok(page(&Similar {
        frame: Frame::new("Similar work", &version.course.title, &visitor),
        compared: found.as_ref().map(|found| found.compared),
        is_comparing: !is_new,
        equal,
        pairs: rows.collect(),
        least: (harness::similarity::Settings::default().least * 100.0) as u32,
        id,
    })
    .into_response())
}

impl Side {
    fn of(it: &HandedIn) -> Self {
        let sections: BTreeSet<_> = it.group.members.iter().map(|it| it.section.as_str()).collect();
        Self {
            name: group::names(&it.group.members),
            section: sections.into_iter().collect::<Vec<_>>().join(", "),
            submission: it.submission,
            percent: 0,
        }
    }
}

/// Those of students whom `viewer` may see.
fn seen(all: &[HandedIn], viewer: &Person) -> BTreeMap<i64, HandedIn> {
    let seen = all.iter().filter(|it| it.is_seen_by(viewer));
    seen.map(|it| (it.submission, it.clone())).collect()
}

/// What the course gives to students.
async fn given(app: &App, version: &Version, id: &str) -> Result<Vec<PathBuf>, Refusal> {
    let assignment = version.assignment(id).ok_or(Refusal::NotFound)?;
    let given = assignment.submission.as_ref().map(|it| it.given.clone()).unwrap_or_default();
    if given.is_empty() {
        return Ok(given);
    }
    let folder = app.courses.unpacked(&app.database, &version.digest).await?;
    Ok(given.iter().map(|path| folder.join(path)).collect())
}

/// Compares behind the page.
fn compare(app: App, task: Task) {
    tokio::spawn(async move {
        if let Err(fault) = app.similar.compare(&app.database, task).await {
            tracing::warn!(%fault, "submissions were not compared");
        }
    });
}
