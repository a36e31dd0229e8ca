//! Why a request is refused, and what its answer looks like.

use crate::database::Fault;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use harness::diagnostic::{Failure, Problem};

/// Why a request is refused.
#[derive(Debug)]
pub enum Refusal {
    /// Nobody is signed in.
    SignIn,
    /// There is no such page, or it is not for this person.
    NotFound,
    /// The request comes from another page, or from an old form.
    Foreign,
    /// What was asked for is wrong.
    Wrong(Problem),
    /// More was sent than may be.
    TooLarge(Problem),
    /// Too many requests. It may be sent again after so many seconds.
    TooMany(u64),
    /// The machine fails at the moment. The same request may be sent again.
    Passing(Problem),
    /// The server or the course is broken. Staff read why in the log.
    Broken(Problem),
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        if fault.is_passing() {
            tracing::warn!(%fault, "the database");
            let problem = Problem::new("the database does not answer at the moment");
            return Self::Passing(problem.hint("nothing was lost; try again in a minute"));
        }
        tracing::error!(%fault, "the database");
        Self::Broken(Problem::new("something went wrong on this server"))
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        for problem in &failure.problems {
            tracing::error!(%problem, "the course");
        }
        Self::Broken(Problem::new("something is wrong with the course"))
    }
}

impl Refusal {
    pub fn status(&self) -> StatusCode {
        match self {
            Self::SignIn => StatusCode::UNAUTHORIZED,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Foreign => StatusCode::FORBIDDEN,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Wrong(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Passing(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What a person reads.
    pub fn problem(&self) -> Problem {
        match self {
            Self::SignIn => Problem::new("you are not signed in").hint("sign in, and try again"),
            Self::NotFound => Problem::new("there is no such page").hint("begin at the first page"),
            Self::Foreign => Problem::new("this form is too old, or from another page")
                .hint("go back, load the page again, and send the form again"),
            Self::TooMany(seconds) => {
                Problem::new("too many requests").hint(format!("try again in {seconds} seconds"))
            }
            Self::TooLarge(problem)
            | Self::Wrong(problem)
            | Self::Passing(problem)
            | Self::Broken(problem) => problem.clone(),
        }
    }

    /// The answer for a browser, which comes `back` from a page, or for a client that asked for JSON.
    pub(super) fn answer(&self, wants_json: bool, back: Option<&str>) -> Response {
        if matches!(self, Self::SignIn) && !wants_json {
            return Redirect::to("/sign-in").into_response();
        }
        let problem = self.problem();
        let mut response = if wants_json {
            let body = serde_json::json!({ "error": problem.message, "hint": problem.hint });
            (self.status(), axum::Json(body)).into_response()
        } else {
            (self.status(), crate::pages::refused(&problem, back)).into_response()
        };
        let again = match self {
            Self::TooMany(seconds) => Some(*seconds),
            Self::Passing(_) => Some(10),
            _ => None,
        };
        if let Some(seconds) = again {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl IntoResponse for Refusal {
    /// The router replaces it by the [answer](Self::answer) that fits the request.
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(std::sync::Arc::new(self));
        response
    }
}
