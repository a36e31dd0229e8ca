//! Two submissions side by side, with what is alike marked.

use super::{Side, given};
use crate::app::App;
use crate::courses::Version;
use crate::pages::{Frame, page};
use crate::similar::{self, Beside};
use crate::web::{Answer, Refusal, Visitor};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use harness::diagnostic::Problem;
use harness::similarity::{Lines, Region};
use serde::Deserialize;

/// The most lines of a file that are shown.
const MOST_LINES: usize = 5000;

#[derive(Template)]
#[template(path = "similar_beside.html")]
struct Page {
    frame: Frame,
    id: String,
    /// With the letters of its own marks, and of the marks beside it.
    sides: [(Side, Vec<File>, char, char); 2],
    parts: Vec<Part>,
    is_equal: bool,
}

/// A part that is alike.
struct Part {
    number: usize,
    one: Lines,
    other: Lines,
}

struct File {
    path: String,
    lines: Vec<Line>,
    is_alike: bool,
    is_cut: bool,
}

struct Line {
    text: String,
    /// The number of the part that it belongs to, and whether the part begins here.
    part: Option<(usize, bool)>,
}

pub(super) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path((id, one, other)): Path<(String, i64, i64)>,
) -> Answer {
    let version = app.courses.in_force(&app.database).await?;
    version.assignment(&id).ok_or(Refusal::NotFound)?;
    let key = id.clone();
    let all = app.database.read(move |connection| similar::handed_in(connection, &key)).await?;
    let of = |submission: i64| {
        let found = all.iter().find(|it| it.submission == submission);
        found.filter(|it| it.is_seen_by(visitor.person())).cloned().ok_or(Refusal::NotFound)
    };
    let both = [of(one)?, of(other)?];
    let sides = both.each_ref().map(Side::of);
    let given = given(&app, &version, &id).await?;
    let found = similar::beside(&app.database, both, given).await?;
    Ok(shown(&visitor, &version, id, sides, found))
}

/// A work of an earlier term.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Other {
    work: String,
}

/// A submission and a work of an earlier term.
pub(super) async fn earlier(
    State(app): State<App>,
    visitor: Visitor,
    Path((id, one)): Path<(String, i64)>,
    Query(Other { work }): Query<Other>,
) -> Answer {
    let version = app.courses.in_force(&app.database).await?;
    version.assignment(&id).ok_or(Refusal::NotFound)?;
    let key = id.clone();
    let all = app.database.read(move |connection| similar::handed_in(connection, &key)).await?;
    let one = all.into_iter().find(|it| it.submission == one).ok_or(Refusal::NotFound)?;
    let other = super::earlier(&app, &id).into_iter().find(|it| it.name == work);
    let other = other.ok_or_else(|| {
        let problem = Problem::new("there is no such work of an earlier term");
        Refusal::Wrong(problem.hint("choose a pair on the page of similar work"))
    })?;
    let sides = [Side::of(&one), Side::earlier(&other.name)];
    let given = given(&app, &version, &id).await?;
    let found = similar::beside_earlier(&app.database, one, other, given).await?;
    Ok(shown(&visitor, &version, id, sides, found))
}

fn shown(
    visitor: &Visitor,
    version: &Version,
    id: String,
    [one, other]: [Side; 2],
    Beside { equal, regions, sources }: Beside,
) -> Response {
    let [ones, others] = sources;
    let ones = files(&ones, &regions.iter().map(|region| &region.one));
    let others = files(&others, &regions.iter().map(|region| &region.other));
    let part = |(Region { one, other, .. }, number)| Part { number, one, other };
    page(&Page {
        frame: Frame::new("Side by side", &version.course.title, visitor),
        id,
        is_equal: equal,
        sides: [(one, ones, 'a', 'b'), (other, others, 'b', 'a')],
        parts: regions.into_iter().zip(1..).map(part).collect(),
    })
    .into_response()
}

/// The files with their lines. Parts are numbered from 1.
fn files<'a>(
    sources: &[(String, String)],
    parts: &(impl Iterator<Item = &'a Lines> + Clone),
) -> Vec<File> {
    let file = |(path, text): &(String, String)| {
        let mut lines: Vec<_> = text
            .lines()
            .take(MOST_LINES)
            .map(|text| Line { text: text.to_owned(), part: None })
            .collect();
        // Where two parts meet in a line, it belongs to the longer one.
        for (part, number) in parts.clone().zip(1..).filter(|(part, _)| part.file == *path) {
            let (first, last) = (part.first as usize - 1, (part.last as usize).min(lines.len()));
            let free =
                lines.get_mut(first..last).into_iter().flatten().filter(|line| line.part.is_none());
            for (line, is_first) in free.zip([true].into_iter().chain(std::iter::repeat(false))) {
                line.part = Some((number, is_first));
            }
        }
        let is_alike = lines.iter().any(|line| line.part.is_some());
        File { path: path.clone(), lines, is_alike, is_cut: text.lines().count() > MOST_LINES }
    };
    sources.iter().map(file).collect()
}
