//! What people see and change of their own account.

use super::{Frame, invitation, page};
use crate::app::App;
use crate::people::{Person, password, session};
use crate::rules::Moment;
use crate::tokens;
use crate::web::{Answer, Refusal, Route, Visitor, signed_in};
use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Redirect};
use harness::diagnostic::Problem;
use serde::Deserialize;

/// The longest name of a token, in characters.
const LONGEST_NAME: usize = 60;

pub(super) fn routes() -> Vec<Route> {
    vec![
        signed_in(Method::GET, "/account", account),
        signed_in(Method::POST, "/account/password", change_password),
        signed_in(Method::POST, "/account/sessions/end", end_sessions),
        signed_in(Method::POST, "/account/tokens", make_token),
        signed_in(Method::POST, "/account/tokens/{token}/remove", remove_token),
    ]
}

#[derive(Template)]
#[template(path = "account.html")]
struct Account {
    frame: Frame,
    person: Person,
    tokens: Vec<Token>,
    sessions: Vec<Session>,
    news: News,
}

/// What the last form did.
#[derive(Default)]
struct News {
    /// Why the password was not changed.
    password: Option<Problem>,
    /// Why no token was made.
    token: Option<Problem>,
    /// The token that was made, which is shown only now.
    made: Option<String>,
    is_changed: bool,
}

struct Token {
    id: i64,
    name: String,
    created: String,
    until: String,
}

struct Session {
    created: String,
    seen: String,
    is_this: bool,
}

async fn account(State(app): State<App>, visitor: Visitor) -> Answer {
    shown(&app, &visitor, News::default()).await
}

async fn shown(app: &App, visitor: &Visitor, news: News) -> Answer {
    let person = visitor.person().clone();
    let (id, secret) = (person.id, visitor.session.clone().unwrap_or_default());
    let known = app.database.read(move |connection| {
        Ok((tokens::of(connection, id)?, session::open(connection, id, &secret)?))
    });
    let (tokens, sessions) = known.await?;
    let zone = app.rules().await?.time_zone.clone();
    let shown = |at: i64| zone.shown(Moment(at));
    let tokens = tokens.into_iter().map(|it| Token {
        id: it.id,
        name: it.name,
        created: shown(it.created),
        until: shown(it.until),
    });
    let sessions = sessions.into_iter().map(|it| Session {
        created: shown(it.created),
        seen: shown(it.seen),
        is_this: it.is_this,
    });
    let (tokens, sessions) = (tokens.collect(), sessions.collect());
    let is_refused = news.password.is_some() || news.token.is_some();
    let status = if is_refused { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let frame = Frame::new("Account", &super::course(app).await?, visitor);
    Ok((status, page(&Account { frame, person, tokens, sessions, news })).into_response())
}

#[derive(Deserialize)]
struct Passwords {
    old: String,
    password: String,
    again: String,
}

async fn change_password(
    State(app): State<App>,
    visitor: Visitor,
    Form(sent): Form<Passwords>,
) -> Answer {
    let person = visitor.person().clone();
    let refused = async |problem: Problem| {
        let news = News { password: Some(problem), ..News::default() };
        shown(&app, &visitor, news).await
    };
    if let Err(problem) = invitation::checked(&sent.password, &sent.again, &person) {
        return refused(problem).await;
    }
    let known = app.database.read(move |connection| {
        let sql = "select password from person where id = $1";
        Ok(connection.query(sql, &[person.id.into()])?.remove(0).maybe_text(0))
    });
    let crowded = |_| Refusal::TooMany(30);
    if !password::is_right(sent.old, known.await?).await.map_err(crowded)? {
        let problem = Problem::new("the old password is wrong");
        return refused(problem.hint("if you forgot it, ask for a new invitation")).await;
    }
    let hash = password::hash(sent.password).await.map_err(crowded)?;
    let (id, secret) = (person.id, visitor.session.clone().unwrap_or_default());
    let changed = app.database.write(move |connection| {
        let sql = "update person set password = $1 where id = $2";
        connection.execute(sql, &[(&hash).into(), id.into()])?;
        session::end_others(connection, id, &secret)
    });
    changed.await?;
    shown(&app, &visitor, News { is_changed: true, ..News::default() }).await
}

async fn end_sessions(State(app): State<App>, visitor: Visitor) -> Answer {
    let id = visitor.person().id;
    app.database.write(move |connection| session::end_all(connection, id)).await?;
    Ok((session::taken(), Redirect::to("/sign-in")).into_response())
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

async fn make_token(State(app): State<App>, visitor: Visitor, Form(sent): Form<Named>) -> Answer {
    let id = visitor.person().id;
    let name = sent.name.trim().to_owned();
    let refused = |problem| News { token: Some(problem), ..News::default() };
    if name.is_empty() || name.chars().count() > LONGEST_NAME {
        let problem = Problem::new("the token has no name, or a long one");
        let hint =
            format!("name the computer that will use it, in up to {LONGEST_NAME} characters");
        return shown(&app, &visitor, refused(problem.hint(hint))).await;
    }
    let made = app.database.write(move |connection| {
        let is_full = tokens::of(connection, id)?.len() >= tokens::MOST;
        if is_full { Ok(None) } else { tokens::make(connection, id, &name).map(Some) }
    });
    let news = if let Some(token) = made.await? {
        News { made: Some(token), ..News::default() }
    } else {
        let problem = Problem::new(format!("you have {} tokens", tokens::MOST));
        refused(problem.hint("remove one that you do not need any more"))
    };
    shown(&app, &visitor, news).await
}

async fn remove_token(
    State(app): State<App>,
    visitor: Visitor,
    Path(token): Path<String>,
) -> Answer {
    let person = visitor.person().id;
    let token: i64 = token.parse().map_err(|_| Refusal::NotFound)?;
    let removed =
        app.database.write(move |connection| tokens::remove(connection, person, token)).await?;
    if removed {
        Ok(Redirect::to("/account#tokens").into_response())
    } else {
        Err(Refusal::NotFound)
    }
}
