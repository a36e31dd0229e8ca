//! Who may use a route. Each route says so in the one table, and the router checks it before the handler runs.

use super::Visitor;
use super::refusal::Refusal;
use crate::app::App;
use crate::database::{Connection, Result};
use crate::people::{Person, Role};
use crate::submissions::Submission;
use crate::submissions::group::Group;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::Method;
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;

/// Who may use a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody.
    Public,
    /// Who is signed in.
    SignedIn,
    /// Who has at least this role.
    AtLeast(Role),
    /// The route has a `{submission}`: its student or group, and staff who may see one of them.
    Submission,
    /// The route has a `{submission}`: staff of at least this role who may see its student.
    SubmissionAs(Role),
    /// The route has a `{student}`, a login: staff of at least this role who may see that student.
    StudentAs(Role),
}

/// A route with its access.
pub struct Route {
    pub method: Method,
    pub path: &'static str,
    pub access: Access,
    /// Whether a client may use it with a token instead of a session.
    pub takes_token: bool,
    /// Whether pages of other sites may send it a form, as platforms do.
    pub takes_foreign: bool,
    pub handler: MethodRouter<App>,
}

/// A route. Its path is as axum writes it.
pub fn route<H, T>(method: Method, path: &'static str, access: Access, handler: H) -> Route
where
    H: Handler<T, App>,
    T: 'static,
{
    let filter = MethodFilter::try_from(method.clone()).expect("it is a method of HTTP");
    Route {
        method,
        path,
        access,
        takes_token: false,
        takes_foreign: false,
        handler: on(filter, Erased::from(handler)),
    }
}

/// A handler whose type is forgotten, so that axum's code for routes is compiled once and not for each of them.
#[derive(Clone)]
struct Erased(Arc<dyn Fn(Request, App) -> Answer + Send + Sync>);

type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

impl Erased {
    fn from<H: Handler<T, App>, T: 'static>(handler: H) -> Self {
        Self(Arc::new(move |request, app| Box::pin(handler.clone().call(request, app))))
    }
}

impl Handler<(), App> for Erased {
    type Future = Answer;

    fn call(self, request: Request, app: App) -> Answer {
        (self.0)(request, app)
    }
}

/// A route for anybody.
pub fn public<H, T>(method: Method, path: &'static str, handler: H) -> Route
where
    H: Handler<T, App>,
    T: 'static,
{
    route(method, path, Access::Public, handler)
}

/// A route for who is signed in.
pub fn signed_in<H, T>(method: Method, path: &'static str, handler: H) -> Route
where
    H: Handler<T, App>,
    T: 'static,
{
    route(method, path, Access::SignedIn, handler)
}

/// A route for who has at least this role.
pub fn at_least<H, T>(role: Role, method: Method, path: &'static str, handler: H) -> Route
where
    H: Handler<T, App>,
    T: 'static,
{
    route(method, path, Access::AtLeast(role), handler)
}

impl Route {
    /// The same route, also for clients with a token.
    #[must_use]
    pub fn with_token(mut self) -> Self {
        self.takes_token = true;
        self
    }

    /// The same route, also for forms of pages of other sites.
    #[must_use]
    pub fn from_elsewhere(mut self) -> Self {
        self.takes_foreign = true;
        self
    }
}

impl Access {
    /// Lets a visitor through, with the submission or student that the route is about, or refuses. What may not be seen is not found,
    /// so that nobody learns what exists.
    pub(super) fn check(
        self,
        connection: &mut Connection<'_>,
        visitor: &mut Visitor,
        parameters: &HashMap<String, String>,
    ) -> Result<std::result::Result<(), Refusal>> {
        let Some(person) = visitor.person.clone() else {
            return Ok(if self == Self::Public { Ok(()) } else { Err(Refusal::SignIn) });
        };
        let has = |role: Role| if person.role >= role { Ok(()) } else { Err(Refusal::NotFound) };
        Ok(match self {
            Self::Public | Self::SignedIn => Ok(()),
            Self::AtLeast(role) => has(role),
            Self::Submission | Self::SubmissionAs(_) => {
                let id = parameters.get("submission").and_then(|id| id.parse().ok());
                let found = id.map(|id| Submission::find(connection, id)).transpose()?.flatten();
                let Some(submission) = found else { return Ok(Err(Refusal::NotFound)) };
                let group = Group::of_submission(connection, &submission)?;
                let members = group.map_or_else(Vec::new, |group| group.members);
                let may = members.iter().any(|student| person.may_see(student));
                let own = members.iter().find(|it| it.id == person.id);
                let student = own.or(members.first()).cloned();
                visitor.submission = Some(submission);
                visitor.student = student;
                match self {
                    _ if !may => Err(Refusal::NotFound),
                    Self::SubmissionAs(role) => has(role),
                    _ => Ok(()),
                }
            }
            Self::StudentAs(role) => {
                let login = parameters.get("student").map(String::as_str).unwrap_or_default();
                let student = Person::by_login(connection, login)?;
                let may = student.as_ref().is_some_and(|student| person.may_see(student));
                visitor.student = student;
                if may { has(role) } else { Err(Refusal::NotFound) }
            }
        })
    }
}
