//! Invitations: the page where a person sets a password, and the pages that show staff a link to send.

use super::{Frame, page, sign_in};
use crate::app::App;
use crate::people::{Person, Role, invitation, password, session};
use crate::web::{Access, Answer, Refusal, Route, Visitor, public, route};
use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Redirect};
use harness::diagnostic::Problem;
use serde::Deserialize;

pub(super) fn routes() -> Vec<Route> {
    let of_students = Access::StudentAs(Role::Staff);
    vec![
        public(Method::GET, "/invitations/{secret}", form),
        public(Method::POST, "/invitations/{secret}", accept),
        route(Method::POST, "/students/{student}/invitation", of_students, send),
        route(Method::POST, "/students/{student}/sessions/end", of_students, end_sessions),
    ]
}

#[derive(Template)]
#[template(path = "invitation.html")]
struct Invitation {
    frame: Frame,
    /// Whom it is for. None: it is not valid any more.
    person: Option<Person>,
    secret: String,
    trouble: Option<Problem>,
}

async fn form(State(app): State<App>, Path(secret): Path<String>) -> Answer {
    shown(&app, secret, None).await
}

async fn shown(app: &App, secret: String, trouble: Option<Problem>) -> Answer {
    let wanted = secret.clone();
    let person = app.database.read(move |connection| invitation::person(connection, &wanted));
    let person = person.await?;
    let status = match &person {
        None => StatusCode::GONE,
        Some(_) if trouble.is_some() => StatusCode::UNPROCESSABLE_ENTITY,
        Some(_) => StatusCode::OK,
    };
    let frame = Frame::new("Invitation", &super::course(app).await?, &Visitor::default());
    Ok((status, page(&Invitation { frame, person, secret, trouble })).into_response())
}

#[derive(Deserialize)]
struct Chosen {
    password: String,
    again: String,
}

async fn accept(
    State(app): State<App>,
    Path(secret): Path<String>,
    Form(sent): Form<Chosen>,
) -> Answer {
    let wanted = secret.clone();
    let person = app.database.read(move |connection| invitation::person(connection, &wanted));
    // Only who knows a secret makes this server take the time of a hash.
    let Some(person) = person.await? else { return shown(&app, secret, None).await };
    if let Err(problem) = checked(&sent.password, &sent.again, &person) {
        return shown(&app, secret, Some(problem)).await;
    }
    let hash = password::hash(sent.password).await.map_err(|_| Refusal::TooMany(30))?;
    let used = secret.clone();
    let accepted =
        app.database.write(move |connection| invitation::accept(connection, &used, &hash));
    match accepted.await? {
        Some(session) => Ok(sign_in::enter(&session)),
        None => shown(&app, secret, None).await,
    }
}

/// Checks a new password that was typed twice.
pub(super) fn checked(password: &str, again: &str, person: &Person) -> Result<(), Problem> {
    if password != again {
        let problem = Problem::new("the two passwords differ");
        return Err(problem.hint("type the same password twice"));
    }
    password::check(password, &person.login, &person.name)
}

#[derive(Template)]
#[template(path = "invited.html")]
struct Invited {
    frame: Frame,
    person: Person,
    link: String,
    days: i64,
    /// The page to go on with.
    back: String,
}

/// Shows the link of an invitation, once.
pub(super) async fn invited(
    app: &App,
    visitor: &Visitor,
    person: Person,
    secret: &str,
    back: String,
) -> Answer {
    let frame = Frame::new("Invitation", &super::course(app).await?, visitor);
    let link = invitation::link(&app.url, secret);
    let days = invitation::LIFETIME / (24 * 3_600_000);
    Ok(page(&Invited { frame, person, link, days, back }).into_response())
}

/// The person that the route is about, whom staff may let in again. Who could make a link for an administrator would be one.
fn may_change(visitor: &Visitor) -> Result<&Person, Refusal> {
    let person = visitor.student();
    if person.role == Role::Student || visitor.is(Role::Administrator) {
        Ok(person)
    } else {
        Err(Refusal::NotFound)
    }
}

async fn send(State(app): State<App>, visitor: Visitor) -> Answer {
    let person = may_change(&visitor)?.clone();
    if !person.is_active {
        let problem = Problem::new(format!("{} is not active", person.name));
        return Err(Refusal::Wrong(problem.hint("activate the person first")));
    }
    let (by, to) = (visitor.person().id, person.clone());
    let sent =
        app.database.write(move |connection| invitation::send(connection, Some(by), &to)).await?;
    let back = page_of(&person);
    invited(&app, &visitor, person, &sent, back).await
}

async fn end_sessions(State(app): State<App>, visitor: Visitor) -> Answer {
    let person = may_change(&visitor)?.clone();
    let (by, whose) = (visitor.person().id, person.clone());
    let ended =
        app.database.write(move |connection| session::end_all_by(connection, by, &whose)).await;
    ended?;
    Ok(Redirect::to(&page_of(&person)).into_response())
}

/// The page where staff see a person.
fn page_of(person: &Person) -> String {
    if person.role == Role::Student {
        format!("/students/{}", person.login)
    } else {
        "/people".to_owned()
    }
}
