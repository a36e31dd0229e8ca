//! Regrade requests on the page of a submission: the form of the student, and each request at its place in the report, with its answer.

use super::{Asked as Query, Now, by_hand};
use crate::app::App;
use crate::feedback::{Phase, Seen};
use crate::pages::words::counted;
use crate::people::Role;
use crate::requests::{self, Asked, Place, Request, places};
use crate::web::{Answer, Refusal, Visitor};
use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect};
use harness::diagnostic::Problem;
use serde::Deserialize;

/// The form with which a student asks.
pub(super) struct Ask {
    /// The names of the places, and what people call them.
    pub(super) places: Vec<(String, String)>,
    /// Until when, and how many more.
    pub(super) limits: String,
}

impl Ask {
    /// None if the reader cannot ask now.
    pub(super) fn of(now: &Now, seen: Option<&Seen>) -> Option<Self> {
        let limits = now.rules.requests;
        may_ask(now).ok()?;
        let of_each = |it: Place| (it.name.clone(), requests::title(&it.name));
        let until = until(now)
            .map(|until| format!("Until {}, you can ask", now.rules.time_zone.shown(until)));
        let until = until.unwrap_or_else(|| "You can ask".to_owned());
        let open = counted(limits.open.0, "request");
        let limits = format!(
            "{until} about each place of the report. {open} of yours may be open at the same time, and \
             you have {} for each assignment.",
            limits.each.0
        );
        Some(Self { places: all_places(seen?).map(of_each).collect(), limits })
    }
}

/// The places of the report, and the parts that people graded.
fn all_places(seen: &Seen) -> impl Iterator<Item = Place> {
    places(&seen.report, "0").into_iter().chain(by_hand::places(&seen.by_hand))
}

/// Until when the reader may ask about the result that stands.
fn until(now: &Now) -> Option<crate::rules::Moment> {
    let applied = crate::rules::Moment(now.glance.standing()?.applied?);
    let scores = now.overview.rules.scores(&now.rules.time_zone);
    now.rules.requests.until(scores.map_or(applied, |scores| scores.max(applied)))
}

/// Whether the reader may ask, or why not.
fn may_ask(now: &Now) -> Result<(), Problem> {
    let is_own = now.visitor.person().id == now.student.id && now.student.role == Role::Student;
    let wrong = |message: &str, hint: &str| Err(Problem::new(message).hint(hint));
    match () {
        () if !is_own => {
            wrong("only its student asks about a report", "answer on the page of the report")
        }
        () if now.rules.requests.open.0 == 0 => {
            wrong("this course takes no requests here", "speak to the staff")
        }
        () if now.glance.phase() != Phase::Done || now.reader.withheld_until.is_some() => {
            wrong("there are no points to ask about yet", "ask when the report shows them")
        }
        () if until(now).is_some_and(|until| now.overview.now > until) => {
            wrong("it is too late to ask about this report", "speak to the staff")
        }
        () => Ok(()),
    }
}

#[derive(Deserialize)]
pub(super) struct Sent {
    #[serde(default)]
    place: String,
    #[serde(default)]
    text: String,
}

pub(super) async fn open(
    State(app): State<App>,
    visitor: Visitor,
    Form(sent): Form<Sent>,
) -> Answer {
    let now = Now::of(&app, &visitor, &Query::default()).await?;
    may_ask(&now).map_err(Refusal::Wrong)?;
    let wrong = |message: &str, hint: &str| Refusal::Wrong(Problem::new(message).hint(hint));
    let text = letter(&sent.text)?;
    let seen = now.seen().await?;
    let known = seen.is_some_and(|seen| all_places(&seen).any(|place| place.name == sent.place));
    if !known {
        return Err(wrong("the report has no such place", "choose one of the list"));
    }
    let (limits, place) = (now.rules.requests, sent.place);
    let (submission, student) = (now.submission.clone(), now.student.clone());
    let id = submission.id;
    let asked = app.database.write(move |connection| {
        requests::open(connection, limits, &submission, &student, &place, &text)
    });
    match asked.await? {
        Asked::Yes | Asked::Before => {
            Ok(Redirect::to(&format!("/submissions/{id}#requests")).into_response())
        }
        Asked::TooManyOpen(most) => Err(wrong(
            &format!("{} of yours are open already", counted(most, "request")),
            "wait for an answer, or take one back",
        )),
        Asked::TooMany(most) => Err(wrong(
            &format!("you made {} for this assignment already", counted(most, "request")),
            "speak to the staff",
        )),
    }
}

/// What somebody wrote, which must be there.
pub(in crate::pages) fn letter(text: &str) -> Result<String, Refusal> {
    let text = text.trim().replace("\r\n", "\n");
    if text.is_empty() {
        let problem = Problem::new("nothing is written");
        return Err(Refusal::Wrong(problem.hint("write a few sentences")));
    }
    Ok(text.chars().take(requests::LONGEST).collect())
}

/// A request at its place.
#[derive(Template)]
#[template(path = "request.html")]
struct Note<'a> {
    it: &'a Request,
    title: String,
    at: String,
    answered: String,
    /// Whether the reader may take it back, answer it, and also change points.
    is_own: bool,
    answers: bool,
    changes: bool,
    adjusted: String,
    form: String,
}

/// The section of the report, with each request at its place.
pub(super) fn with_requests(now: &Now, seen: &Seen, section: String) -> String {
    let zone = &now.rules.time_zone;
    let (viewer, as_staff) = (&now.visitor, now.as_staff());
    let all: Vec<_> = all_places(seen).collect();
    let mut notes = Vec::new();
    for it in &now.requests {
        let place = all.iter().find(|place| place.name == it.place);
        let anchor = place.map_or("a0", |place| &place.anchor);
        let note = Note {
            it,
            title: requests::title(&it.place),
            at: zone.shown(it.at),
            answered: it.answered.map(|at| zone.shown(at)).unwrap_or_default(),
            is_own: viewer.person().id == now.student.id,
            answers: as_staff,
            changes: as_staff && viewer.is(Role::Staff),
            adjusted: crate::pages::words::points(now.submission.adjusted as f64 / 100.0),
            form: viewer.form(),
        };
        notes.push((anchor, note.render().expect("a template writes to memory")));
    }
    notes.iter().rev().fold(section, |section, (anchor, note)| inserted(&section, anchor, note))
}

/// A section with a note behind the heading of one of its places: the element with this id.
fn inserted(section: &str, anchor: &str, note: &str) -> String {
    let after =
        |start: usize, end: &str| section[start..].find(end).map(|at| start + at + end.len());
    let place = section.find(&format!("id=\"{anchor}\"")).and_then(|id| {
        let element = &section[section[..id].rfind('<')?..];
        match element {
            it if it.starts_with("<details") => after(id, "</summary>"),
            it if it.starts_with("<li") => after(id, "</li>").map(|end| end - "</li>".len()),
            // The sentence behind the title belongs to it.
            it if it.starts_with("<h1") => after(id, "</p>"),
            _ => after(id, "</h2>"),
        }
    });
    let (before, behind) = section.split_at(place.unwrap_or(section.len()));
    format!("{before}{note}{behind}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_behind_the_heading_of_its_place() {
        let section = "<h1 id=\"a0\">One</h1><p>Lead</p><h2 id=\"a0-build\">Build</h2>\
            <details class=\"case\" id=\"a0-g0-c1\"><summary>Case</summary></details>\
            <ul><li id=\"a0-g0-c2\">Other</li></ul>";
        for (anchor, expected) in [
            ("a0", "<p>Lead</p>NOTE<h2"),
            ("a0-build", "Build</h2>NOTE<details"),
            ("a0-g0-c1", "</summary>NOTE</details>"),
            ("a0-g0-c2", "OtherNOTE</li>"),
            ("a0-none", "</ul>NOTE"),
        ] {
            let html = inserted(section, anchor, "NOTE");
            assert!(html.contains(expected), "{anchor}: {html}");
        }
    }
}
