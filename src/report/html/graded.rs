//! The page of `grade`: a section for each submission. It contains only what its reader may see.

use super::ledger::{MOST_FILES, Rejected};
use super::{Section, rendered, whole};
use crate::report::graded::{self, OTHER_SCALE, diagnostic, finding, leaking};
use crate::report::words::{number, scored};
use crate::result::diff::Line;
use crate::result::explained::{MutantDifference, OutputDiff};
use crate::result::graded::{Graded, Measures, Severity, Shown, SubmissionReport};
use crate::result::{LeftOut, SuiteReport};
use askama::Template;

#[derive(Template)]
#[template(path = "graded.html")]
struct Submission<'a> {
    report: &'a SubmissionReport,
    title: &'a str,
    number: usize,
    /// The first rejected tests, and how many more there are.
    rejected: Vec<Rejected>,
    more_rejected: usize,
    /// Whether a case has measures.
    measured: bool,
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

/// A case in full: its input and both outputs.
#[derive(Template)]
#[template(path = "shown.html")]
struct InFull<'a> {
    shown: &'a Shown,
}

fn shown(shown: &Shown) -> String {
    rendered(&InFull { shown })
}

/// The page of all submissions.
pub fn page(graded: &Graded) -> String {
    let section = |(number, report): (usize, &SubmissionReport)| {
        let rejected = report.tests.iter().flat_map(SuiteReport::rejected).take(MOST_FILES);
        let rejected: Vec<_> = rejected.map(Rejected::new).collect();
        let all = report.tests.as_ref().map_or(0, SuiteReport::rejected_files);
        let more_rejected = all - rejected.len();
        let title = &graded.title;
        let measured = has_measures(report);
        let html =
            rendered(&Submission { report, title, number, rejected, more_rejected, measured });
        Section { title: report.name.clone(), html }
    };
    let mut sections: Vec<_> = graded.submissions.iter().enumerate().map(section).collect();
    if let Some(what) = &graded.not_limited {
        let html = rendered(&NotLimited { what, number: sections.len() });
        sections.push(Section { title: "Sandbox".to_owned(), html });
    }
    if !graded.left_out.is_empty() {
        let number = sections.len();
        let html = rendered(&NoSubmissions { left_out: &graded.left_out, number });
        sections.push(Section { title: "No submissions".to_owned(), html });
    }
    whole(&graded.course, &sections, "")
}

fn has_measures(report: &SubmissionReport) -> bool {
    report.groups.iter().flat_map(|group| &group.cases).any(|case| case.measures.is_some())
}

/// Points, as a template passes them.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the template passes a reference")]
fn points(points: &f64) -> String {
    number(*points)
}

/// The word for a finding's severity.
fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Refusal => "refused",
        Severity::Deduction => "costs points",
        Severity::Warning => "warning",
    }
}

fn measures(measures: Option<&Measures>) -> String {
    measures.map(graded::measures).unwrap_or_default()
}

/// The lines of one side of a comparison.
fn side(output: &OutputDiff, of_reference: bool) -> String {
    let line = |line: Option<&Line>| line.map_or(String::new(), |line| line.text.clone());
    let rows = output.diff.rows.iter().take(200);
    let lines = rows.map(|row| {
        let text = line(if of_reference { row.reference.as_ref() } else { row.mutant.as_ref() });
        let mark = if row.same { ' ' } else { '|' };
        format!("{mark} {text}\n")
    });
    lines.collect()
}

/// How a program differs, in sentences.
fn sentences(shown: &Shown) -> Vec<String> {
    let Some(difference) = &shown.difference else { return Vec::new() };
    let MutantDifference { reference_end, mutant_end, mutant_says, why, first, .. } = difference;
    let differs = reference_end != mutant_end;
    let end = differs.then(|| format!("The reference {reference_end}; the program {mutant_end}."));
    let says = (!mutant_says.is_empty()).then(|| format!("Standard error: {mutant_says}"));
    let why = why.as_ref().map(|why| format!("Wrong: {why}"));
    [end, says, why, first.clone()].into_iter().flatten().collect()
}

/// The outputs that differ.
fn outputs(shown: &Shown) -> &[OutputDiff] {
    shown.difference.as_ref().map_or(&[], |difference| &difference.outputs)
}
