//! The page of a class: the submissions that count, as `harness grade CLASS --out` shows them.

use super::{Frame, page};
use crate::app::App;
use crate::courses::short;
use crate::database::{Connection, Result};
use crate::hand;
use crate::people::{Person, Role};
use crate::rules::{Moment, Rules};
use crate::submissions::adjust;
use crate::submissions::class::{self, Counting};
use crate::submissions::group::{self, Group};
use crate::web::{Answer, Refusal, Route, Visitor, at_least};
use askama::Template;
use axum::extract::{Path, State};
use axum::http::Method;
use axum::response::IntoResponse;
use harness::report::html::submissions;
use harness::result::graded::{Graded, SCHEMA, SubmissionReport};
use std::collections::BTreeMap;

pub(super) fn routes() -> Vec<Route> {
    vec![at_least(Role::Grader, Method::GET, "/assignments/{assignment}/class", show)]
}

/// A student of a class.
pub(super) struct OfClass {
    pub(super) student: Person,
    /// The logins of the student's group, if there is one.
    pub(super) group: Option<String>,
    pub(super) counting: Option<Counting>,
    /// The report of the submission that counts, without inputs and outputs.
    pub(super) report: Option<SubmissionReport>,
}

/// The class whom `viewer` may see.
pub(super) fn read(
    connection: &mut Connection<'_>,
    rules: &Rules,
    viewer: &Person,
    assignment: &str,
) -> Result<Vec<OfClass>> {
    let students = class::students(connection, viewer)?;
    let ids: Vec<_> = students.iter().map(|it| it.id).collect();
    let groups = group::all(connection, assignment)?;
    let of_group = |it: &Group| {
        let logins = it.logins();
        it.ids().into_iter().map(move |id| (id, logins.clone())).collect::<Vec<_>>()
    };
    let mut groups: BTreeMap<i64, String> = groups.values().flat_map(of_group).collect();
    let mut counting = class::counting(connection, rules, assignment, Some(&ids))?;
    let jobs: Vec<_> =
        students.iter().filter_map(|it| Some(counting.get(&it.id)?.standing.job)).collect();
    let reports = class::reports(connection, &jobs)?;
    let by_hand = hand::of_class(connection, assignment)?;
    let of_class = |student: Person| {
        let counting = counting.remove(&student.id);
        let report = counting.as_ref().and_then(|it| reports.get(&it.standing.job).cloned());
        let login = student.login.clone();
        let mut report = report.map(|report| SubmissionReport { name: login, ..report });
        if let (Some(report), Some(counting)) = (&mut report, &counting) {
            if let Some(grades) = by_hand.get(&counting.standing.submission) {
                hand::in_report(report, grades);
            }
            adjust::in_report(report, counting.standing.adjusted);
        }
        OfClass { group: groups.remove(&student.id), student, counting, report }
    };
    Ok(students.into_iter().map(of_class).collect())
}

#[derive(Template)]
#[template(path = "class.html")]
struct Class {
    frame: Frame,
    id: String,
    /// The section that `harness` makes, which escapes all that students wrote.
    section: String,
    version: String,
    /// What students see.
    seen: String,
    missing: Vec<(String, String)>,
    report_script: String,
    is_staff: bool,
    is_by_hand: bool,
}

async fn show(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    let assignment = version.assignment(&id).ok_or(Refusal::NotFound)?;
    let (viewer, for_query, key) = (visitor.person().clone(), rules.clone(), id.clone());
    let read = app.database.read(move |connection| {
        let now = Moment(connection.now()?);
        Ok((now, read(connection, &for_query, &viewer, &key)?))
    });
    let (now, class) = read.await?;
    let with_points: Vec<_> = class.iter().filter_map(|it| it.counting.as_ref()).collect();
    let records: BTreeMap<_, _> = class
        .iter()
        .filter_map(|it| {
            let submission = it.counting.as_ref()?.standing.submission;
            Some((it.student.login.clone(), format!("/submissions/{submission}")))
        })
        .collect();
    let is_late = with_points.iter().any(|it| it.standing.points < it.standing.earned);
    let missing = class.iter().filter(|it| it.counting.is_none());
    let missing = missing
        .map(|it| (super::words::student_page(&it.student.login), it.student.name.clone()))
        .collect();
    let graded = Graded {
        schema: SCHEMA.to_owned(),
        course: version.course.title.clone(),
        assignment: id.clone(),
        title: assignment.title.clone(),
        mutants: Vec::new(),
        submissions: class.into_iter().filter_map(|it| it.report).collect(),
        not_limited: None,
        points_from: None,
        left_out: Vec::new(),
        files: BTreeMap::new(),
    };
    Ok(page(&Class {
        frame: Frame::new(&assignment.title, &version.course.title, &visitor),
        section: submissions::section(&graded, &records),
        version: short(&version.digest).to_owned(),
        seen: seen(&rules, &id, now, is_late),
        missing,
        report_script: crate::web::assets::report_script(),
        is_staff: visitor.is(Role::Staff),
        is_by_hand: !rules.of(&id).rubrics.0.is_empty(),
        id,
    })
    .into_response())
}

/// What students see of their points, in a sentence.
fn seen(rules: &Rules, assignment: &str, now: Moment, is_late: bool) -> String {
    let zone = &rules.time_zone;
    let scores = match rules.of(assignment).scores(zone) {
        Some(from) if from > now => format!("Students see no scores before {}.", zone.shown(from)),
        _ => "Students see their scores.".to_owned(),
    };
    let late = "The points here are those before late days cost something; the gradebook has both.";
    if is_late { format!("{scores} {late}") } else { scores }
}
