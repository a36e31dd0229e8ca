//! Signing in and out.

use super::{Frame, page};
use crate::app::App;
use crate::people::{Person, session};
use crate::secret;
use crate::web::{Answer, Route, Visitor, public, signed_in};
use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::http::{Method, header};
use axum::response::{IntoResponse, Redirect};
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
    /// Whether the last try was wrong.
    is_wrong: bool,
}

async fn form() -> Answer {
    let frame = Frame::new("Sign in", "", &Visitor::default());
    Ok(page(&SignIn { frame, is_wrong: false }).into_response())
}

#[derive(Deserialize)]
struct Credentials {
    login: String,
    password: String,
}

async fn sign_in(State(app): State<App>, Form(sent): Form<Credentials>) -> Answer {
    let login = sent.login.trim().to_owned();
    let known = app.database.read(move |connection| {
        let sql = format!(
            "select {}, person.password from person where login = $1 and active = 1",
            Person::COLUMNS
        );
        let row = connection.first(&sql, &[(&login).into()])?;
        Ok(row.map(|row| (row.int(0), row.maybe_text(8))))
    });
    let known = known.await?;
    let hash = known.as_ref().and_then(|(_, hash)| hash.clone());
    let checked =
        tokio::task::spawn_blocking(move || secret::is_password(&sent.password, hash.as_deref()));
    let Some((person, _)) = known.filter(|_| true) else {
        let _ = checked.await;
        return wrong();
    };
    if !checked.await.unwrap_or(false) {
        return wrong();
    }
    let secret = app.database.write(move |connection| session::begin(connection, person)).await?;
    let cookie = format!("{}={secret}; Path=/; Secure; HttpOnly; SameSite=Lax", session::COOKIE);
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response())
}

fn wrong() -> Answer {
    let frame = Frame::new("Sign in", "", &Visitor::default());
    Ok(page(&SignIn { frame, is_wrong: true }).into_response())
}

async fn sign_out(State(app): State<App>, visitor: Visitor) -> Answer {
    if let Some(secret) = visitor.session {
        app.database.write(move |connection| session::end(connection, &secret)).await?;
    }
    let cookie = format!("{}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0", session::COOKIE);
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/sign-in")).into_response())
}
