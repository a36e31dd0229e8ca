//! Each request in the log and in the counters: what was asked for, the answer, how long it took, and who asked. An address may hold a
//! secret, so only the pattern of its route is noted, and never the query.

use crate::app::App;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;

/// The number of the person who sent a request, which the router adds to the answer.
#[derive(Clone, Copy)]
pub(super) struct Who(pub(super) i64);

/// Notes a request.
pub(super) async fn noted(State(app): State<App>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut response = next.run(request).await;
    let who = response.extensions_mut().remove::<Who>().map(|Who(person)| person);
    let (status, took) = (response.status().as_u16(), began.elapsed());
    app.metrics.count(status, took);
    let route = route.as_ref().map_or("no route", MatchedPath::as_str);
    let milliseconds = took.as_secs_f64() * 1e3;
    let ms = (milliseconds * 10.0).round() / 10.0;
    tracing::info!(target: "server::request", %method, route, status, ms, person = who, "request");
    response
}
