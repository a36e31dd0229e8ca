//! The points of a report and their parts, and what is still to come.

use super::super::percent;
use crate::report::words::number;
use crate::result::graded::SubmissionReport;
use crate::result::graded::points::Part;

/// A part of the points.
pub(super) struct Row<'a> {
    pub(super) name: &'a str,
    /// What is earned of the most, or why that is not known.
    pub(super) text: String,
    /// What is earned in percent, if the part has a maximum and is graded.
    pub(super) percent: Option<f64>,
}

/// What the harness grades itself. A person grades the other parts.
const GRADED: [&str; 5] = ["cases", "tests", "leaks", "extra", "deductions"];

/// A row for each part.
pub(super) fn rows(report: &SubmissionReport, under_way: bool) -> Vec<Row<'_>> {
    report.points.parts.iter().map(|part| row(report, part, under_way)).collect()
}

fn row<'a>(report: &SubmissionReport, part: &'a Part, under_way: bool) -> Row<'a> {
    let Part { name, earned, max } = part;
    let without = |text: &str| {
        let of = if *max > 0.0 { format!(", of {}", number(*max)) } else { String::new() };
        Row { name, text: format!("{text}{of}"), percent: None }
    };
    let coming = under_way && is_coming(report, name);
    match earned {
        _ if report.refused => without("not graded"),
        _ if !GRADED.contains(&name.as_str()) && earned.is_none() => without("not graded yet"),
        None if under_way => without("still to come"),
        None => without("could not be graded, counts neither way"),
        // Some cases may have been run already.
        Some(earned)
            if coming && (name != "cases" || report.groups.is_empty()) && *earned <= 0.0 =>
        {
            without("still to come")
        }
        Some(earned) if *max > 0.0 => Row {
            name,
            text: format!(
                "{} of {}{}",
                number(*earned),
                number(*max),
                if coming { " so far" } else { "" }
            ),
            percent: Some(percent(*earned, *max).clamp(0.0, 100.0)),
        },
        Some(earned) if *earned < 0.0 => {
            Row { name, text: format!("−{}", number(-earned)), percent: None }
        }
        Some(earned) => Row { name, text: format!("+{}", number(*earned)), percent: None },
    }
}

/// What is missing in the report of a grading that is under way.
pub(super) fn to_come(report: &SubmissionReport) -> Vec<&'static str> {
    let mut missing = Vec::new();
    if report.build.is_none() {
        missing.push("the build");
    }
    let failed = report.build.as_ref().is_some_and(|build| !build.built);
    if !failed && is_coming(report, "cases") {
        missing.push(if report.groups.is_empty() { "the cases" } else { "more cases" });
    }
    let has = |name: &str| report.points.parts.iter().any(|part| part.name == name);
    if !failed && has("leaks") && report.leaks.is_none() {
        missing.push("the leaks");
    }
    if has("tests") && report.tests.is_none() {
        missing.push("the tests");
    }
    missing
}

/// Whether a part is not yet complete, if the grading is under way.
fn is_coming(report: &SubmissionReport, part: &str) -> bool {
    match part {
        "leaks" => report.leaks.is_none(),
        "tests" => report.tests.is_none(),
        "cases" => {
            let groups = report.groups.iter().filter(|group| !group.extra);
            let known: f64 = groups.map(|group| group.max_points).sum();
            let all = report.points.parts.iter().find(|part| part.name == "cases");
            let has_more = all.is_none_or(|all| known + 0.01 < all.max);
            has_more || report.groups.iter().any(super::cases::is_partial)
        }
        _ => false,
    }
}
