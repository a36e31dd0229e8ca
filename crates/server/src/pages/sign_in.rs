//! Signing in with a password, and out. Single sign-on is another way to [`enter`].

use super::{Frame, page};
use crate::app::App;
use crate::database::Result;
use crate::people::{attempts, password, session};
use crate::web::{Answer, Refusal, Route, Sender, Visitor, public, signed_in};
use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

pub(super) fn routes() -> Vec<Route> {
    vec![
        public(Method::GET, "/sign-in", form),
        public(Method::POST, "/sign-in", sign_in),
        signed_in(Method::POST, "/sign-out", sign_out),
    ]
}

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignIn {
    frame: Frame,
    /// The login of the last try, if it failed.
    login: String,
    trouble: Trouble,
    /// What people call the provider of single sign-on.
    provider: Option<String>,
    has_proxy: bool,
}

/// Why the last try failed.
enum Trouble {
    None,
    Wrong,
    /// There were too many. The next one may come after so many seconds.
    Wait(i64),
}

async fn form(State(app): State<App>, visitor: Visitor) -> Answer {
    if visitor.person.is_some() {
        return Ok(Redirect::to("/").into_response());
    }
    Ok(shown(&app, String::new(), Trouble::None).await?.into_response())
}

#[derive(Deserialize)]
struct Credentials {
    login: String,
    password: String,
}

/// Whether there is such an account, has no password yet, or was deactivated makes no difference to the answer and to its time.
async fn sign_in(
    State(app): State<App>,
    Sender(address): Sender,
    visitor: Visitor,
    Form(sent): Form<Credentials>,
) -> Answer {
    let login = sent.login.trim().to_owned();
    let tried = login.clone();
    let begun = app.database.write(move |connection| attempts::begin(connection, &tried, address));
    if let Some(wait) = begun.await? {
        let seconds = (wait + 999) / 1_000;
        let page = shown(&app, login, Trouble::Wait(seconds)).await?;
        let again = [(header::RETRY_AFTER, seconds.to_string())];
        return Ok((StatusCode::TOO_MANY_REQUESTS, again, page).into_response());
    }
    let wanted = login.clone();
    let known = app.database.read(move |connection| {
        let sql = "select id, password from person where login = $1 and active = 1";
        let row = connection.first(sql, &[(&wanted).into()])?;
        Ok(row.map(|row| (row.int(0), row.maybe_text(1))))
    });
    let (person, hash) = known.await?.map_or((None, None), |(id, hash)| (Some(id), hash));
    let is_right = password::is_right(sent.password, hash).await;
    match person.filter(|_| matches!(is_right, Ok(true))) {
        Some(person) => {
            let entered = app.database.write(move |connection| {
                attempts::succeeded(connection, &login, address)?;
                // The browser may have held a session of somebody else, or one that somebody else gave it.
                visitor.session.iter().try_for_each(|old| session::end(connection, old))?;
                session::begin(connection, person)
            });
            Ok(enter(&entered.await?))
        }
        None if is_right.is_err() => Err(Refusal::TooMany(30)),
        None => {
            let page = shown(&app, login, Trouble::Wrong).await?;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
        }
    }
}

/// Gives a browser its new session, and shows the first page.
pub(super) fn enter(secret: &str) -> Response {
    (session::given(secret), Redirect::to("/")).into_response()
}

async fn shown(app: &App, login: String, trouble: Trouble) -> Result<impl IntoResponse> {
    let frame = Frame::new("Sign in", &super::course(app).await?, &Visitor::default());
    let provider = app.sign_in.provider.as_ref().map(|it| it.name().to_owned());
    let has_proxy = app.sign_in.header.is_some();
    Ok(page(&SignIn { frame, login, trouble, provider, has_proxy }))
}

async fn sign_out(State(app): State<App>, visitor: Visitor) -> Answer {
    if let Some(secret) = visitor.session {
        app.database.write(move |connection| session::end(connection, &secret)).await?;
    }
    Ok((session::taken(), Redirect::to("/sign-in")).into_response())
}
