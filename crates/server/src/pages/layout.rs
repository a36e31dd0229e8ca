//! What all pages have around them.

use crate::people::Role;
use crate::web::{Visitor, assets};
use askama::Template;
use axum::response::Html;
use harness::diagnostic::Problem;

/// What is around a page.
pub struct Frame {
    pub title: String,
    /// The title of the course.
    pub course: String,
    pub visitor: Visitor,
    pub style: String,
    pub script: String,
}

impl Frame {
    pub fn new(title: &str, course: &str, visitor: &Visitor) -> Self {
        Self {
            title: title.to_owned(),
            course: course.to_owned(),
            visitor: visitor.clone(),
            style: assets::style(),
            script: assets::script(),
        }
    }

    /// The addresses and names of the pages that the visitor may use.
    pub fn links(&self) -> Vec<(&'static str, &'static str)> {
        let all = [
            (Role::Grader, "/students", "Students"),
            (Role::Grader, "/requests", "Requests"),
            (Role::Grader, "/queue", "Queue"),
            (Role::Staff, "/course", "Course"),
            (Role::Staff, "/audit", "Log"),
            (Role::Administrator, "/people", "People"),
        ];
        let own = all.into_iter().filter(|(role, ..)| self.visitor.is(*role));
        own.map(|(_, address, name)| (address, name)).collect()
    }
}

/// A page from its template.
///
/// # Panics
/// Never: the templates are compiled, and writing to memory does not fail.
pub fn page(template: &impl Template) -> Html<String> {
    Html(template.render().expect("a template writes to memory"))
}

#[derive(Template)]
#[template(path = "refused.html")]
struct Refused<'a> {
    frame: Frame,
    problem: &'a Problem,
    /// The page from which the request came.
    back: Option<&'a str>,
}

/// The page that says why a request is refused, with the page from which it came.
pub fn refused(problem: &Problem, back: Option<&str>) -> Html<String> {
    let frame = Frame::new("Not done", "", &Visitor::default());
    page(&Refused { frame, problem, back })
}
