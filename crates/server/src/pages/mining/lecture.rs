//! What a class gets wrong, to project or to print: without names, without sources, and without the mutants, which students are to find.

use super::{Known, Printed, Test};
use crate::app::App;
use crate::mining::Behaviour;
use crate::pages::{Frame, page};
use crate::rules::Moment;
use crate::web::{Answer, Refusal, Visitor};
use askama::Template;
use axum::extract::{Path, State};
use axum::response::IntoResponse;

#[derive(Template)]
#[template(path = "mining_lecture.html")]
struct Lecture {
    frame: Frame,
    id: String,
    title: String,
    programs: usize,
    right: usize,
    /// Whether it is not due yet, so that the tests earn points.
    is_early: bool,
    slides: Vec<Slide>,
}

struct Slide {
    /// How many programs have it.
    count: usize,
    since: String,
    test: Test,
    /// None if the answer names a student who has it.
    wrong: Option<Printed>,
}

pub(super) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Answer {
    let (version, rules) = (app.courses.in_force(&app.database).await?, app.rules().await?);
    let title = version.assignment(&id).ok_or(Refusal::NotFound)?.title.clone();
    let known = Known::demand(&app, &id).await?;
    let now = app.database.read(|connection| Ok(Moment(connection.now()?))).await?;
    let slide = |it: &Behaviour| {
        let test = it.test.clone()?;
        let mut students = it.submissions.iter().filter_map(|id| known.students.get(id));
        let is_named = students.any(|student| student.is_named_in(&test.wrong.text));
        Some(Slide {
            count: it.submissions.len(),
            since: known.since(it).map_or_else(String::new, |at| rules.time_zone.day(at)),
            wrong: (!is_named).then(|| test.wrong.clone()),
            test,
        })
    };
    let mut slides: Vec<_> = known.behaviours.iter().filter_map(slide).collect();
    // Which of them no mutant represents, is not told by their order either.
    slides.sort_by_key(|slide| std::cmp::Reverse(slide.count));
    Ok(page(&Lecture {
        frame: Frame::new("What this class gets wrong", &version.course.title, &visitor),
        programs: known.found.programs(),
        right: known.found.right(),
        is_early: !crate::mining::is_over(&rules, &id, now),
        title,
        slides,
        id,
    })
    .into_response())
}
