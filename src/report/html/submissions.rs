//! The pages of a class of submissions: one for staff, and the scoreboard.

use super::class::Scores;
use super::{page, percent, rendered};
use crate::report::graded::{first, of_other_scale};
use crate::report::words::{number, scored_in};
use crate::result::LeftOut;
use crate::result::graded::{Graded, SubmissionReport};
use crate::result::scoreboard::Scoreboard;
use askama::Template;
use std::collections::BTreeMap;

#[derive(Template)]
#[template(path = "submissions.html")]
struct Class<'a> {
    title: &'a str,
    refused: usize,
    /// The number of submissions whose points are on another scale, which the scores leave out.
    others: usize,
    /// The distribution of the points, if any can be compared.
    scores: Option<Scores>,
    students: Vec<Student<'a>>,
    /// Whether programs ran on cases. Of unit tests, none does.
    has_cases: bool,
    /// The word for what counts in the scores.
    scored: &'static str,
    cases: Vec<Case<'a>>,
    not_limited: Option<&'a str>,
    left_out: &'a [LeftOut],
}

impl Class<'_> {
    /// Whether a program was checked for leaks.
    fn has_leaks(&self) -> bool {
        self.students.iter().any(|student| student.leaks.is_some())
    }

    /// Whether there is something to say of a submission.
    fn has_messages(&self) -> bool {
        self.students.iter().any(|student| !student.message.is_empty())
    }

    /// Whether it is known how many lines tests reach.
    fn is_covered(&self) -> bool {
        self.students.iter().any(|student| student.covered.is_some())
    }
}

/// A row of the table of students.
struct Student<'a> {
    name: &'a str,
    /// Where the student's record is, relative to the page.
    record: Option<String>,
    points: String,
    passed: usize,
    leaks: Option<usize>,
    exposed: Option<u32>,
    /// How many of 100 lines of the reference its tests reach.
    covered: Option<usize>,
    message: String,
}

/// A case with the number of programs that are right on it.
struct Case<'a> {
    group: &'a str,
    name: &'a str,
    right: usize,
    /// The same, as a percentage of all.
    percent: f64,
}

#[derive(Template)]
#[template(path = "scoreboard.html")]
struct Boards<'a> {
    board: &'a Scoreboard,
}

/// The page of a class. `records` are the paths of the students' records relative to the page, by name.
pub fn class(graded: &Graded, records: &BTreeMap<String, String>) -> String {
    page(&graded.course, &graded.title, section(graded, records))
}

/// The part of that page that a server inserts in a page of its own. It needs [`STYLE`](super::STYLE) and [`SCRIPT`](super::SCRIPT).
pub fn section(graded: &Graded, records: &BTreeMap<String, String>) -> String {
    let all = &graded.submissions;
    let comparable: Vec<_> = all.iter().filter(|report| !report.other_scale).collect();
    let max = comparable.iter().map(|report| report.points.max).fold(0.0, f64::max);
    let points: Vec<_> = comparable.iter().map(|report| report.points.earned).collect();
    let scores = (!points.is_empty()).then(|| Scores::of(points, max));
    rendered(&Class {
        title: &graded.title,
        refused: all.iter().filter(|report| report.refused).count(),
        others: all.len() - comparable.len(),
        scores,
        students: all.iter().map(|report| student(report, records.get(&report.name))).collect(),
        has_cases: all.iter().any(|report| !report.groups.is_empty()),
        scored: scored_in(all),
        cases: cases(all),
        not_limited: graded.not_limited.as_deref(),
        left_out: &graded.left_out,
    })
}

/// The page of the scoreboard.
pub fn scoreboard(course: &str, board: &Scoreboard) -> String {
    page(course, &board.title, rendered(&Boards { board }))
}

fn student<'a>(report: &'a SubmissionReport, record: Option<&String>) -> Student<'a> {
    let leaks = report.leaks.as_ref().filter(|leaks| leaks.checked > 0);
    Student {
        name: &report.name,
        record: record.map(|path| href(path)),
        points: match report {
            _ if report.refused => "-".to_owned(),
            _ if report.other_scale => of_other_scale(&report.points),
            _ => number(report.points.earned),
        },
        passed: report.groups.iter().map(|group| group.passed).sum(),
        leaks: leaks.map(|leaks| leaks.checked - leaks.clean),
        exposed: report.tests.as_ref().and_then(|it| it.score.as_ref()).map(|score| score.exposed),
        covered: report.tests.as_ref().and_then(|it| it.coverage.as_ref()).map(|it| it.percent),
        message: first(report).unwrap_or_default(),
    }
}

/// A path as a link.
fn href(path: &str) -> String {
    let letter = |byte: u8| match byte {
        b'/' | b'-' | b'_' | b'.' | b'~' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    path.bytes().map(letter).collect()
}

/// The cases, the hardest first.
fn cases(all: &[SubmissionReport]) -> Vec<Case<'_>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    for group in all.iter().flat_map(|report| &report.groups) {
        for case in &group.cases {
            let known =
                cases.iter().position(|it| (it.group, it.name) == (&group.name, &case.name));
            let at = known.unwrap_or_else(|| {
                cases.push(Case { group: &group.name, name: &case.name, right: 0, percent: 0.0 });
                cases.len() - 1
            });
            cases[at].right += usize::from(case.verdict.is_right());
        }
    }
    let count = all.iter().filter(|report| !report.groups.is_empty()).count();
    for case in &mut cases {
        case.percent = percent(case.right as f64, count as f64);
    }
    cases.sort_by_key(|case| case.right);
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_a_path_below_the_page_whatever_the_name_is() {
        assert_eq!(
            href("submissions/Ann Lee (late).json"),
            "submissions/Ann%20Lee%20%28late%29.json"
        );
        assert_eq!(href("a\"#?é"), "a%22%23%3F%C3%A9");
    }
}
