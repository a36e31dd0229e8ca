//! The places of a report that a request can be about. Their names hold for every result of a submission, and tell where the place is in a
//! report at hand.

use harness::result::graded::{SubmissionReport, Verdict};

/// A place of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Such as `build`, `group sample` or `case sample/Two`.
    pub name: String,
    /// The id of its element, or of what it is in.
    pub anchor: String,
}

/// The places of a report that its reader sees, whose ids begin with `a` and `id`.
pub fn places(report: &SubmissionReport, id: &str) -> Vec<Place> {
    let place = |name: &str, anchor: &str| Place {
        name: name.to_owned(),
        anchor: if anchor.is_empty() { format!("a{id}") } else { format!("a{id}-{anchor}") },
    };
    let mut all = vec![place("whole", "")];
    if !report.findings.is_empty() {
        all.push(place("messages", "messages"));
    }
    let is_built = report.build.as_ref().is_none_or(|build| build.built);
    if report.build.is_some() {
        all.push(place("build", "build"));
    }
    for (at, group) in report.groups.iter().enumerate().filter(|_| is_built) {
        all.push(place(&format!("group {}", group.name), &format!("g{at}")));
        for (number, case) in group.cases.iter().enumerate() {
            // A case that passed is a mark only.
            let is_told = case.share < 1.0 || case.shown.is_some();
            let anchor = if is_told && case.verdict != Verdict::NotRun {
                format!("g{at}-c{number}")
            } else {
                format!("g{at}")
            };
            all.push(place(&format!("case {}/{}", group.name, case.name), &anchor));
        }
    }
    if report.leaks.is_some() {
        all.push(place("leaks", "leaks"));
    }
    if report.tests.is_some() {
        all.push(place("tests", "tests"));
    }
    all
}

/// What people call a place.
pub fn title(name: &str) -> String {
    match name.split_once(' ') {
        Some(("case", case)) => match case.split_once('/') {
            Some((group, case)) => format!("case {case} of {group}"),
            None => name.to_owned(),
        },
        Some(_) => name.to_owned(),
        None if name == "whole" => "the whole report".to_owned(),
        None => format!("the {name}"),
    }
}
