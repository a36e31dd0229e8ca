//! `gradebook.csv`: a row for each submission of a class, for staff.

use super::csv::as_text;
use super::words::number;
use crate::course::submission::Shown;
use crate::result::graded::SubmissionReport;
use crate::result::pseudonym;
use std::io;

/// The parts that every gradebook has, in this order. Parts that a person grades come after them.
const PARTS: [&str; 5] = ["cases", "tests", "leaks", "extra", "deductions"];

/// The gradebook of these submissions.
///
/// # Errors
/// Never: a `Vec` takes any text.
pub fn csv(
    assignment: &str,
    all: &[SubmissionReport],
    shown: Option<&Shown>,
) -> io::Result<Vec<u8>> {
    let mut parts = PARTS.map(str::to_owned).to_vec();
    for part in all.iter().flat_map(|report| &report.points.parts) {
        if !parts.contains(&part.name) {
            parts.push(part.name.clone());
        }
    }
    let secret = match shown {
        Some(Shown::Pseudonyms(secret)) => Some(secret),
        _ => None,
    };
    let coverage =
        |report: &SubmissionReport| Some(report.tests.as_ref()?.coverage.as_ref()?.percent);
    let is_covered = all.iter().any(|report| coverage(report).is_some());
    let mut out = csv::Writer::from_writer(Vec::new());
    let first = ["student", "assignment", "graded", "points", "max_points"];
    let last = ["cases_passed", "cases_run", "bugs_exposed", "bugs", "digest", "other_scale"];
    let mut columns: Vec<String> = first.map(str::to_owned).to_vec();
    columns.extend(parts.iter().map(|part| as_text(part)));
    columns.extend(last.map(str::to_owned));
    columns.extend(is_covered.then(|| "coverage_percent".to_owned()));
    columns.extend(secret.map(|_| "pseudonym".to_owned()));
    out.write_record(&columns)?;
    for report in all {
        let earned = |part: &String| {
            let part = report.points.parts.iter().find(|it| it.name == *part);
            part.and_then(|part| part.earned).map_or_else(String::new, number)
        };
        let score = report.tests.as_ref().and_then(|tests| tests.score.as_ref());
        let sum = |count: fn(&crate::result::graded::GroupReport) -> usize| -> String {
            report.groups.iter().map(count).sum::<usize>().to_string()
        };
        let word = |is: bool| if is { "yes" } else { "no" }.to_owned();
        let points = [report.points.earned, report.points.max].map(number);
        let mut row = vec![as_text(&report.name), as_text(assignment), word(!report.refused)];
        row.extend(points);
        row.extend(parts.iter().map(earned));
        row.extend([sum(|group| group.passed), sum(|group| group.total)]);
        row.extend(score.map_or([String::new(), String::new()], |score| {
            [score.exposed.to_string(), score.mutants.to_string()]
        }));
        row.extend([report.digest.clone(), word(report.other_scale)]);
        let percent = || coverage(report).map_or_else(String::new, |it| it.to_string());
        row.extend(is_covered.then(percent));
        row.extend(secret.map(|it| pseudonym::of_student(it, assignment, &report.name)));
        out.write_record(&row)?;
    }
    out.into_inner().map_err(csv::IntoInnerError::into_error)
}
