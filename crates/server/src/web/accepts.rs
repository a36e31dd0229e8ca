//! What kind of answer a request wants.

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::ACCEPT;
use axum::http::request::Parts;

/// What kind of answer a request wants.
#[derive(Clone, Copy, Debug)]
pub struct Accepts {
    /// JSON, as clients and scripts ask for. Otherwise a page.
    pub json: bool,
}

impl Accepts {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let accept = headers.get(ACCEPT).and_then(|value| value.to_str().ok());
        Self { json: accept.is_some_and(|value| value.contains("application/json")) }
    }
}

impl<S: Sync> FromRequestParts<S> for Accepts {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::of(&parts.headers))
    }
}
