//! Coming from a learning platform: where it begins, the launch, and the choice of assignments in a frame of the platform.

use super::platform_frame::{Kind, framed, origin};
use crate::app::App;
use crate::database::{Connection, Result};
use crate::lti::{self, Attempt, COOKIE, Launch, choosing::Choosing, choosing::Chosen, contexts};
use crate::lti::{key, launch::What, subjects};
use crate::people::{Person, Role, session};
use crate::rules::{Moment, Platform, Rules};
use crate::secret;
use crate::sso::Trouble;
use crate::web::{Answer, Refusal, Route, cookie, public};
use axum::Json;
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, Method};
use axum::response::{AppendHeaders, IntoResponse, Redirect};
use form_urlencoded::Serializer;
use harness::diagnostic::Problem;
use serde::Deserialize;
use std::collections::BTreeSet;

/// Where platforms ask teachers to choose assignments. It is only named in settings.
pub(super) const CHOOSE: &str = "/lti/choose";

pub(super) fn routes() -> Vec<Route> {
    vec![
        public(Method::GET, "/lti/keys", keys),
        public(Method::GET, "/lti/canvas.json", super::platforms::canvas),
        public(Method::GET, "/lti/login", begin_by_address),
        public(Method::POST, "/lti/login", begin_by_form).from_elsewhere(),
        public(Method::POST, "/lti/launch", launch).from_elsewhere(),
        public(Method::POST, CHOOSE, chosen),
    ]
}

/// The keys by which platforms know this server.
async fn keys(State(app): State<App>) -> Answer {
    if !app.rules().await?.platforms.is_empty() {
        key::current(&app.database).await?;
    }
    Ok(Json(app.database.read(key::all).await?).into_response())
}

/// What a platform begins with: LTI 1.3, section 5.1.1.1, and OpenID Connect Core 1.0, section 4.
#[derive(Deserialize)]
struct Begun {
    iss: String,
    login_hint: String,
    #[serde(default)]
    target_link_uri: String,
    lti_message_hint: Option<String>,
    client_id: Option<String>,
}

async fn begin_by_address(
    State(app): State<App>,
    headers: HeaderMap,
    begun: std::result::Result<Query<Begun>, axum::extract::rejection::QueryRejection>,
) -> Answer {
    begin(&app, &headers, begun.ok().map(|Query(begun)| begun)).await
}

async fn begin_by_form(
    State(app): State<App>,
    headers: HeaderMap,
    begun: std::result::Result<Form<Begun>, axum::extract::rejection::FormRejection>,
) -> Answer {
    begin(&app, &headers, begun.ok().map(|Form(begun)| begun)).await
}

/// Asks the platform who it is. A frame cannot hold a session where browsers take no cookies of other sites, so it first leads to a window
/// of its own, before the platform's hint is used: that serves once.
async fn begin(app: &App, headers: &HeaderMap, begun: Option<Begun>) -> Answer {
    let no = |what: &str, hint: &str| {
        let kind = Kind::Refused(Problem::new(what.to_owned()).hint(hint.to_owned()));
        Ok(framed("Not opened", kind, "*"))
    };
    let Some(begun) = begun else {
        return no("the platform says too little", "follow the link there again");
    };
    let rules = app.rules().await?;
    let is_it = |it: &Platform| {
        it.issuer == begun.iss && begun.client_id.as_ref().is_none_or(|id| *id == it.client)
    };
    let mut known = rules.platforms.iter().filter(|(_, it)| is_it(it));
    let (Some((name, platform)), None) = (known.next(), known.next()) else {
        tracing::warn!(issuer = begun.iss, client = begun.client_id, "an unknown platform");
        return no("this platform is not known here", "staff: name it in serve.yaml, `platforms:`");
    };
    let chooses =
        begun.target_link_uri.split(['?', '#']).next().is_some_and(|it| it.ends_with(CHOOSE));
    let is_framed = headers.get("sec-fetch-dest").is_some_and(|it| it != "document");
    if is_framed && !chooses {
        let query = queried(&begun);
        return Ok(framed("Open", Kind::Window(format!("/lti/login?{query}")), "*"));
    }
    let browser = cookie(headers, COOKIE).unwrap_or_else(secret::random);
    let attempt = Attempt::begin(name, &browser);
    let mut query = Serializer::new(String::new());
    query
        .append_pair("scope", "openid")
        .append_pair("response_type", "id_token")
        .append_pair("response_mode", "form_post")
        .append_pair("prompt", "none")
        .append_pair("client_id", &platform.client)
        .append_pair("redirect_uri", &format!("{}/lti/launch", app.url))
        .append_pair("login_hint", &begun.login_hint)
        .append_pair("state", &attempt.state())
        .append_pair("nonce", &attempt.nonce());
    if let Some(hint) = &begun.lti_message_hint {
        query.append_pair("lti_message_hint", hint);
    }
    let mark = if platform.login.contains('?') { '&' } else { '?' };
    let to = format!("{}{mark}{}", platform.login, query.finish());
    Ok((Attempt::given(&browser), Redirect::to(&to)).into_response())
}

fn queried(begun: &Begun) -> String {
    let mut query = Serializer::new(String::new());
    query
        .append_pair("iss", &begun.iss)
        .append_pair("login_hint", &begun.login_hint)
        .append_pair("target_link_uri", &begun.target_link_uri);
    for (name, value) in
        [("lti_message_hint", &begun.lti_message_hint), ("client_id", &begun.client_id)]
    {
        if let Some(value) = value {
            query.append_pair(name, value);
        }
    }
    query.finish()
}

/// What a platform sends a browser back with.
#[derive(Deserialize)]
struct Sent {
    #[serde(default)]
    state: String,
    id_token: Option<String>,
    error: Option<String>,
}

async fn launch(State(app): State<App>, headers: HeaderMap, Form(sent): Form<Sent>) -> Answer {
    match launched(&app, &headers, sent).await {
        // It may be in a frame, where other pages would not be shown.
        Err(Refusal::Wrong(problem)) => Ok(framed("Not opened", Kind::Refused(problem), "*")),
        done => done,
    }
}

async fn launched(app: &App, headers: &HeaderMap, sent: Sent) -> Answer {
    let attempt = Attempt::of(&sent.state).ok_or_else(elsewhere)?;
    let rules = app.rules().await?;
    let platform = rules.platforms.get(&attempt.platform).ok_or_else(elsewhere)?;
    let said = match sent.id_token {
        Some(token) if sent.error.is_none() => {
            app.platforms.launch(platform, &attempt, &token).await
        }
        _ => Err(Trouble::Refused(sent.error.unwrap_or_default())),
    };
    let launch = said.map_err(refused)?;
    // A choice begins no session, and goes back to the platform that signed it, so it needs no cookie.
    let is_same = cookie(headers, COOKIE).is_some_and(|browser| attempt.is_of(&browser));
    if !is_same && matches!(launch.what, What::Link { .. }) {
        return Err(elsewhere());
    }
    let version = app.courses.in_force(&app.database).await?;
    let (name, nonce, said) = (attempt.platform.clone(), attempt.nonce(), launch.clone());
    let entered =
        app.database.write(move |connection| enter(connection, &name, &nonce, &said)).await?;
    let entered = entered.map_err(|(what, hint)| Refusal::Wrong(Problem::new(what).hint(hint)))?;
    match (launch.what, entered) {
        (What::Choice(settings), Entered { context, person, .. }) => {
            let choosing = Choosing::new(&context, settings, &person);
            let carried = choosing.carried(&app.database, &app.url).await.map_err(refused)?;
            let assignments =
                version.assignments().map(|it| (it.id.clone(), it.title.clone())).collect();
            let within = format!("{} {}", origin(&choosing.address), origin(&platform.issuer));
            let kind = Kind::Choice { assignments, many: choosing.many, carried };
            Ok(framed("Choose assignments", kind, &within))
        }
        (What::Link { .. }, Entered { session, assignment, .. }) => {
            let known = assignment.filter(|id| version.assignment(id).is_some());
            let page = known.map_or_else(
                || "/".to_owned(),
                |id| format!("/assignments/{}", super::words::encoded(&id)),
            );
            let session = session::given(&session.unwrap_or_default());
            Ok((AppendHeaders(session), Redirect::to(&page)).into_response())
        }
    }
}

/// Who came, from where, and to what.
struct Entered {
    person: Person,
    context: lti::Context,
    session: Option<String>,
    assignment: Option<String>,
}

fn enter(
    connection: &mut Connection<'_>,
    platform: &str,
    nonce: &str,
    launch: &Launch,
) -> Result<std::result::Result<Entered, subjects::Refused>> {
    const AGAIN: &str = "follow the link on the platform again";
    if !contexts::is_first(connection, nonce, launch)? {
        return Ok(Err(("this launch was used before".to_owned(), AGAIN)));
    }
    let context = contexts::of(connection, platform, launch)?;
    let Some(context) = context.filter(|context| context.connected.is_some()) else {
        let what = "the course on the platform is not connected with this one".to_owned();
        let hint = "staff: sign in here, and connect it at Course, Learning platforms";
        return Ok(Err((what, hint)));
    };
    let person = match subjects::person(connection, platform, launch)? {
        Ok(person) => person,
        Err(refused) => return Ok(Err(refused)),
    };
    if matches!(launch.what, What::Choice(_)) {
        if person.role < Role::Staff || !launch.teaches {
            let what = "only staff of this course choose assignments".to_owned();
            return Ok(Err((what, "ask somebody who is staff here")));
        }
        return Ok(Ok(Entered { person, context, session: None, assignment: None }));
    }
    let assignment = contexts::follow(connection, &context, launch)?;
    let session = Some(session::begin(connection, person.id)?);
    Ok(Ok(Entered { person, context, session, assignment }))
}

/// The assignments that were chosen go back to the platform.
async fn chosen(State(app): State<App>, Form(fields): Form<Vec<(String, String)>>) -> Answer {
    let of = |name: &'static str| fields.iter().filter(move |(it, _)| it == name);
    let carried = of("carried").next().map(|(_, it)| it.clone()).unwrap_or_default();
    let read = Choosing::read(&app.database, &app.url, &carried).await;
    let Ok(choosing) = read else {
        let problem = Problem::new("this choice was begun long ago, or elsewhere");
        let kind = Kind::Refused(problem.hint("begin again on the platform"));
        return Ok(framed("Not chosen", kind, "*"));
    };
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    let platform = rules.platforms.get(&choosing.platform).ok_or_else(elsewhere)?;
    let wanted: BTreeSet<_> = of("assignment").map(|(_, it)| it).collect();
    let titles: Vec<_> = version
        .assignments()
        .filter(|it| wanted.contains(&it.id))
        .take(if choosing.many { usize::MAX } else { 1 })
        .map(|it| (it.id.clone(), it.title.clone()))
        .collect();
    let for_query = rules.clone();
    let chosen = app.database.read(move |connection| {
        titles.iter().map(|(id, title)| described(connection, &for_query, id, title)).collect()
    });
    let chosen: Vec<Chosen> = chosen.await?;
    let jwt = choosing.answer(&app.database, platform, &app.url, &chosen).await.map_err(refused)?;
    let within = format!("{} {}", origin(&choosing.address), origin(&platform.issuer));
    let kind = Kind::Answer { address: choosing.address, jwt };
    Ok(framed("Chosen", kind, &within))
}

fn described(
    connection: &mut Connection<'_>,
    rules: &Rules,
    id: &str,
    title: &str,
) -> Result<Chosen> {
    let sql = "select max_points from contender where assignment = $1 limit 1";
    let most = connection.first(sql, &[id.into()])?.map(|row| row.int(0)).filter(|it| *it > 0);
    let (of, zone) = (rules.of(id), &rules.time_zone);
    Ok(Chosen {
        id: id.to_owned(),
        title: title.to_owned(),
        opens: of.opens(zone).map(Moment::rfc3339),
        due: of.due(zone).map(Moment::rfc3339),
        // What can be earned is known when somebody has a result. Scores name it again.
        max_points: most.map_or(100.0, |hundredths| hundredths as f64 / 100.0),
    })
}

fn elsewhere() -> Refusal {
    let problem = Problem::new("this is not where you came from the platform, or it was long ago");
    Refusal::Wrong(problem.hint("follow the link on the platform again, in a window of its own"))
}

/// What a person reads. Why it is so, only the log tells.
pub(super) fn refused(trouble: Trouble) -> Refusal {
    match trouble {
        Trouble::Away(why) => {
            tracing::error!(why, "learning platform");
            let problem = Problem::new("the platform does not answer at the moment");
            Refusal::Passing(problem.hint("try again in a minute"))
        }
        Trouble::Refused(why) => {
            tracing::warn!(why, "learning platform");
            let problem = Problem::new("what the platform sent could not be used");
            let hint = "follow the link there again; if it fails again, staff find why in the log";
            Refusal::Wrong(problem.hint(hint))
        }
    }
}
