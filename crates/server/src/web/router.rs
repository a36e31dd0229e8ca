//! The router: the one table of routes, and what holds for all of them.

use super::access::{Access, Route};
use super::buckets::{Buckets, Rate};
use super::held_body::holding;
use super::noted::{Who, noted};
use super::{Accepts, PerPerson, Refusal, Sender, Visitor, assets, body};
use crate::app::App;
use crate::pages;
use crate::people::{Role, session};
use crate::requests;
use crate::tokens;
use axum::Router;
use axum::extract::{Query, RawPathParams, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use harness::diagnostic::Problem;
use std::collections::HashMap;
use std::sync::Arc;
use tower_http::catch_panic::CatchPanicLayer;

/// What one person may ask for: a hundred pages at once, and then ten a second with what they load.
const OF_A_PERSON: Rate = Rate { burst: 600, a_second: 30 };

/// What one address may ask for: all of a lecture hall behind it.
const OF_AN_ADDRESS: Rate = Rate { burst: 6_000, a_second: 600 };

/// How many requests of one person are under way at the same time, with the pages that wait for news.
const AT_ONCE: usize = 48;

/// The longest path with its query, in bytes.
const LONGEST_ADDRESS: usize = 8 << 10;

/// The server.
pub fn router(app: &App) -> Router {
    let mut router = Router::new();
    let people = Buckets::new(OF_A_PERSON);
    let at_once = PerPerson::new(AT_ONCE);
    for route in pages::routes() {
        let Route { path, handler, access, takes_token, takes_foreign, .. } = route;
        let (people, at_once) = (people.clone(), at_once.clone());
        let guard = Guard { app: app.clone(), access, takes_token, takes_foreign, people, at_once };
        let guarded = middleware::from_fn_with_state(guard, guarded);
        router = router.route(path, handler.route_layer(guarded));
    }
    let bounds = Bounds { app: app.clone(), addresses: Buckets::new(OF_AN_ADDRESS) };
    router
        .route("/assets/{name}", axum::routing::get(assets::asset))
        .fallback(async || Refusal::NotFound)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(bounds, bounded))
        .layer(middleware::from_fn(with_headers))
        .layer(middleware::from_fn_with_state(app.clone(), noted))
        .with_state(app.clone())
}

/// What holds for all requests.
#[derive(Clone)]
struct Bounds {
    app: App,
    addresses: Buckets<std::net::IpAddr>,
}

/// Finds out from where a request comes, and refuses it if it is too long, or one of too many.
async fn bounded(State(bounds): State<Bounds>, mut request: Request, next: Next) -> Response {
    let sender = Sender::of(&request, bounds.app.is_behind_proxy);
    request.extensions_mut().insert(sender);
    if request.uri().to_string().len() > LONGEST_ADDRESS {
        return StatusCode::URI_TOO_LONG.into_response();
    }
    // A proxy on this machine that `serve.yaml` does not know would make all visitors one.
    if !sender.is_this_machine()
        && let Err(seconds) = bounds.addresses.take(sender.network())
    {
        return Refusal::TooMany(seconds).into_response();
    }
    next.run(request).await
}

/// The answer when a handler panics, which is a mistake in this program.
fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    tracing::error!("a handler panicked");
    Refusal::Broken(Problem::new("something went wrong on this server")).into_response()
}

#[derive(Clone)]
struct Guard {
    app: App,
    access: Access,
    takes_token: bool,
    takes_foreign: bool,
    people: Buckets<i64>,
    at_once: PerPerson,
}

/// Finds out who sends a request, and lets it through only if its route is for them.
async fn guarded(
    State(guard): State<Guard>,
    parameters: RawPathParams,
    Query(query): Query<HashMap<String, String>>,
    mut request: Request,
    next: Next,
) -> Response {
    let parameters = parameters.iter().map(|(key, value)| (key.to_owned(), value.to_owned()));
    let (method, headers) = (request.method().clone(), request.headers().clone());
    match admitted(&guard, parameters.collect(), &query, &method, &headers).await {
        Ok(visitor) => {
            let who = visitor.person.as_ref().map(|person| Who(person.id));
            let held = who.map(|Who(person)| guard.at_once.hold(person).ok_or(Refusal::TooMany(2)));
            let held = match held.transpose() {
                Ok(held) => held,
                Err(refusal) => return refusal.into_response(),
            };
            request.extensions_mut().insert(visitor);
            let mut response = match body::bounded(request, guard.access == Access::Public) {
                Ok(request) => next.run(request).await,
                Err(status) => status.into_response(),
            };
            if let Some(who) = who {
                response.extensions_mut().insert(who);
            }
            match held {
                Some(held) => holding(response, held),
                None => response,
            }
        }
        Err(refusal) => refusal.into_response(),
    }
}

async fn admitted(
    guard: &Guard,
    parameters: HashMap<String, String>,
    query: &HashMap<String, String>,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Visitor, Refusal> {
    let changes = !matches!(*method, Method::GET | Method::HEAD);
    let token = bearer(headers).filter(|_| guard.takes_token);
    let cookie = cookie(headers, session::COOKIE).filter(|_| token.is_none());
    if changes && token.is_none() {
        if !guard.takes_foreign {
            check_origin(headers, &guard.app.url)?;
        }
        // Only a page of this session knows the token.
        if let Some(secret) = &cookie
            && query.get("form").is_none_or(|form| *form != session::form_token(secret))
            && guard.access != Access::Public
        {
            return Err(Refusal::Foreign);
        }
    }
    let access = guard.access;
    if access == Access::Public && cookie.is_none() && token.is_none() {
        return Ok(Visitor::default());
    }
    let (visitor, is_noted) = guard
        .app
        .database
        .read(move |connection| {
            let mut visitor = Visitor::default();
            let mut is_noted = true;
            if let Some(token) = &token {
                visitor.person = tokens::person(connection, token)?;
            } else if let Some(secret) = &cookie
                && let Some((person, is_old)) = session::person(connection, secret)?
            {
                visitor.person = Some(person);
                visitor.session = Some(secret.clone());
                is_noted = !is_old;
            }
            let checked = access.check(connection, &mut visitor, &parameters)?;
            if let Some(person) = visitor.person.as_ref().filter(|it| it.role >= Role::Grader) {
                visitor.open_requests = requests::count_open(connection, person)?;
            }
            Ok(checked.map(|()| (visitor, is_noted)))
        })
        .await??;
    if let Some(person) = &visitor.person {
        guard.people.take(person.id).map_err(Refusal::TooMany)?;
    }
    if let Some(secret) = visitor.session.clone().filter(|_| !is_noted) {
        guard.app.database.write(move |connection| session::note(connection, &secret)).await?;
    }
    Ok(visitor)
}

/// Refuses a request that a page of another site sends.
fn check_origin(headers: &HeaderMap, url: &str) -> Result<(), Refusal> {
    let of = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let site = of(HeaderName::from_static("sec-fetch-site"));
    if site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return Err(Refusal::Foreign);
    }
    let Some(origin) = of(header::ORIGIN) else { return Ok(()) };
    let host = of(header::HOST).unwrap_or_default();
    let is_own = origin == url || origin.split_once("://").is_some_and(|(_, it)| it == host);
    if is_own { Ok(()) } else { Err(Refusal::Foreign) }
}

fn bearer(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").map(|token| token.trim().to_owned())
}

/// The value of a cookie.
pub fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        all.flat_map(|value| value.split(';')).filter_map(|it| it.trim().split_once('='));
    pairs.find(|(it, _)| *it == name).map(|(_, value)| value.to_owned())
}

/// Nothing of a page comes from elsewhere, no script is in a page, and no other page may show it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// What to say for the answers that no handler gives.
fn without_words(status: StatusCode) -> Option<Problem> {
    let (message, hint) = match status {
        StatusCode::METHOD_NOT_ALLOWED => {
            ("this address does not take such a request", "begin at the first page")
        }
        StatusCode::URI_TOO_LONG => ("this address is too long", "begin at the first page"),
        StatusCode::PAYLOAD_TOO_LARGE => {
            ("what was sent is too large", "hand in only sources, Makefile and tests")
        }
        _ => return None,
    };
    Some(Problem::new(message).hint(hint))
}

/// The page of this site from which a request comes.
fn page_before(headers: &HeaderMap) -> Option<String> {
    let of = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let (_, address) = of(header::REFERER)?.split_once("://")?;
    let (host, path) = address.split_once('/')?;
    let is_own = of(header::HOST) == Some(host) && !path.starts_with('/');
    is_own.then(|| format!("/{path}"))
}

/// Adds what all answers have, and gives refusals the form that the client reads.
async fn with_headers(request: Request, next: Next) -> Response {
    let wants_json = Accepts::of(request.headers()).json;
    let back = page_before(request.headers());
    let mut response = next.run(request).await;
    if let Some(refusal) = response.extensions_mut().remove::<Arc<Refusal>>() {
        response = refusal.answer(wants_json, back.as_deref());
    } else if let Some(problem) = without_words(response.status()) {
        let status = response.status();
        let allowed = response.headers_mut().remove(header::ALLOW);
        response = Refusal::Wrong(problem).answer(wants_json, back.as_deref());
        *response.status_mut() = status;
        if let Some(methods) = allowed {
            response.headers_mut().insert(header::ALLOW, methods);
        }
    }
    let all = [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        // With `no-referrer`, browsers would hide the origin of the forms as well.
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
        ("strict-transport-security", "max-age=63072000"),
        ("cache-control", "no-store"),
    ];
    for (name, value) in all {
        // A download has a stricter policy of its own, and what never changes may be kept.
        let name = HeaderName::from_static(name);
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_page_of_this_site_is_gone_back_to() {
        let from = |referer: &'static str| {
            let headers = [(header::HOST, "a.edu"), (header::REFERER, referer)];
            let of = |(name, value)| (name, HeaderValue::from_static(value));
            page_before(&headers.into_iter().map(of).collect())
        };
        assert_eq!(from("https://a.edu/students/ann?x=1").as_deref(), Some("/students/ann?x=1"));
        let all = ["https://b.edu/students", "https://a.edu//b.edu/", "https://a.edu", "nonsense"];
        assert_eq!(all.map(from), [const { None }; 4]);
    }
}
