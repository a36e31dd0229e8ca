//! The report of a submission: the page of `grade`, and the section of one submission, which a server inserts in pages of its own. It
//! contains only what its reader may see.

mod attempts;
mod cases;
mod leaks;
mod losses;
mod messages;
mod points;
mod tests;
mod times;

pub use super::{PAGE_STYLE, SCRIPT, STYLE};
use super::{Section, rendered, whole};
use crate::report::graded::OTHER_SCALE;
use crate::report::words::number;
use crate::result::graded::{Graded, SubmissionReport};
use crate::result::{LeftOut, MutantReport};
use askama::Template;

/// What the section of a submission says that its report does not.
pub struct About<'a> {
    /// The assignment's title.
    pub title: &'a str,
    /// What makes the ids of the section different from all others on the page: letters, digits and `-`. They begin with `a` and this.
    pub id: &'a str,
    /// The mutants, if the reader may know them: [`Graded::mutants`].
    pub mutants: &'a [MutantReport],
    pub progress: Progress,
    /// A sentence below the title, such as what a refusal means for the number of attempts.
    pub note: Option<&'a str>,
}

/// How far the grading is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    Finished,
    /// What is missing in the report is still to come, and its points are not final.
    UnderWay,
    /// It is graded, and the reader sees points and verdicts later. The report does not hold them.
    Withheld,
    /// Only its files were checked.
    Checked,
}

#[derive(Template)]
#[template(path = "graded/section.html")]
struct Submission<'a> {
    id: &'a str,
    title: &'a str,
    note: Option<&'a str>,
    report: &'a SubmissionReport,
    under_way: bool,
    /// Whether only its files were checked: [`About::note`] says what that means.
    only_checked: bool,
    /// What is said instead of points, if the report has none.
    without_points: Option<&'static str>,
    earned: String,
    max: String,
    messages: Vec<messages::Message<'a>>,
    parts: Vec<points::Row<'a>>,
    losses: Vec<losses::Loss>,
    /// Whether all points of what is graded are earned.
    nothing_lost: bool,
    attempts: Option<String>,
    build: Option<messages::Build<'a>>,
    groups: Vec<cases::Group<'a>>,
    /// The number of cases that were not run, if there is no program.
    unrun: usize,
    own: Option<cases::Own<'a>>,
    leaks: Option<leaks::Leaks<'a>>,
    tests: Option<String>,
    /// What is still to come, if the grading is under way.
    to_come: Vec<&'static str>,
}

/// What lies in the folder of a class and is no submission.
#[derive(Template)]
#[template(path = "no_submissions.html")]
struct NoSubmissions<'a> {
    left_out: &'a [LeftOut],
    number: usize,
}

/// What the limit on memory did not hold.
#[derive(Template)]
#[template(path = "not_limited.html")]
struct NotLimited<'a> {
    what: &'a str,
    number: usize,
}

/// The page of all submissions.
pub fn page(graded: &Graded) -> String {
    let of_submission = |(number, report): (usize, &SubmissionReport)| {
        let about = About {
            title: &graded.title,
            id: &number.to_string(),
            mutants: &graded.mutants,
            progress: Progress::Finished,
            note: None,
        };
        Section { title: report.name.clone(), html: section(report, None, &about) }
    };
    let mut sections: Vec<_> = graded.submissions.iter().enumerate().map(of_submission).collect();
    if let Some(what) = &graded.not_limited {
        let html = rendered(&NotLimited { what, number: sections.len() });
        sections.push(Section { title: "Sandbox".to_owned(), html });
    }
    if !graded.left_out.is_empty() {
        let number = sections.len();
        let html = rendered(&NoSubmissions { left_out: &graded.left_out, number });
        sections.push(Section { title: "No submissions".to_owned(), html });
    }
    whole(&graded.course, &sections, SCRIPT)
}

/// The section of one submission, and what changed since the `previous` one of the same student, if that is given. Both reports are
/// already cut down to what the reader may see. It needs [`STYLE`] and [`SCRIPT`].
pub fn section(
    report: &SubmissionReport,
    previous: Option<&SubmissionReport>,
    about: &About<'_>,
) -> String {
    let under_way = about.progress == Progress::UnderWay && !report.refused;
    let losses = losses::of(report, about.id, under_way);
    let previous = previous.filter(|_| !report.refused);
    let attempts = previous.map(|previous| attempts::html(previous, report, about.id, under_way));
    let message = |finding| messages::Message::of(finding, report.refused);
    rendered(&Submission {
        id: about.id,
        title: about.title,
        note: about.note,
        report,
        under_way,
        only_checked: about.progress == Progress::Checked,
        without_points: match about.progress {
            Progress::Checked => Some("checked"),
            _ if report.refused => None,
            Progress::Finished | Progress::UnderWay => None,
            Progress::Withheld => Some("graded"),
        },
        earned: number(report.points.earned),
        max: number(report.points.max),
        messages: report.findings.iter().map(message).collect(),
        parts: points::rows(report, under_way),
        nothing_lost: losses.is_empty()
            && matches!(about.progress, Progress::Finished)
            && report.points.max > 0.0,
        losses,
        attempts,
        build: report.build.as_ref().map(messages::Build::of),
        groups: cases::groups(report, about.id, under_way),
        unrun: cases::unrun(report),
        own: report.own.as_ref().map(cases::Own::of),
        leaks: report.leaks.as_ref().map(leaks::Leaks::of),
        tests: report.tests.as_ref().map(|_| tests::html(report, about)),
        to_come: if under_way { points::to_come(report) } else { Vec::new() },
    })
}
