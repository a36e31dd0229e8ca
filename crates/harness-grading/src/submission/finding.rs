//! Makes a finding of a problem: what it costs is the course's decision.

use crate::course::submission::{Cost, Rule, Submission};
use crate::diagnostic::Problem;
use crate::result::graded::{Finding, Severity};

/// The most characters of a message before and after what is cut out of its middle. A hostile archive has paths of 4,000 bytes.
const MOST_BEFORE: usize = 200;
const MOST_AFTER: usize = 100;

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
        file: place.map(|place| shortened(&place.file.display().to_string())),
        line: place.map(|place| place.line).filter(|line| *line > 0),
        column: place.and_then(|place| place.column),
        excerpt: place.and_then(crate::diagnostic::Place::excerpt),
        message: shortened(&problem.message),
        hint: problem.hint,
    }
}

/// A text without its middle, if it is long.
pub(super) fn shortened(text: &str) -> String {
    let count = text.chars().count();
    if count <= MOST_BEFORE + MOST_AFTER {
        return text.to_owned();
    }
    let before: String = text.chars().take(MOST_BEFORE).collect();
    let after: String = text.chars().skip(count - MOST_AFTER).collect();
    format!("{before}…{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_loses_its_middle() {
        let message = |path: &str| shortened(&format!("{path} is in a folder"));
        assert_eq!(message("src/main.cpp"), "src/main.cpp is in a folder");
        let long = message(&"deep/".repeat(800));
        assert!(long.starts_with("deep/deep") && long.ends_with(" is in a folder"), "{long}");
        assert_eq!(long.chars().count(), MOST_BEFORE + MOST_AFTER + 1);
    }
}
