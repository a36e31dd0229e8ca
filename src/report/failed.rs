//! What a run that failed writes in each format: why nothing was scored. Those of platforms are in [`super::platform`].

use super::csv::Csv;
use super::html;
use super::junit::Junit;
use super::markdown;
use crate::course::Audience;
use crate::diagnostic::Problem;
use crate::result::SCHEMA;
use serde_json::json;
use std::io;

/// What students read if the run failed. The error itself may name mutants, so only staff see it.
pub(super) const FOR_STUDENTS: &str = "The course's grader failed, so these tests were not graded. This is not your fault: please tell the course's staff.";

/// Why nothing was scored, for this reader.
pub fn reasons(problems: &[Problem], audience: Audience) -> Vec<String> {
    match audience {
        Audience::Staff => problems.iter().map(ToString::to_string).collect(),
        _ => vec![FOR_STUDENTS.to_owned()],
    }
}

/// The text.
pub fn text(reasons: &[String]) -> String {
    reasons.iter().map(|reason| format!("{reason}\n")).collect()
}

/// The JSON document, without an assignment.
pub fn json(reasons: &[String]) -> String {
    let document = json!({ "schema": SCHEMA, "course": "", "assignments": [], "failed": reasons });
    format!("{document}\n")
}

/// The gradebook, with a row for each reason.
///
/// # Errors
/// Never, because it is written to memory.
pub fn csv(reasons: &[String]) -> io::Result<Vec<u8>> {
    let mut book = Vec::new();
    Csv::new(&mut book).failed(reasons)?;
    Ok(book)
}

/// The summary in Markdown.
pub fn markdown(reasons: &[String]) -> String {
    let items = reasons.iter().map(|reason| format!("- {}\n", markdown::code(reason)));
    format!("# Not scored\n\n{}", items.collect::<String>())
}

/// A suite of which one case is an error.
///
/// # Errors
/// Never, because it is written to memory.
pub fn junit(reasons: &[String]) -> io::Result<Vec<u8>> {
    let mut report = Vec::new();
    Junit::new(&mut report).failed(reasons)?;
    Ok(report)
}

/// The page.
pub fn page(reasons: &[String]) -> String {
    html::failed(reasons)
}
