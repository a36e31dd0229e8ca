//! Regrade requests as staff see them: the list of all, the answer, and points that are changed by hand.

use super::submission::letter;
use super::words::reason;
use super::{Frame, page};
use crate::app::App;
use crate::courses;
use crate::people::Role;
use crate::queue::by_hand;
use crate::requests::{self, Request};
use crate::submissions::adjust::{self, adjust};
use crate::web::{Access, Answer, Refusal, Route, Visitor, at_least, route};
use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::Method;
use axum::response::{IntoResponse, Redirect, Response};
use harness::diagnostic::Problem;
use serde::Deserialize;
use std::collections::HashMap;

pub(super) fn routes() -> Vec<Route> {
    let (post, of_staff) = (Method::POST, Access::SubmissionAs);
    let one = "/submissions/{submission}/requests/{request}/withdraw";
    let answered = "/submissions/{submission}/requests/{request}/answer";
    vec![
        at_least(Role::Grader, Method::GET, "/requests", all),
        route(post.clone(), one, Access::Submission, withdraw),
        route(post.clone(), answered, of_staff(Role::Grader), answer),
        route(post, "/submissions/{submission}/points", of_staff(Role::Staff), points),
    ]
}

/// The states of a request.
const STATES: [&str; 3] = ["open", "answered", "withdrawn"];

#[derive(Template)]
#[template(path = "requests.html")]
struct All {
    frame: Frame,
    state: String,
    /// Each with the title of its place, and when it was made.
    requests: Vec<(Request, String, String)>,
}

#[derive(Deserialize)]
struct Filter {
    #[serde(default)]
    state: String,
}

async fn all(State(app): State<App>, visitor: Visitor, Query(filter): Query<Filter>) -> Answer {
    let state = STATES.into_iter().find(|it| *it == filter.state).unwrap_or(STATES[0]);
    let (course, rules) = (super::course(&app).await?, app.rules().await?);
    let viewer = visitor.person().clone();
    let found = app.database.read(move |connection| requests::list(connection, &viewer, state));
    let shown = |it: Request| {
        let (title, at) = (requests::title(&it.place), rules.time_zone.shown(it.at));
        (it, title, at)
    };
    Ok(page(&All {
        frame: Frame::new("Requests", &course, &visitor),
        state: state.to_owned(),
        requests: found.await?.into_iter().map(shown).collect(),
    })
    .into_response())
}

fn number(path: &HashMap<String, String>) -> Result<i64, Refusal> {
    path.get("request").and_then(|id| id.parse().ok()).ok_or(Refusal::NotFound)
}

/// The request is not open any more.
fn over() -> Refusal {
    let problem = Problem::new("this request is not open any more");
    Refusal::Wrong(problem.hint("it was answered or taken back; load the page again"))
}

fn back(submission: i64, request: i64) -> Response {
    Redirect::to(&format!("/submissions/{submission}#request-{request}")).into_response()
}

async fn withdraw(
    State(app): State<App>,
    visitor: Visitor,
    Path(path): Path<HashMap<String, String>>,
) -> Answer {
    let (submission, student) = (visitor.submission().clone(), visitor.student().clone());
    if visitor.person().id != student.id {
        let problem = Problem::new("only its student takes a request back");
        return Err(Refusal::Wrong(problem.hint("answer it instead")));
    }
    let (id, of) = (number(&path)?, submission.id);
    let done = app
        .database
        .write(move |connection| requests::withdraw(connection, &submission, &student, id));
    if done.await? { Ok(back(of, id)) } else { Err(over()) }
}

#[derive(Deserialize)]
struct Sent {
    #[serde(default)]
    answer: String,
    /// The points that are added by hand. Empty: as before.
    #[serde(default)]
    points: String,
    /// Whether it is graded once more.
    again: Option<String>,
}

/// Points such as `2.5` or `-1`, in hundredths.
fn hundredths(text: &str) -> Result<i64, Refusal> {
    let points: Option<f64> = text.trim().replace('−', "-").parse().ok();
    let points = points.filter(|points| points.abs() <= adjust::MOST);
    let wrong = || {
        let problem = Problem::new("these are no points");
        Refusal::Wrong(problem.hint("write a number such as 2.5 or -1"))
    };
    points.map(|points| (points * 100.0).round() as i64).ok_or_else(wrong)
}

async fn answer(
    State(app): State<App>,
    visitor: Visitor,
    Path(path): Path<HashMap<String, String>>,
    Form(sent): Form<Sent>,
) -> Answer {
    let (submission, student) = (visitor.submission().clone(), visitor.student().clone());
    let (text, id, by) = (letter(&sent.answer)?, number(&path)?, visitor.person().id);
    let changed = Some(sent.points.trim()).filter(|it| !it.is_empty());
    let (changed, again) = (changed.map(hundredths).transpose()?, sent.again.is_some());
    if (changed.is_some() || again) && !visitor.is(Role::Staff) {
        let problem = Problem::new("graders answer, and change no points");
        return Err(Refusal::Wrong(problem.hint("ask somebody of the staff to change them")));
    }
    let of = submission.id;
    let done = app.database.write(move |connection| {
        if !requests::answer(connection, &submission, &student, id, &text, by)? {
            return Ok(false);
        }
        let why: String = text.chars().take(500).collect();
        if let Some(changed) = changed {
            adjust(connection, &submission, &student, changed, &why, by)?;
        }
        if again && let Some(course) = courses::in_force(connection)? {
            by_hand::rerun(connection, &submission, &student, &course, &why, by)?;
        }
        Ok(true)
    });
    if !done.await? {
        return Err(over());
    }
    app.changed.notify_waiters();
    Ok(back(of, id))
}

#[derive(Deserialize)]
struct Changed {
    #[serde(default)]
    points: String,
    #[serde(default)]
    reason: String,
}

async fn points(State(app): State<App>, visitor: Visitor, Form(sent): Form<Changed>) -> Answer {
    let (submission, student) = (visitor.submission().clone(), visitor.student().clone());
    let (why, by, of) = (reason(&sent.reason)?, visitor.person().id, submission.id);
    let changed = hundredths(&sent.points)?;
    app.database
        .write(move |connection| adjust(connection, &submission, &student, changed, &why, by))
        .await?;
    Ok(Redirect::to(&format!("/submissions/{of}")).into_response())
}
