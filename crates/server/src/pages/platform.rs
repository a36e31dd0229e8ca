//! What learning platforms ask for.

use crate::app::App;
use crate::lti::key;
use crate::web::{Answer, Route, public};
use axum::Json;
use axum::extract::State;
use axum::http::Method;
use axum::response::IntoResponse;

pub(super) fn routes() -> Vec<Route> {
    vec![public(Method::GET, "/lti/keys", keys)]
}

/// The keys by which platforms know this server.
async fn keys(State(app): State<App>) -> Answer {
    if !app.rules().await?.platforms.is_empty() {
        key::current(&app.database).await?;
    }
    Ok(Json(app.database.read(key::all).await?).into_response())
}
