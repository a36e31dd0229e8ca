//! The first page: the assignments, and how the student stands with each.

use super::words::{from_now, points};
use super::{Frame, page};
use crate::app::App;
use crate::people::{Person, Role};
use crate::rules::Zone;
use crate::submissions::group::invitation;
use crate::submissions::overview::{Overview, Phase};
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
    is_student: bool,
    cards: Vec<Card>,
}

/// An assignment, as its card shows it.
struct Card {
    id: String,
    title: String,
    phase: Phase,
    /// When it is due or closes or opens, with how far that is.
    dates: Vec<(&'static str, String, String)>,
    left: i64,
    limit: i64,
    day_ends: String,
    /// The points of the one that counts.
    points: Option<Earned>,
    /// When points are shown.
    withheld_until: Option<String>,
    has_submissions: bool,
    /// The names of those who invited the student to hand in together.
    invited_by: Vec<String>,
}

struct Earned {
    earned: String,
    max: String,
    percent: f64,
}

async fn home(State(app): State<App>, visitor: Visitor) -> Answer {
    let version = app.courses.in_force(&app.database).await?;
    let rules = app.rules().await?;
    let assignments: Vec<_> =
        version.assignments().map(|it| (it.id.clone(), it.title.clone())).collect();
    let person = visitor.person().clone();
    let cards = app.database.read(move |connection| {
        let mut cards = Vec::new();
        for (id, title) in &assignments {
            let overview = Overview::of(connection, &rules, &person, id)?;
            if may_see(&person, &overview) {
                let mut card = card(id, title, &overview, &rules.time_zone);
                if overview.rules.groups.is_some() {
                    let all = invitation::acceptable(connection, &rules, id, &person)?;
                    card.invited_by = all.into_iter().map(|it| it.inviter.name).collect();
                }
                cards.push(card);
            }
        }
        Ok(cards)
    });
    let cards = cards.await?;
    let is_student = visitor.person().role == Role::Student;
    let frame = Frame::new("Assignments", &version.course.title, &visitor);
    Ok(page(&Home { frame, is_student, cards }).into_response())
}

/// Whether a person sees an assignment: students do not before it opens.
pub(super) fn may_see(person: &Person, overview: &Overview) -> bool {
    overview.phase != Phase::NotYet || person.role != Role::Student
}

fn card(id: &str, title: &str, overview: &Overview, zone: &Zone) -> Card {
    let now = overview.now;
    let date = |word, moment| (word, zone.shown(moment), from_now(now, moment));
    let mut dates = Vec::new();
    if let Some(opens) = overview.dates.opens.filter(|_| overview.phase == Phase::NotYet) {
        dates.push(date("Opens", opens));
    }
    dates.extend(overview.dates.due.map(|due| date("Due", due)));
    let end = overview.dates.closes.filter(|it| Some(*it) != overview.dates.due);
    dates.extend(end.map(|end| date(if now < end { "Late until" } else { "Closed" }, end)));
    let counting = overview.counting.as_ref().filter(|_| overview.withheld_until.is_none());
    Card {
        id: id.to_owned(),
        title: title.to_owned(),
        phase: overview.phase,
        dates,
        left: overview.day.left(),
        limit: overview.day.limit,
        day_ends: format!(
            "{}, {}",
            zone.shown(overview.day.ends),
            from_now(now, overview.day.ends)
        ),
        points: counting.map(|it| Earned {
            earned: points(it.points),
            max: points(it.max),
            percent: if it.max > 0.0 {
                (it.points / it.max * 100.0).clamp(0.0, 100.0)
            } else {
                0.0
            },
        }),
        withheld_until: overview.withheld_until.map(|it| zone.shown(it)),
        has_submissions: !overview.all.is_empty(),
        invited_by: Vec::new(),
    }
}
