//! What staff do with a submission: grade it once more, or give its attempt back. [`Tools`] is the part of the submission's page.

use super::words::{points, reason, student_page};
use crate::app::App;
use crate::courses::{self, short};
use crate::database::{Connection, Result};
use crate::people::Role;
use crate::queue::by_hand;
use crate::submissions::exceptions;
use crate::web::{Access, Answer, Refusal, Route, Visitor, route};
use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::http::Method;
use axum::response::{IntoResponse, Redirect};
use harness::diagnostic::Problem;
use serde::Deserialize;

pub(super) fn routes() -> Vec<Route> {
    let staff = Access::SubmissionAs(Role::Staff);
    vec![
        route(Method::POST, "/submissions/{submission}/rerun", staff, rerun),
        route(Method::POST, "/submissions/{submission}/refund", staff, refund),
    ]
}

/// The part of a submission's page for staff.
#[derive(Template)]
#[template(path = "submission_tools.html")]
pub struct Tools {
    submission: i64,
    student: String,
    student_page: String,
    uses_attempt: bool,
    /// The points that were added by hand.
    adjusted: String,
    /// The version of its last job, and the one in force.
    same: String,
    in_force: String,
    is_same: bool,
    /// What its forms send along.
    form: String,
}

impl Tools {
    /// The tools for the submission that the route is about. None if the visitor may not use them.
    ///
    /// # Errors
    /// If the database fails.
    pub fn of(connection: &mut Connection<'_>, visitor: &Visitor) -> Result<Option<Self>> {
        if !visitor.is(Role::Staff) {
            return Ok(None);
        }
        let (submission, student) = (visitor.submission(), visitor.student());
        let in_force = courses::in_force(connection)?.unwrap_or_default();
        let same = last_course(connection, submission.id)?.unwrap_or_else(|| in_force.clone());
        Ok(Some(Self {
            submission: submission.id,
            student: student.name.clone(),
            student_page: student_page(&student.login),
            uses_attempt: submission.slot.is_some(),
            adjusted: points(submission.adjusted as f64 / 100.0),
            is_same: same == in_force,
            same: short(&same).to_owned(),
            in_force: short(&in_force).to_owned(),
            form: visitor.form(),
        }))
    }
}

/// The version with which a submission was graded last.
fn last_course(connection: &mut Connection<'_>, submission: i64) -> Result<Option<String>> {
    let sql =
        "select course from job where submission = $1 and regrade is null order by id desc limit 1";
    Ok(connection.first(sql, &[submission.into()])?.map(|row| row.text(0)))
}

#[derive(Clone, Debug, Deserialize)]
struct Sent {
    #[serde(default)]
    reason: String,
    /// `same`, or the version in force.
    #[serde(default)]
    version: String,
}

async fn rerun(State(app): State<App>, visitor: Visitor, Form(sent): Form<Sent>) -> Answer {
    let (submission, student) = (visitor.submission().clone(), visitor.student().clone());
    let (why, by, id) = (reason(&sent.reason)?, visitor.person().id, submission.id);
    let done = app.database.write(move |connection| {
        let last = match sent.version.as_str() {
            "same" => last_course(connection, submission.id)?,
            _ => None,
        };
        let course = match last {
            Some(course) => course,
            None => courses::in_force(connection)?.unwrap_or_default(),
        };
        by_hand::rerun(connection, &submission, &student, &course, &why, by)
    });
    if done.await?.is_none() {
        let problem = Problem::new("this submission is in the queue already");
        return Err(Refusal::Wrong(problem.hint("wait until it is graded")));
    }
    app.changed.notify_waiters();
    Ok(Redirect::to(&format!("/submissions/{id}")).into_response())
}

async fn refund(State(app): State<App>, visitor: Visitor, Form(sent): Form<Sent>) -> Answer {
    let (submission, student) = (visitor.submission().clone(), visitor.student().clone());
    let (why, by) = (reason(&sent.reason)?, visitor.person().id);
    let back = student_page(&student.login);
    let done = app
        .database
        .write(move |connection| exceptions::refund(connection, &submission, &student, &why, by));
    if !done.await? {
        let problem = Problem::new("this submission used no attempt");
        return Err(Refusal::Wrong(problem.hint("it was refunded before, or never counted")));
    }
    Ok(Redirect::to(&back).into_response())
}
