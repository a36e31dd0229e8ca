//! Pages that a platform may show in a frame. They hold no session.

use super::{Frame, page};
use crate::web::Visitor;
use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use harness::diagnostic::Problem;

/// A page in a frame of a platform.
#[derive(Template)]
#[template(path = "platform.html")]
struct Framed {
    frame: Frame,
    kind: Kind,
}

pub(super) enum Kind {
    /// Why it goes no further.
    Refused(Problem),
    /// The address at which a window of its own begins.
    Window(String),
    /// The assignments to choose from, and what the page carries.
    Choice { assignments: Vec<(String, String)>, many: bool, carried: String },
    /// The answer, and where it goes.
    Answer { address: String, jwt: String },
}

/// Which sites may show a page in a frame, and where its form may go.
pub(super) fn framed(title: &str, kind: Kind, within: &str) -> Response {
    let to = match &kind {
        Kind::Answer { address, .. } => origin(address),
        _ => "",
    };
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         form-action 'self' {to}; base-uri 'none'; frame-ancestors {within}"
    );
    let status = match kind {
        Kind::Refused(_) => StatusCode::UNPROCESSABLE_ENTITY,
        _ => StatusCode::OK,
    };
    let frame = Frame::new(title, "", &Visitor::default());
    let policy = [(header::CONTENT_SECURITY_POLICY, policy)];
    (status, policy, page(&Framed { frame, kind })).into_response()
}

/// The scheme and host of an address that is [safe](crate::rules::is_safe), as a policy names them.
pub(super) fn origin(address: &str) -> &str {
    let from = address.find("://").map_or(0, |at| at + 3);
    let is_end = |it: char| matches!(it, '/' | '?' | '#' | ';' | ',') || it.is_whitespace();
    address[from..].find(is_end).map_or(address, |end| &address[..from + end])
}
