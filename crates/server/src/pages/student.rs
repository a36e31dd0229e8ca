//! A student's whole history, for staff and graders.

use super::exceptions::{Form, Shown};
use super::words::{costs, counted, points, student_page};
use super::{Frame, page};
use crate::app::App;
use crate::courses::{Version, short};
use crate::database::{Connection, Result};
use crate::people::{Person, Role};
use crate::rules::lengths::whole;
use crate::rules::{Counts, Dates, Moment, Price, Rules};
use crate::submissions::day::{Day, dates};
use crate::submissions::group::Group;
use crate::submissions::history::{self, Attempt, Hint};
use crate::submissions::{exceptions, standing};
use crate::web::{Access, Answer, Route, Visitor, route};
use askama::Template;
use axum::extract::State;
use axum::http::Method;
use axum::response::IntoResponse;

pub(super) fn routes() -> Vec<Route> {
    vec![route(Method::GET, "/students/{student}", Access::StudentAs(Role::Grader), student)]
}

#[derive(Template)]
#[template(path = "student.html")]
struct Student {
    frame: Frame,
    student: Person,
    address: String,
    extra: String,
    last_seen: Option<String>,
    browsers: i64,
    /// The late days that are left, and of how many, if the course has some.
    late_days: Option<(i64, i64)>,
    assignments: Vec<Assignment>,
    exceptions: Vec<Shown>,
    form: Form,
    hints: Vec<Hint>,
    notes: Vec<Note>,
    is_staff: bool,
}

/// What a student did for an assignment.
struct Assignment {
    id: String,
    title: String,
    /// The points that count, of how many.
    points: Option<(String, String)>,
    /// The points before what lateness costs, if it costs something.
    before: Option<String>,
    counts: &'static str,
    is_chosen: bool,
    day: Day,
    due: Option<String>,
    closes: Option<String>,
    /// The pages and names of the others of the group.
    group: Vec<(String, String)>,
    rows: Vec<Row>,
}

/// A submission.
struct Row {
    id: i64,
    at: String,
    /// What it was on its day, such as `2nd of the day`.
    kind: String,
    result: String,
    exposed: Option<i64>,
    version: String,
    is_counting: bool,
    uses_attempt: bool,
}

/// An entry of the audit log.
struct Note {
    at: String,
    by: String,
    action: String,
    object: String,
    reason: String,
    change: String,
}

/// How the student stands with an assignment.
struct Stands {
    group: Group,
    /// The submission that counts.
    counting: Option<standing::Standing>,
    counts: Counts,
    is_chosen: bool,
    day: Day,
    dates: Dates,
}

/// What the database knows.
struct Known {
    attempts: Vec<Attempt>,
    /// By assignment.
    standings: Vec<Stands>,
    seen: (Option<Moment>, i64),
    exceptions: Vec<exceptions::Exception>,
    hints: Vec<Hint>,
    audit: Vec<history::Noted>,
}

async fn student(State(app): State<App>, visitor: Visitor) -> Answer {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    let ids: Vec<_> = version.assignments().map(|it| it.id.clone()).collect();
    let (student, for_query) = (visitor.student().clone(), rules.clone());
    let known =
        app.database.read(move |connection| read(connection, &for_query, &student, &ids)).await?;
    let student = visitor.student().clone();
    let zone = &rules.time_zone;
    Ok(page(&Student {
        frame: Frame::new(&student.name, &version.course.title, &visitor),
        address: student_page(&student.login),
        extra: whole(student.extra_minutes),
        last_seen: known.seen.0.map(|moment| zone.shown(moment)),
        browsers: known.seen.1,
        late_days: known
            .standings
            .first()
            .map(|it| &it.dates.budget)
            .and_then(|budget| (budget.total > 0).then(|| (budget.left(), budget.total))),
        assignments: assignments(&version, &rules, &student, &known),
        exceptions: known.exceptions.iter().map(|it| Shown::of(it, &rules)).collect(),
        form: Form::new(&version, &student_page(&student.login)),
        notes: known.audit.iter().map(|it| note(it, &rules)).collect(),
        hints: known.hints,
        is_staff: visitor.is(Role::Staff),
        student,
    })
    .into_response())
}

fn read(
    connection: &mut Connection<'_>,
    rules: &Rules,
    student: &Person,
    assignments: &[String],
) -> Result<Known> {
    let now = Moment(connection.now()?);
    let mut standings = Vec::new();
    for id in assignments {
        let group = Group::of(connection, id, student)?;
        let all = standing::all(connection, rules, group.keeper, id)?;
        let counts = standing::choice(connection, rules, group.keeper, id)?;
        standings.push(Stands {
            counting: standing::counting(&all, counts).cloned(),
            counts,
            is_chosen: counts != rules.of(id).counts,
            day: Day::of(connection, rules, &group, id, now)?,
            dates: dates(connection, rules, &group, id)?,
            group,
        });
    }
    let groups: Vec<_> = assignments.iter().zip(standings.iter().map(|it| &it.group)).collect();
    let audit = history::audit(connection, student, &groups)?;
    Ok(Known {
        attempts: history::attempts(connection, student.id)?,
        standings,
        seen: history::sessions(connection, student.id)?,
        exceptions: exceptions::of(connection, Some(student))?,
        hints: history::hints(connection, student.id)?,
        audit,
    })
}

fn assignments(
    version: &Version,
    rules: &Rules,
    student: &Person,
    known: &Known,
) -> Vec<Assignment> {
    let zone = &rules.time_zone;
    let one = |(assignment, it): (&harness::course::Assignment, &Stands)| {
        let Stands { group, counting, counts, is_chosen, day, dates } = it;
        let attempts = known.attempts.iter().filter(|it| it.submission.assignment == assignment.id);
        let counting_id = counting.as_ref().map(|it| it.submission);
        Assignment {
            id: assignment.id.clone(),
            title: assignment.title.clone(),
            points: counting.as_ref().map(|it| (points(it.points), points(it.max))),
            before: counting
                .as_ref()
                .filter(|it| it.points < it.earned)
                .map(|it| points(it.earned)),
            counts: counts.word(),
            is_chosen: *is_chosen,
            day: day.clone(),
            due: dates.due.map(|due| zone.shown(due)),
            closes: dates.closes.filter(|it| Some(*it) != dates.due).map(|it| zone.shown(it)),
            group: group
                .others(student.id)
                .into_iter()
                .map(|it| (student_page(&it.login), it.name.clone()))
                .collect(),
            rows: attempts.map(|attempt| row(attempt, rules, counting_id, group)).collect(),
        }
    };
    version.assignments().zip(&known.standings).map(one).collect()
}

fn row(attempt: &Attempt, rules: &Rules, counting: Option<i64>, group: &Group) -> Row {
    let it = &attempt.submission;
    let mut kind = match it.slot {
        Some(slot) => format!("attempt {slot} of the day"),
        None if it.past_limit => "past the limit".to_owned(),
        None => "used no attempt".to_owned(),
    };
    if it.person != group.keeper {
        kind = format!("{kind}, alone: does not count in the group");
    }
    if it.late.days > 0 {
        kind = format!("{kind}, {} late", counted(it.late.days, "day"));
        kind = match it.late.covered {
            0 => kind,
            covered => format!("{kind} ({covered} of the budget)"),
        };
        kind = match rules.of(&it.assignment).late.value.price(it.late) {
            Price::Nothing => kind,
            price => format!("{kind}, which {}", costs(price)),
        };
    }
    let result = match (&attempt.result, attempt.state.as_str()) {
        (_, "queued") => "waits".to_owned(),
        (_, "running") => "is being graded".to_owned(),
        (Some(result), _) if result.refused => "refused".to_owned(),
        (Some(result), _) => format!("{} of {}", points(result.points), points(result.max)),
        (None, _) => {
            let reason = attempt.reason.as_deref().unwrap_or("it was not graded");
            format!("failed: {reason}")
        }
    };
    Row {
        id: it.id,
        at: rules.time_zone.shown(it.at),
        kind,
        result,
        exposed: attempt.result.as_ref().and_then(|result| result.exposed),
        version: attempt.result.as_ref().map_or("", |it| short(&it.course)).to_owned(),
        is_counting: counting == Some(it.id),
        uses_attempt: it.slot.is_some(),
    }
}

fn note(it: &history::Noted, rules: &Rules) -> Note {
    let change = match (it.before.as_str(), it.after.as_str()) {
        ("null", "null") => String::new(),
        ("null", after) => after.to_owned(),
        (before, after) => format!("{before} → {after}"),
    };
    Note {
        at: rules.time_zone.shown(it.at),
        by: it.by.clone().unwrap_or_else(|| "the command line".to_owned()),
        action: it.action.clone(),
        object: it.object.clone(),
        reason: it.reason.clone(),
        change,
    }
}
