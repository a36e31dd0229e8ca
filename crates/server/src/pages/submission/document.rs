//! A submission as JSON, for `harness submit` and other clients.

use super::Now;
use crate::feedback::{self, Phase};
use crate::hand::Released;
use crate::rules::Moment;
use crate::web::Answer;
use axum::Json;
use axum::response::IntoResponse;
use harness::result::graded::Graded;
use serde::Serialize;
use std::fmt::Write;

/// A submission, as clients read it.
#[derive(Serialize)]
struct Document {
    submission: i64,
    assignment: String,
    at: String,
    /// `waiting`, `running`, `done` or `failed`.
    state: &'static str,
    /// How far it is, in a sentence.
    status: String,
    /// What else a person should know.
    notes: Vec<String>,
    refused: bool,
    late_days: i64,
    past_limit: bool,
    /// When points are shown, if they are not yet.
    points_from: Option<String>,
    /// Points after what lateness costs, if they are shown.
    points: Option<f64>,
    /// The bugs that the tests expose, if the reader may know.
    exposed: Option<u32>,
    /// What people gave, as far as it is released.
    by_hand: Option<Released>,
    /// The result, as `grade --format json` writes it.
    graded: Option<Graded>,
    /// The same for a person, if the request asks for text.
    text: Option<String>,
}

/// What people wrote, for a terminal.
fn in_lines(released: &Released) -> Vec<String> {
    let to_part = released.grades.iter().filter(|it| !it.comment.is_empty());
    let to_part = to_part.map(|it| format!("{}: {}", it.part, it.comment));
    let to_line = released.comments.iter();
    let to_line = to_line.map(|it| format!("{}, line {}: {}", it.file, it.line, it.text));
    to_part.chain(to_line).collect()
}

pub(super) async fn answer(now: &Now) -> Answer {
    let seen = now.seen().await?;
    let words = super::Words::of(now, seen.as_ref());
    let phase = now.glance.phase();
    let submission = &now.submission;
    let exposed = seen.as_ref().and_then(|seen| seen.report.tests.as_ref());
    let exposed = exposed.and_then(|tests| tests.score.as_ref()).map(|score| score.exposed);
    let mut refused = false;
    let mut points = None;
    let (mut graded, mut text, mut by_hand) = (None, None, None);
    let withheld = now.reader.withheld_until;
    let mut note = words.note;
    if let Some(seen) = seen.filter(|_| phase == Phase::Done) {
        refused = seen.report.refused;
        let standing = now.overview.all.iter().find(|it| it.submission == submission.id);
        let earned = seen.report.points.earned;
        points = Some(standing.map_or(earned, |it| it.points));
        by_hand = Some(seen.by_hand.clone()).filter(|it| !it.grades.is_empty());
        let version = seen.version.clone();
        let mut whole = seen.graded(&submission.assignment)?;
        whole.points_from = withheld.map(Moment::rfc3339);
        let screen = feedback::screen(now.asked.columns, now.asked.colored.unwrap_or_default());
        if now.asked.text.unwrap_or_default()
            && let Some(assignment) = version.assignment(&submission.assignment)
        {
            let mut lines = feedback::text(&whole, assignment, screen)?;
            if let Some(note) = note.take_if(|_| !refused) {
                let _ = writeln!(lines, "\n{note}");
            }
            text = Some(lines);
        }
        graded = Some(whole);
    }
    let notes = words.facts.into_iter().map(|(_, fact)| fact);
    let by_people = by_hand.iter().flat_map(in_lines);
    let document = Document {
        submission: submission.id,
        assignment: submission.assignment.clone(),
        at: submission.at.rfc3339(),
        state: match phase {
            Phase::Waiting => "waiting",
            Phase::Running => "running",
            Phase::Done => "done",
            Phase::Failed => "failed",
        },
        status: words.status,
        notes: notes.chain(words.failure).chain(note).chain(words.bugs).chain(by_people).collect(),
        refused,
        late_days: submission.late.days,
        past_limit: submission.past_limit,
        points_from: withheld.map(Moment::rfc3339),
        points: points.filter(|_| withheld.is_none()),
        exposed,
        by_hand,
        graded,
        text,
    };
    Ok(Json(document).into_response())
}
