//! What a run that failed writes in each format: why nothing was scored. Those of platforms are in [`super::platform`].

use super::csv::Csv;
use super::html;
use super::junit::Junit;
use super::markdown;
use crate::course::Audience;
use crate::diagnostic::Problem;
use crate::result::SCHEMA;
use serde_json::json;

/// What students read if the run failed. The error itself may name mutants, so only staff see it.
pub(super) const FOR_STUDENTS: &str = "The course's grader failed, so these tests were not graded. This is not your fault: please tell the course's staff.";

/// Why nothing was scored, for this reader.
pub(super) fn reasons(problems: &[Problem], audience: Audience) -> Vec<String> {
    match audience {
        Audience::Staff => problems.iter().map(ToString::to_string).collect(),
        _ => vec![FOR_STUDENTS.to_owned()],
    }
}

/// The text.
pub(super) fn text(reasons: &[String]) -> Vec<u8> {
    let lines = reasons.iter().map(|reason| format!("{reason}\n"));
    lines.collect::<String>().into_bytes()
}

/// The JSON document, without an assignment.
pub(super) fn json(reasons: &[String]) -> Vec<u8> {
    let document = json!({ "schema": SCHEMA, "course": "", "assignments": [], "failed": reasons });
    format!("{document}\n").into_bytes()
}

/// The gradebook, with a row for each reason.
pub(super) fn csv(reasons: &[String]) -> Vec<u8> {
    let mut book = Vec::new();
    Csv::new(&mut book).failed(reasons).expect("a `Vec` takes any text");
    book
}

/// The summary in Markdown.
pub(super) fn markdown(reasons: &[String]) -> Vec<u8> {
    let items = reasons.iter().map(|reason| format!("- {}\n", markdown::code(reason)));
    format!("# Not scored\n\n{}", items.collect::<String>()).into_bytes()
}

/// A suite of which one case is an error.
pub(super) fn junit(reasons: &[String]) -> Vec<u8> {
    let mut report = Vec::new();
    Junit::new(&mut report).failed(reasons).expect("a `Vec` takes any text");
    report
}

/// The page.
pub(super) fn page(reasons: &[String]) -> Vec<u8> {
    html::failed(reasons).into_bytes()
}
