//! Signing in at a provider of OpenID Connect, or at the proxy.

use super::sign_in::enter;
use crate::app::App;
use crate::people::session;
use crate::sso::{COOKIE, Flow, Trouble};
use crate::web::{Answer, Refusal, Route, Visitor, cookie, public};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, Method};
use axum::response::{AppendHeaders, IntoResponse, Redirect};
use harness::diagnostic::Problem;
use serde::Deserialize;

pub(super) fn routes() -> Vec<Route> {
    vec![
        public(Method::GET, "/sign-in/sso", leave),
        public(Method::GET, "/sign-in/sso/return", come_back),
        public(Method::GET, "/sign-in/proxy", by_proxy),
    ]
}

/// Leads a browser to the provider.
async fn leave(State(app): State<App>) -> Answer {
    let provider = app.sign_in.provider.as_ref().ok_or_else(elsewhere)?;
    let flow = Flow::begin();
    let page = provider.page(&flow).await.map_err(refused)?;
    Ok((flow.given(), Redirect::to(&page)).into_response())
}

/// What the provider sends a browser back with.
#[derive(Deserialize)]
struct Returned {
    #[serde(default)]
    state: String,
    code: Option<String>,
    iss: Option<String>,
    error: Option<String>,
}

async fn come_back(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    Query(returned): Query<Returned>,
) -> Answer {
    let provider = app.sign_in.provider.as_ref().ok_or_else(elsewhere)?;
    let Returned { state, code, iss, error } = returned;
    let flow = cookie(&headers, COOKIE).map(Flow::of).filter(|flow| flow.state() == state);
    let Some(flow) = flow else {
        let problem = Problem::new("this is not where you began to sign in, or it was long ago");
        return Err(Refusal::Wrong(problem.hint("begin again at the page `Sign in`")));
    };
    let signed_in = match code {
        Some(code) if error.is_none() => provider.login(&flow, code, iss.as_deref()).await,
        _ => Err(Trouble::Refused(format!("the provider says {}", error.unwrap_or_default()))),
    };
    let login = signed_in.map_err(refused)?;
    let entered = known(&app, visitor, login).await?;
    Ok((AppendHeaders(Flow::taken()), entered).into_response())
}

/// The proxy let somebody through, and names who it is.
async fn by_proxy(State(app): State<App>, visitor: Visitor, headers: HeaderMap) -> Answer {
    let header = app.sign_in.header.as_ref().ok_or_else(elsewhere)?;
    let mut named = headers.get_all(header).iter();
    // Two of them would mean that the proxy adds its own to what a browser sends.
    let login = match (named.next(), named.next()) {
        (Some(one), None) => one.to_str().ok().filter(|it| !it.is_empty()).map(str::to_owned),
        _ => None,
    };
    let Some(login) = login else {
        tracing::error!(header, "the proxy does not name who signed in");
        let problem = Problem::new("the proxy does not say who you are");
        return Err(Refusal::Wrong(problem.hint("tell the staff of your course")));
    };
    known(&app, visitor, login).await
}

/// Begins a session of the person with this login.
async fn known(app: &App, visitor: Visitor, login: String) -> Answer {
    let named = login.clone();
    let entered = app.database.write(move |connection| {
        let sql = "select id from person where login = $1 and active = 1";
        let Some(person) = connection.first(sql, &[(&named).into()])? else { return Ok(None) };
        visitor.session.iter().try_for_each(|old| session::end(connection, old))?;
        session::begin(connection, person.int(0)).map(Some)
    });
    let Some(secret) = entered.await? else {
        let problem = Problem::new(format!("`{login}` is not in this course"));
        return Err(Refusal::Wrong(problem.hint("ask the staff of your course to add you")));
    };
    Ok(enter(&secret))
}

/// Nobody else says here who somebody is.
fn elsewhere() -> Refusal {
    let problem = Problem::new("nobody signs in like this here");
    Refusal::Wrong(problem.hint("begin at the page `Sign in`"))
}

/// What a person reads. Why it is so, only the log tells.
fn refused(trouble: Trouble) -> Refusal {
    match trouble {
        Trouble::Away(why) => {
            tracing::error!(why, "single sign-on");
            let problem = Problem::new("the page where you sign in does not answer at the moment");
            Refusal::Passing(problem.hint("try again in a minute"))
        }
        Trouble::Refused(why) => {
            tracing::warn!(why, "single sign-on");
            let problem = Problem::new("you could not be signed in");
            Refusal::Wrong(
                problem
                    .hint("begin again at the page `Sign in`; if it fails again, tell the staff"),
            )
        }
    }
}
