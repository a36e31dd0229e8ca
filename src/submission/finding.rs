//! Makes a finding of a problem: what it costs is the course's decision.

use crate::course::submission::{Cost, Rule, Submission};
use crate::problem::Problem;
use crate::result::graded::{Finding, Severity};

/// The finding that the submission breaks `rule`.
pub fn finding(submission: &Submission, rule: Rule, problem: Problem) -> Finding {
    let problem = problem.printable();
    let (severity, points) = match submission.cost(rule) {
        Cost::Nothing => (Severity::Warning, None),
        Cost::Points(points) => (Severity::Deduction, Some(points)),
        Cost::Everything => (Severity::Refusal, None),
    };
    let place = problem.place.as_ref();
    Finding {
        rule,
        severity,
        points,
        file: place.map(|place| place.file.display().to_string()),
        line: place.map(|place| place.line).filter(|line| *line > 0),
        column: place.and_then(|place| place.column),
        excerpt: place.and_then(crate::problem::Place::excerpt),
        message: problem.message,
        hint: problem.hint,
    }
}
