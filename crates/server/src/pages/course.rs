//! The course: its versions, what differs between them, and its rules as the server understands them.

use super::gradebook::download;
use super::words::reason;
use super::{Frame, page};
use crate::app::App;
use crate::courses::difference::{self, Difference};
use crate::courses::stored::{self, Stored};
use crate::courses::upload::{self, Packed};
use crate::courses::{self, short};
use crate::people::Role;
use crate::regrades::{self, Scope};
use crate::rules::{Rules, words};
use crate::web::{Answer, Refusal, Route, Visitor, at_least};
use askama::Template;
use axum::Form;
use axum::extract::{FromRequest, Multipart, Path, Request, State};
use axum::http::Method;
use axum::response::{IntoResponse, Redirect};
use harness::diagnostic::{Failure, Problem};
use serde::Deserialize;
use std::path::PathBuf;

pub(super) fn routes() -> Vec<Route> {
    let staff = Role::Staff;
    vec![
        at_least(staff, Method::GET, "/course", course),
        at_least(staff, Method::POST, "/course", store),
        at_least(staff, Method::GET, "/course/{version}", version),
        at_least(staff, Method::GET, "/course/{version}/archive", archive),
        at_least(staff, Method::POST, "/course/{version}/in-force", put_in_force),
    ]
}

/// The form that begins a regrade.
pub(super) struct RegradeForm {
    /// The digests and names of the versions, the chosen one first.
    pub(super) versions: Vec<(String, String)>,
    pub(super) assignments: Vec<(String, String)>,
    /// What is chosen at first.
    pub(super) assignment: String,
    pub(super) scope: Scope,
    /// What it sends along.
    pub(super) form: String,
}

/// A version on a page.
struct Listed {
    digest: String,
    name: String,
    title: String,
    at: String,
    by: String,
    since: Option<String>,
    is_in_force: bool,
}

/// The rules of an assignment.
struct Ruled {
    id: String,
    title: String,
    rules: Vec<(&'static str, String)>,
    is_usual: bool,
}

#[derive(Template)]
#[template(path = "course.html")]
struct Course {
    frame: Frame,
    title: String,
    versions: Vec<Listed>,
    rules: Vec<Ruled>,
    /// Assignments that have rules, and that the course does not have.
    unknown: Vec<String>,
    regrades: Vec<(i64, String, String, String, String, String)>,
    folder: Option<String>,
    regrade: RegradeForm,
}

#[derive(Template)]
#[template(path = "version.html")]
struct Version {
    frame: Frame,
    it: Listed,
    in_force: String,
    difference: Difference,
    regrade: RegradeForm,
}

fn listed(it: &Stored, rules: &Rules) -> Listed {
    Listed {
        digest: it.digest.clone(),
        name: short(&it.digest).to_owned(),
        title: it.title.clone(),
        at: rules.time_zone.shown(it.at),
        by: it.by.clone().unwrap_or_else(|| "the command line".to_owned()),
        since: it.since.map(|since| rules.time_zone.shown(since)),
        is_in_force: it.is_in_force,
    }
}

/// The versions to choose from, the `first` one first.
fn choices(versions: &[Stored], first: &str) -> Vec<(String, String)> {
    let name = |it: &Stored| {
        let note = if it.is_in_force { ", in force" } else { "" };
        (it.digest.clone(), format!("{}{note}", short(&it.digest)))
    };
    let mut all: Vec<_> = versions.iter().map(name).collect();
    all.sort_by_key(|(digest, _)| digest != first);
    all
}

async fn course(State(app): State<App>, visitor: Visitor) -> Answer {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    let known =
        app.database.read(|connection| Ok((stored::all(connection)?, regrades::last(connection)?)));
    let (versions, last) = known.await?;
    let ruled = |it: &harness::course::Assignment| Ruled {
        id: it.id.clone(),
        title: it.title.clone(),
        rules: words::of(&rules.of(&it.id), &rules.time_zone),
        is_usual: !rules.assignments.contains_key(&it.id),
    };
    let unknown = rules.assignments.keys().filter(|id| version.assignment(id).is_none());
    let regrade = |it: &regrades::Regrade| {
        let (at, words) = (rules.time_zone.shown(it.at), it.scope.words());
        (it.id, it.assignment.clone(), short(&it.course).to_owned(), words, it.state.clone(), at)
    };
    let titles = version.assignments().map(|it| (it.id.clone(), it.title.clone()));
    Ok(page(&Course {
        frame: Frame::new("Course", &version.course.title, &visitor),
        title: version.course.title.clone(),
        versions: versions.iter().map(|it| listed(it, &rules)).collect(),
        rules: version.assignments().map(ruled).collect(),
        unknown: unknown.cloned().collect(),
        regrades: last.iter().map(regrade).collect(),
        folder: app.folder.get().map(|folder| folder.display().to_string()),
        regrade: RegradeForm {
            versions: choices(&versions, &version.digest),
            assignments: titles.collect(),
            assignment: String::new(),
            scope: Scope::Counting,
            form: visitor.form(),
        },
    })
    .into_response())
}

async fn version(State(app): State<App>, visitor: Visitor, Path(digest): Path<String>) -> Answer {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    let (versions, in_force) = (app.database.read(stored::all).await?, version.digest.clone());
    let it = versions.iter().find(|it| it.digest == digest).ok_or(Refusal::NotFound)?;
    let other = app.courses.version(&app.database, &digest).await?;
    let before = in_force.clone();
    let archives = app.database.read(move |connection| {
        Ok((courses::bytes(connection, &before)?, courses::bytes(connection, &digest)?))
    });
    let (before, after) = archives.await?;
    let compare = move || difference::between(&before, &after);
    let difference = tokio::task::spawn_blocking(compare).await;
    let difference =
        difference.map_err(|_| Refusal::Broken(Problem::new("it was interrupted")))??;
    let titles = other.assignments().map(|it| (it.id.clone(), it.title.clone()));
    Ok(page(&Version {
        frame: Frame::new("A version", &version.course.title, &visitor),
        it: listed(it, &rules),
        in_force: short(&in_force).to_owned(),
        difference,
        regrade: RegradeForm {
            versions: choices(&versions, &it.digest),
            assignments: titles.collect(),
            assignment: String::new(),
            scope: Scope::Counting,
            form: visitor.form(),
        },
    })
    .into_response())
}

/// The files of a version, for whoever grades again with it.
async fn archive(State(app): State<App>, Path(digest): Path<String>) -> Answer {
    let key = digest.clone();
    let bytes = app.database.read(move |connection| {
        let sql = "select bytes from course where digest = $1";
        Ok(connection.first(sql, &[(&key).into()])?.map(|row| row.bytes(0)))
    });
    let bytes = bytes.await?.ok_or(Refusal::NotFound)?;
    let name = format!("course-{}.tar.gz", short(&digest));
    Ok(download("application/octet-stream", &name, bytes))
}

/// What a version is made of.
enum Source {
    Archive(Vec<u8>),
    Folder(PathBuf),
}

async fn store(State(app): State<App>, visitor: Visitor, request: Request) -> Answer {
    let read = match source(&app, request).await? {
        Source::Archive(bytes) => tokio::task::spawn_blocking(move || upload::read(&bytes)).await,
        Source::Folder(folder) => {
            tokio::task::spawn_blocking(move || upload::from_folder(&folder)).await
        }
    };
    let read = read.map_err(|_| Refusal::Broken(Problem::new("the course cannot be read")))?;
    let Packed { bytes, title } = read.map_err(|failure| wrong(&failure))?;
    let by = visitor.person().id;
    let digest =
        app.database.write(move |connection| stored::store(connection, &bytes, &title, by)).await?;
    Ok(Redirect::to(&format!("/course/{digest}")).into_response())
}

/// What is wrong with a course, for staff.
fn wrong(failure: &Failure) -> Refusal {
    let all: Vec<_> = failure.problems.iter().map(|it| it.message.clone()).collect();
    let hint = failure.problems.iter().find_map(|it| it.hint.clone());
    Refusal::Wrong(Problem::new(all.join("; ")).maybe_hint(hint).printable())
}

async fn source(app: &App, request: Request) -> Result<Source, Refusal> {
    let broken = |()| Refusal::Wrong(Problem::new("the form did not arrive whole"));
    let mut form = Multipart::from_request(request, &()).await.map_err(|_| broken(()))?;
    let mut bytes = Vec::new();
    while let Some(field) = form.next_field().await.map_err(|_| broken(()))? {
        match field.name() {
            Some("archive") => bytes = field.bytes().await.map_err(|_| broken(()))?.to_vec(),
            Some("folder") => {
                let folder = app.folder.get().cloned();
                return folder.map(Source::Folder).ok_or(Refusal::NotFound);
            }
            _ => {}
        }
    }
    if bytes.is_empty() {
        let problem = Problem::new("there is no archive");
        return Err(Refusal::Wrong(problem.hint("choose one, such as course.tar.gz")));
    }
    Ok(Source::Archive(bytes))
}

#[derive(Clone, Debug, Deserialize)]
struct Reason {
    #[serde(default)]
    reason: String,
}

async fn put_in_force(
    State(app): State<App>,
    visitor: Visitor,
    Path(digest): Path<String>,
    Form(sent): Form<Reason>,
) -> Answer {
    let (why, by) = (reason(&sent.reason)?, visitor.person().id);
    // A version that cannot be read is never in force.
    app.courses.version(&app.database, &digest).await.map_err(|_| Refusal::NotFound)?;
    let put = move |connection: &mut crate::database::Connection<'_>| {
        stored::put_in_force(connection, &digest, &why, by)
    };
    app.database.write(put).await?;
    Ok(Redirect::to("/course").into_response())
}
