//! Who sends a request, and what the request is about.

use crate::people::{Person, Role, session};
use crate::submissions::Submission;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;

/// Who sends a request, and what it is about. The router makes it before a handler runs.
#[derive(Clone, Default)]
pub struct Visitor {
    /// Who is signed in.
    pub person: Option<Person>,
    /// The secret of the session. None for a client with a token.
    pub session: Option<String>,
    /// The submission of the route's `{submission}`.
    pub submission: Option<Submission>,
    /// The student of that submission, or of the route's `{student}`. If a group handed it in: the member who visits, or the keeper.
    pub student: Option<Person>,
    /// How many requests wait for an answer of this person.
    pub open_requests: i64,
}

impl Visitor {
    /// Who is signed in.
    ///
    /// # Panics
    /// On a public route.
    pub fn person(&self) -> &Person {
        self.person.as_ref().expect("the route is for people who are signed in")
    }

    /// The submission that the route is about.
    ///
    /// # Panics
    /// On a route without `{submission}`.
    pub fn submission(&self) -> &Submission {
        self.submission.as_ref().expect("the route is about a submission")
    }

    /// The student that the route is about.
    ///
    /// # Panics
    /// On a route without `{submission}` and `{student}`.
    pub fn student(&self) -> &Person {
        self.student.as_ref().expect("the route is about a student")
    }

    pub fn is(&self, least: Role) -> bool {
        self.person.as_ref().is_some_and(|person| person.role >= least)
    }

    /// What each form of a page sends along in its address: `?form=…`.
    pub fn form(&self) -> String {
        self.session.as_deref().map(session::form_token).unwrap_or_default()
    }
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or_default())
    }
}
