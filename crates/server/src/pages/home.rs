//! The first page: the assignments.

use super::{Frame, page};
use crate::app::App;
use crate::web::{Answer, Route, Visitor, signed_in};
use askama::Template;
use axum::extract::State;
use axum::http::Method;
use axum::response::IntoResponse;

pub(super) fn routes() -> Vec<Route> {
    vec![signed_in(Method::GET, "/", home)]
}

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    frame: Frame,
    /// Their ids and titles.
    assignments: Vec<(String, String)>,
}

async fn home(State(app): State<App>, visitor: Visitor) -> Answer {
    let version = app.courses.in_force(&app.database).await?;
    let assignments = version.assignments().map(|it| (it.id.clone(), it.title.clone()));
    let frame = Frame::new("Assignments", &version.course.title, &visitor);
    Ok(page(&Home { frame, assignments: assignments.collect() }).into_response())
}
