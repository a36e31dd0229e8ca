//! What machines ask the server: whether it works, and how it is doing.

use crate::app::App;
use crate::database::{Connection, VERSION};
use crate::metrics::Queue;
use crate::people::Role;
use crate::web::{Answer, Refusal, Route, at_least, public};
use axum::Json;
use axum::extract::State;
use axum::http::{Method, header};
use axum::response::IntoResponse;
use harness::diagnostic::Problem;
use serde_json::json;
use std::time::Duration;
use tokio::time::timeout;

/// How long `/health` waits for the database. Whoever asks waits no longer.
const PATIENCE: Duration = Duration::from_secs(3);

pub(super) fn routes() -> Vec<Route> {
    vec![
        public(Method::GET, "/health", ready),
        public(Method::GET, "/health/live", alive),
        // Behind a proxy, everybody comes from this machine, so a monitor has a token of staff.
        at_least(Role::Staff, Method::GET, "/metrics", metrics).with_token(),
    ]
}

/// Whether the server can serve: it reaches the database.
async fn ready(State(app): State<App>) -> Answer {
    let known = app.database.read(|connection: &mut Connection<'_>| connection.version());
    let away = || Problem::new("the database does not answer at the moment").hint("ask again soon");
    let tables = match timeout(PATIENCE, known).await {
        Ok(Ok(tables)) => tables,
        Ok(Err(fault)) => {
            tracing::warn!(%fault, "the database");
            return Err(Refusal::Passing(away()));
        }
        Err(_) => return Err(Refusal::Passing(away())),
    };
    if tables != i64::from(VERSION) {
        let problem = Problem::new("the database is of another version than this server");
        return Err(Refusal::Passing(problem.hint("start the server of that version")));
    }
    Ok(Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") })).into_response())
}

/// Whether the process answers at all. A database that is away is no reason to start it again.
async fn alive() -> Answer {
    Ok(Json(json!({ "status": "ok" })).into_response())
}

async fn metrics(State(app): State<App>) -> Answer {
    let queue = app.database.read(Queue::now).await?;
    let text = app.metrics.text(&queue, app.database.faults());
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}
