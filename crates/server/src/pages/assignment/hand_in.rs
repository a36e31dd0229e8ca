//! Handing in, and the check before it. Both read the same form. What the checks refuse is not stored, and costs nothing.

use super::{Open, content, offer};
use crate::app::App;
use crate::feedback::graded;
use crate::submissions::hand_in::{HandIn, Taken, take};
use crate::submissions::overview::Phase;
use crate::web::form::Sent;
use crate::web::upload::Checked;
use crate::web::{Accepts, Answer, Refusal, Route, Visitor, signed_in};
use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Redirect};
use harness::course::Audience;
use harness::diagnostic::Problem;
use harness::report::html::graded::{About, Progress, section};
use serde_json::json;

pub(super) fn routes() -> Vec<Route> {
    vec![
        signed_in(Method::POST, "/assignments/{assignment}/submissions", submit).with_token(),
        signed_in(Method::POST, "/assignments/{assignment}/check", check).with_token(),
    ]
}

/// Reads and checks what was sent. Gives also its key.
async fn receive(
    app: &App,
    visitor: &Visitor,
    open: &Open,
    request: Request,
) -> Result<(Checked, Result<String, Refusal>), Refusal> {
    let assignment = open.assignment();
    let rules = assignment.submission.as_ref().expect("it can be handed in");
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|value| value.to_str().ok()?.parse().ok());
    let place = app.room.take(visitor.person().id, length, rules).await?;
    let sent = Sent::read(request, &place, rules).await?;
    let key = sent.key();
    Ok((app.room.check(sent, visitor.person(), assignment).await?, key))
}

/// An upload whose files are read and checked.
struct Received {
    open: Open,
    checked: Checked,
    key: Result<String, Refusal>,
    /// What the checks say, as a part of the page.
    html: String,
}

impl Received {
    async fn of(
        app: &App,
        visitor: &Visitor,
        id: &str,
        request: Request,
        purpose: Purpose,
    ) -> Result<Self, Refusal> {
        let open = Open::find(app, visitor, id).await?;
        let (checked, key) = receive(app, visitor, &open, request).await?;
        let html = messages(&open, &checked, purpose);
        Ok(Self { open, checked, key, html })
    }

    /// The answer that says what the checks found.
    async fn answer(self, app: &App, visitor: &Visitor, accepts: Accepts) -> Answer {
        if accepts.json {
            return Ok(Json(self.verdict()?).into_response());
        }
        let page = content(app, visitor, self.open, None, Some(self.html)).await?;
        Ok(super::page(&page).into_response())
    }

    /// What a script or client reads of the checks.
    fn verdict(&self) -> Result<serde_json::Value, Refusal> {
        let Self { open, checked, .. } = self;
        let report = open.version.cut(&open.id, &checked.report, Audience::Normal)?;
        let title = &open.assignment().title;
        let graded = graded(&open.version, &open.id, title, Vec::new(), report);
        let text = crate::feedback::text(&graded, open.assignment(), crate::feedback::plain())?;
        let refused = checked.report.refused;
        Ok(json!({ "refused": refused, "html": self.html, "graded": graded, "text": text }))
    }
}

/// For what files were sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Check,
    HandIn,
}

async fn check(
    State(app): State<App>,
    visitor: Visitor,
    accepts: Accepts,
    Path(id): Path<String>,
    request: Request,
) -> Answer {
    let received = Received::of(&app, &visitor, &id, request, Purpose::Check).await?;
    received.answer(&app, &visitor, accepts).await
}

async fn submit(
    State(app): State<App>,
    visitor: Visitor,
    accepts: Accepts,
    Path(id): Path<String>,
    request: Request,
) -> Answer {
    let received = Received::of(&app, &visitor, &id, request, Purpose::HandIn).await?;
    if received.checked.report.refused {
        let answer = received.answer(&app, &visitor, accepts).await?;
        return Ok((StatusCode::UNPROCESSABLE_ENTITY, answer).into_response());
    }
    let Received { open, checked, key, .. } = received;
    let hand_in = HandIn {
        student: visitor.person().clone(),
        assignment: id.clone(),
        course: open.version.digest.clone(),
        archive: checked.archive,
        file_name: checked.file_name,
        request: key?,
    };
    let rules = open.rules.clone();
    let taken = app.database.write(move |connection| take(connection, &rules, &hand_in)).await?;
    let problem = match taken {
        Taken::Yes { submission } | Taken::Before { submission } => {
            app.changed.notify_waiters();
            let url = format!("/submissions/{submission}");
            if accepts.json {
                let is_new = matches!(taken, Taken::Yes { .. });
                let body = json!({ "submission": submission, "url": url, "is_new": is_new });
                return Ok((StatusCode::CREATED, Json(body)).into_response());
            }
            return Ok(Redirect::to(&url).into_response());
        }
        refused => why(&open, &refused),
    };
    if accepts.json {
        return Err(Refusal::Wrong(problem));
    }
    let page = content(&app, &visitor, open, Some(problem), None).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, super::page(&page)).into_response())
}

/// Why it is not taken.
fn why(open: &Open, refused: &Taken) -> Problem {
    let zone = &open.rules.time_zone;
    match refused {
        Taken::Full { day } => {
            let message = format!("no submission is left for today, of {}", day.limit);
            let wait = offer::until_tomorrow(&open.overview);
            let ends = zone.shown(day.ends);
            Problem::new(message).hint(format!("the next day begins in {wait}: {ends}"))
        }
        Taken::Waiting => Problem::new("an earlier one past the limit is still being graded")
            .hint("hand in when it is done"),
        Taken::NotYet { opens } => Problem::new("the assignment is not open yet")
            .hint(format!("it opens on {}", zone.shown(*opens))),
        Taken::Closed { since } => {
            Problem::new(format!("the assignment is closed since {}", zone.shown(*since)))
                .hint("ask the staff if you have a reason to be late")
        }
        Taken::Yes { .. } | Taken::Before { .. } => Problem::new("it is taken"),
    }
}

/// What the checks say, as a part of the page.
fn messages(open: &Open, checked: &Checked, purpose: Purpose) -> String {
    let mut report = checked.report.clone();
    let title = &open.assignment().title;
    "The check of your files".clone_into(&mut report.name);
    let note = match (report.refused, purpose) {
        (true, Purpose::Check) => {
            "These files would be refused. Nothing was handed in, so it cost nothing. Mend what the messages say, and check \
             again."
        }
        (true, Purpose::HandIn) => {
            "Refused, which cost no attempt: nothing was handed in. Mend what the messages say, and hand in again."
        }
        (false, _) if open.overview.phase == Phase::Late => "These files would be taken, late.",
        (false, _) => "These files would be taken.",
    };
    let note = Some(note);
    let about = About { title, id: "check", mutants: &[], progress: Progress::Checked, note };
    section(&report, None, &about)
}
