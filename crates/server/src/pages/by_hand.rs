//! Grading by hand, for graders and staff: what is to be graded of an assignment, the next one, and the release.

mod form;
mod one;
mod sources;

use super::words::points;
use super::{Frame, page};
use crate::app::App;
use crate::hand::{self, Listed, State as How};
use crate::people::{Person, Role};
use crate::rules::Rubrics;
use crate::web::{Access, Answer, Refusal, Route, Visitor, at_least, route};
use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::Method;
use axum::response::{IntoResponse, Redirect};
use harness::diagnostic::Problem;
use serde::Deserialize;

pub(super) fn routes() -> Vec<Route> {
    let (get, post) = (Method::GET, Method::POST);
    let (all, one) = ("/assignments/{assignment}/by-hand", "/submissions/{submission}/by-hand");
    let of_grader = Access::SubmissionAs(Role::Grader);
    vec![
        at_least(Role::Grader, get.clone(), all, list),
        at_least(Role::Grader, post.clone(), "/assignments/{assignment}/by-hand/next", next),
        at_least(Role::Staff, post.clone(), "/assignments/{assignment}/by-hand/release", release),
        route(get, one, of_grader, one::show),
        route(post, one, of_grader, one::save),
    ]
}

/// The rubrics of an assignment that there is.
async fn rubrics(app: &App, assignment: &str) -> Result<Rubrics, Refusal> {
    let version = app.courses.in_force(&app.database).await?;
    version.assignment(assignment).ok_or(Refusal::NotFound)?;
    let rubrics = app.rules().await?.of(assignment).rubrics;
    if rubrics.0.is_empty() {
        let problem = Problem::new("nothing of this assignment is graded by hand");
        let hint = "give it `rubrics` in serve.yaml; docs/hand-grading.md shows how";
        return Err(Refusal::Wrong(problem.hint(hint)));
    }
    Ok(rubrics)
}

#[derive(Template)]
#[template(path = "by_hand.html")]
struct Page {
    frame: Frame,
    id: String,
    title: String,
    /// Whether somebody asked for the next one, and there is none.
    is_empty_handed: bool,
    is_anonymous: bool,
    is_staff: bool,
    /// The parts with their most points, and with the mean of what was given.
    parts: Vec<(String, String, Option<String>)>,
    rows: Vec<Row>,
    /// How many are graded, of these how many are released, and how many are not graded.
    graded: usize,
    released: usize,
    left: usize,
    /// The names of those who have nothing to grade.
    without: Vec<String>,
    /// Each grader with the number of submissions, and the mean of their points.
    graders: Vec<(String, usize, String)>,
}

struct Row {
    submission: i64,
    /// The student, unless no names are shown.
    name: Option<String>,
    state: &'static str,
    /// A class of the style.
    class: &'static str,
    points: Vec<String>,
    by: String,
    /// Who has it open.
    open: Option<String>,
    graded_before: Option<i64>,
}

#[derive(Deserialize)]
struct Asked {
    none: Option<String>,
}

async fn list(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Answer {
    let rubrics = rubrics(&app, &id).await?;
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    let assignment = version.assignment(&id).ok_or(Refusal::NotFound)?;
    let is_anonymous = rules.of(&id).anonymous;
    let (viewer, key) = (visitor.person().clone(), id.clone());
    let listed =
        app.database.read(move |connection| hand::list(connection, &rules, &viewer, &key)).await?;
    let (all, without) = listed;
    let over = || all.iter().filter(|it| it.state.is_over());
    let names: Vec<_> = rubrics.0.iter().map(|(part, _)| part.as_str()).collect();
    let part = |(part, rubric): &(String, crate::rules::Spanned<crate::rules::Rubric>)| {
        let given = over().filter_map(|it| it.points.get(part).copied());
        (part.clone(), points(rubric.value.most.0 as f64 / 100.0), mean(given))
    };
    Ok(page(&Page {
        frame: Frame::new("Grade by hand", &version.course.title, &visitor),
        title: assignment.title.clone(),
        is_empty_handed: asked.none.is_some(),
        is_anonymous,
        is_staff: visitor.is(Role::Staff),
        parts: rubrics.0.iter().map(part).collect(),
        graded: over().count(),
        released: over().filter(|it| it.state == How::Released).count(),
        left: all.len() - over().count(),
        without: without.into_iter().filter(|_| !is_anonymous).map(|it| it.name).collect(),
        graders: graders(&all),
        rows: all.iter().map(|it| row(it, &names, is_anonymous)).collect(),
        id,
    })
    .into_response())
}

fn row(it: &Listed, parts: &[&str], is_anonymous: bool) -> Row {
    let of_part = |part: &&str| it.points.get(*part).map_or_else(String::new, |it| shown(*it));
    Row {
        submission: it.submission,
        name: (!is_anonymous).then(|| names(&it.students)),
        state: it.state.word(),
        class: match it.state {
            How::NotBegun => "",
            How::Draft => "waiting",
            How::Graded => "graded",
            How::Released => "open",
        },
        points: parts.iter().map(of_part).collect(),
        by: it.by.clone().unwrap_or_default(),
        open: it.claimed.as_ref().map(|(_, name)| name.clone()),
        graded_before: it.graded_before,
    }
}

/// The names of a group.
fn names(students: &[Person]) -> String {
    let names: Vec<_> = students.iter().map(|it| it.name.as_str()).collect();
    names.join(", ")
}

/// Hundredths of points.
fn shown(hundredths: i64) -> String {
    points(hundredths as f64 / 100.0)
}

fn mean(all: impl Iterator<Item = i64>) -> Option<String> {
    let (sum, count) = all.fold((0, 0), |(sum, count), it| (sum + it, count + 1));
    (count > 0).then(|| points(sum as f64 / 100.0 / f64::from(count)))
}

/// Those who graded, with how many, and the mean of the sums.
fn graders(all: &[Listed]) -> Vec<(String, usize, String)> {
    let mut by: std::collections::BTreeMap<_, Vec<i64>> = std::collections::BTreeMap::new();
    for it in all.iter().filter(|it| it.state.is_over()) {
        by.entry(it.by.clone().unwrap_or_default()).or_default().push(it.points.values().sum());
    }
    let of = |(name, sums): (String, Vec<i64>)| {
        let count = sums.len();
        Some((name, count, mean(sums.into_iter())?))
    };
    by.into_iter().filter_map(of).collect()
}

#[derive(Deserialize)]
struct After {
    /// The submission that is passed over.
    after: Option<i64>,
}

async fn next(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Form(After { after }): Form<After>,
) -> Answer {
    rubrics(&app, &id).await?;
    go_on(&app, &visitor, &id, after).await
}

/// Leads to the next submission that is not graded, or to the list if there is none.
async fn go_on(app: &App, visitor: &Visitor, id: &str, after: Option<i64>) -> Answer {
    let rules = app.rules().await?;
    let (viewer, key) = (visitor.person().clone(), id.to_owned());
    let next = app.database.write(move |connection| {
        if let Some(after) = after {
            hand::give_back(connection, after, viewer.id)?;
        }
        hand::next(connection, &rules, &viewer, &key, after)
    });
    let to = match next.await? {
        Some(submission) => format!("/submissions/{submission}/by-hand"),
        None => format!("/assignments/{}/by-hand?none=yes", super::words::encoded(id)),
    };
    Ok(Redirect::to(&to).into_response())
}

async fn release(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Form(sent): Form<Vec<(String, String)>>,
) -> Answer {
    let rubrics = rubrics(&app, &id).await?;
    let is_asked = |part: &String| sent.iter().any(|(name, value)| name == "part" && value == part);
    let parts: Vec<_> = rubrics.0.iter().map(|(part, _)| part.clone()).filter(is_asked).collect();
    if parts.is_empty() {
        let problem = Problem::new("no part was chosen");
        return Err(Refusal::Wrong(problem.hint("choose the parts that students may see")));
    }
    let (by, key) = (visitor.person().id, id.clone());
    app.database.write(move |connection| hand::release(connection, &key, &parts, by)).await?;
    app.changed.notify_waiters();
    let to = format!("/assignments/{}/by-hand", super::words::encoded(&id));
    Ok(Redirect::to(&to).into_response())
}
