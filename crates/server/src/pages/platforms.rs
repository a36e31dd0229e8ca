//! Learning platforms, for staff: what each is set up with, which of its courses belong to this one, where its links lead, and who is in
//! it.

use super::platform::{CHOOSE, refused};
use super::roster::preview;
use super::{Frame, page};
use crate::app::App;
use crate::lti::{contexts, members, subjects};
use crate::people::{Person, Role};
use crate::web::{Answer, Refusal, Route, Visitor, at_least};
use askama::Template;
use axum::Form;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::Method;
use axum::response::{IntoResponse, Redirect};
use harness::diagnostic::Problem;
use serde::Deserialize;
use serde_json::json;

pub(super) fn routes() -> Vec<Route> {
    let staff = Role::Staff;
    vec![
        at_least(staff, Method::GET, "/platforms", platforms),
        at_least(staff, Method::POST, "/platforms/accounts/forget", forget),
        at_least(staff, Method::POST, "/platforms/courses/{context}/connect", connect),
        at_least(staff, Method::POST, "/platforms/courses/{context}/disconnect", disconnect),
        at_least(staff, Method::POST, "/platforms/courses/{context}/members", read_members),
        at_least(staff, Method::POST, "/platforms/links/{link}", lead),
    ]
}

/// What this server asks of the services of a platform.
const SCOPES: [&str; 5] = [
    "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
    "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly",
    "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly",
    "https://purl.imsglobal.org/spec/lti-ags/scope/score",
    "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
];

#[derive(Template)]
#[template(path = "platforms.html")]
struct Platforms {
    frame: Frame,
    /// What to paste into a platform.
    addresses: Vec<(&'static str, String)>,
    platforms: Vec<Shown>,
    assignments: Vec<(String, String)>,
    form: String,
}

/// A platform on the page.
struct Shown {
    title: String,
    settings: Vec<(&'static str, String)>,
    courses: Vec<(contexts::Context, Vec<contexts::Link>)>,
}

async fn platforms(State(app): State<App>, visitor: Visitor) -> Answer {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    let (contexts, links) = app.database.read(contexts::all).await?;
    let shown = rules.platforms.iter().map(|(name, it)| Shown {
        title: it.title.clone().unwrap_or_else(|| name.clone()),
        settings: vec![
            ("Issuer", it.issuer.clone()),
            ("Client ID", it.client.clone()),
            ("Deployments", it.deployments.join(", ")),
            ("Logins", it.login.clone()),
            ("Tokens", it.token.clone()),
            ("Keys", it.keys.clone()),
        ],
        courses: contexts
            .iter()
            .filter(|context| context.platform == *name)
            .map(|context| {
                let own = links.iter().filter(|link| link.context == context.id);
                (context.clone(), own.cloned().collect())
            })
            .collect(),
    });
    let address = |path: &str| format!("{}{path}", app.url);
    let frame = Frame::new("Learning platforms", &version.course.title, &visitor);
    Ok(page(&Platforms {
        addresses: vec![
            ("Login (OpenID Connect initiation) URL", address("/lti/login")),
            ("Launch, target link and redirect URL", address("/lti/launch")),
            ("Deep linking (content selection) URL", address(CHOOSE)),
            ("Public key set URL", address("/lti/keys")),
            ("Configuration for Canvas", address("/lti/canvas.json")),
        ],
        platforms: shown.collect(),
        assignments: version.assignments().map(|it| (it.id.clone(), it.title.clone())).collect(),
        form: visitor.form(),
        frame,
    })
    .into_response())
}

/// Back to the page, if something was done.
fn back(is_done: bool, or: &str) -> Answer {
    if is_done { Ok(Redirect::to("/platforms").into_response()) } else { Err(unknown(or)) }
}

fn unknown(what: &str) -> Refusal {
    Refusal::Wrong(Problem::new(what.to_owned()).hint("go back, and load the page again"))
}

async fn connect(app: State<App>, visitor: Visitor, Path(id): Path<i64>) -> Answer {
    set_connected(app, visitor, id, true).await
}

async fn disconnect(app: State<App>, visitor: Visitor, Path(id): Path<i64>) -> Answer {
    set_connected(app, visitor, id, false).await
}

async fn set_connected(State(app): State<App>, visitor: Visitor, id: i64, is: bool) -> Answer {
    let by = visitor.person().id;
    let done = app.database.write(move |connection| {
        let Some(context) = contexts::find(connection, id)? else { return Ok(false) };
        contexts::connect(connection, by, &context, is).map(|()| true)
    });
    back(done.await?, "there is no such course on a platform")
}

#[derive(Deserialize)]
struct Lead {
    assignment: String,
}

async fn lead(
    State(app): State<App>,
    visitor: Visitor,
    Path(link): Path<i64>,
    Form(form): Form<Lead>,
) -> Answer {
    let to = Some(form.assignment).filter(|it| !it.is_empty());
    let version = app.courses.in_force(&app.database).await?;
    if to.as_ref().is_some_and(|id| version.assignment(id).is_none()) {
        return Err(unknown("there is no such assignment"));
    }
    let by = visitor.person().id;
    let done =
        app.database.write(move |connection| contexts::lead(connection, by, link, to.as_deref()));
    back(done.await?, "there is no such link")
}

#[derive(Deserialize)]
struct Forget {
    login: String,
}

async fn forget(State(app): State<App>, visitor: Visitor, Form(form): Form<Forget>) -> Answer {
    let login = form.login.trim().to_owned();
    let by = visitor.person().clone();
    let done = app.database.write(move |connection| {
        let Some(person) = Person::by_login(connection, &login)? else { return Ok(false) };
        // Whoever links an account to a person can be that person.
        if person.role > by.role {
            return Ok(false);
        }
        subjects::forget(connection, by.id, &person).map(|_| true)
    });
    back(done.await?, "there is no such person")
}

/// Reads who is in a course of a platform, and shows what that changes in the roster.
async fn read_members(State(app): State<App>, visitor: Visitor, Path(id): Path<i64>) -> Answer {
    let rules = app.rules().await?;
    let context = app.database.read(move |connection| contexts::find(connection, id)).await?;
    let context = context.filter(|it| it.connected.is_some());
    let Some(context) = context else { return Err(unknown("there is no such connected course")) };
    let platform = rules.platforms.get(&context.platform);
    let Some(platform) = platform.cloned() else {
        return Err(unknown("serve.yaml does not name the platform any more"));
    };
    let Some(address) = context.memberships.clone() else {
        let problem = Problem::new("the platform does not say who is in this course");
        let hint = "let it use names and roles (NRPS) for this tool, and follow a link once";
        return Err(Refusal::Wrong(problem.hint(hint)));
    };
    let read = app.platforms.members(&app.database, &platform, &address).await;
    let all = read.map_err(refused)?;
    let read = members::sorted(&all, &platform);
    let kept =
        app.database.write(move |connection| members::keep(connection, &context, &platform, &all));
    kept.await?;
    let mut notes = Vec::new();
    if !read.unnamed.is_empty() {
        let names = read.unnamed.join(", ");
        let problem = Problem::new(format!("the platform does not say the login of {names}"));
        notes.push(problem.hint("let it share what `claim` in serve.yaml names with this tool"));
    }
    if !read.teachers.is_empty() {
        let names = read.teachers.join(", ");
        let problem = Problem::new(format!("who teaches there is not changed here: {names}"));
        notes.push(problem.hint("an administrator makes staff on the page of people"));
    }
    preview(&app, &visitor, read.table.into_bytes(), notes).await
}

/// What a developer key of Canvas is made of.
pub(super) async fn canvas(State(app): State<App>) -> Answer {
    let version = app.courses.in_force(&app.database).await?;
    let address = |path: &str| format!("{}{path}", app.url);
    let choice = |placement: &str| {
        json!({ "placement": placement, "message_type": "LtiDeepLinkingRequest",
            "target_link_uri": address(CHOOSE), "text": version.course.title })
    };
    Ok(Json(json!({
        "title": version.course.title,
        "description": "Programs are handed in and graded here.",
        "target_link_uri": address("/lti/launch"),
        "oidc_initiation_url": address("/lti/login"),
        "redirect_uris": [address("/lti/launch")],
        "public_jwk_url": address("/lti/keys"),
        "scopes": SCOPES,
        "extensions": [{
            "platform": "canvas.instructure.com",
            "privacy_level": "public",
            "settings": {
                "text": version.course.title,
                "placements": [choice("assignment_selection"), choice("link_selection")],
            },
        }],
    }))
    .into_response())
}
