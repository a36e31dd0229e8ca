//! Similar work, for staff: which submissions of an assignment are alike, and two of them side by side. Students never see it.

mod beside;

use super::{Frame, page};
use crate::app::App;
use crate::courses::Version;
use crate::people::{Person, Role};
use crate::similar::{self, Compared, Earlier, HandedIn, Task};
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
        // Who handed in earlier is of no concern to graders.
        at_least(
            Role::Staff,
            Method::GET,
            "/assignments/{assignment}/similar/{one}/earlier",
            beside::earlier,
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
    /// With how many works of earlier terms, if the visitor may see them.
    earlier: usize,
    /// Whether newer ones are being compared.
    is_comparing: bool,
    equal: Vec<Vec<Side>>,
    pairs: Vec<Row>,
    least: u32,
}

/// A submission of a student or group, or a work of an earlier term.
#[derive(Clone)]
struct Side {
    name: String,
    section: String,
    /// None: it is of an earlier term.
    submission: Option<i64>,
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
    let equal = similar::equal_archives(&all).into_iter();
    let mut equal: Vec<Vec<_>> =
        equal.map(|group| group.into_iter().map(Compared::Submission).collect()).collect();
    let given = given(&app, &version, &id).await?;
    let earlier = earlier(&app, &id);
    let task =
        Task { assignment: id.clone(), all, earlier, version: version.digest.clone(), given };
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
    let sees_earlier = visitor.is(Role::Staff);
    let side = |of: &Compared, share: f64| {
        let side = match of {
            Compared::Submission(id) => Side::of(seen.get(id)?),
            Compared::Earlier(name) if sees_earlier => Side::earlier(name),
            Compared::Earlier(_) => return None,
        };
        Some(Side { percent: (share * 100.0) as u32, ..side })
    };
    let group = |group: &Vec<Compared>| group.iter().filter_map(|it| side(it, 1.0)).collect();
    let equal: Vec<Vec<Side>> =
        equal.iter().map(group).filter(|it: &Vec<_>| it.len() > 1).collect();
    let rows = found.iter().flat_map(|found| &found.pairs).filter_map(|pair| {
        Some(Row {
            one: side(&Compared::Submission(pair.one.0), pair.one.1)?,
            other: side(&pair.other.0, pair.other.1)?,
            symbols: pair.symbols,
        })
    });
    Ok(page(&Similar {
        frame: Frame::new("Similar work", &version.course.title, &visitor),
        compared: found.as_ref().map(|found| found.compared),
        earlier: found.as_ref().filter(|_| sees_earlier).map_or(0, |found| found.earlier),
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
            submission: Some(it.submission),
            percent: 0,
        }
    }

    fn earlier(name: &str) -> Self {
        Self { name: name.to_owned(), section: String::new(), submission: None, percent: 0 }
    }
}

/// The works of earlier terms, if this server has any.
fn earlier(app: &App, assignment: &str) -> Vec<Earlier> {
    app.earlier.get().map(|folder| Earlier::all(folder, assignment)).unwrap_or_default()
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
