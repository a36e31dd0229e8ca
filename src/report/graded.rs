//! `grade --format text`: messages first, then the groups of cases, then the points.

mod case;
mod message;
pub(super) mod platform;

use super::screen::{BAD, GOOD, STRONG, Screen, WARNING};
use super::table::Table;
use super::words::{counted, covered, lines, number, scored_in, share_exposed};
use crate::domain::Domain;
use crate::result::SuiteReport;
use crate::result::graded::points::{Part, PointsReport};
use crate::result::graded::{Graded, LeaksReport, SubmissionReport};
pub(super) use message::{OTHER_SCALE, diagnostic, first};
use std::fmt::{self, Write};

/// Where a person finds how to get what limits memory.
const DOCTOR: &str = "hint: `harness doctor` says how to get control groups";

/// Writes the result of one submission, or of a class.
///
/// # Errors
/// Never: a `String` takes any text.
pub fn write(
    out: &mut String,
    graded: &Graded,
    domain: &dyn Domain,
    noun: &str,
    screen: Screen,
) -> fmt::Result {
    match graded.submissions.as_slice() {
        [only] => {
            let has_points = graded.points_from.is_none();
            submission(out, only, has_points, domain, noun, screen)
        }
        all => class(out, &graded.title, all, screen),
    }?;
    if let Some(what) = &graded.not_limited {
        writeln!(out)?;
        screen.prose(out, &format!("warning: {what}"))?;
        screen.prose(out, DOCTOR)?;
    }
    if !graded.left_out.is_empty() || !graded.files.is_empty() {
        writeln!(out)?;
    }
    screen.left_out(out, "submissions", &graded.left_out)?;
    screen.files(out, &graded.files)
}

/// Writes the result of one submission, perhaps before its points are shown.
fn submission(
    out: &mut String,
    report: &SubmissionReport,
    has_points: bool,
    domain: &dyn Domain,
    noun: &str,
    screen: Screen,
) -> fmt::Result {
    let PointsReport { earned, max, .. } = report.points;
    let summary = if report.refused {
        screen.styled(BAD.bold(), "not graded")
    } else if !has_points {
        "graded".to_owned()
    } else {
        format!("{} of {} points", number(earned), number(max))
    };
    writeln!(out, "{}: {summary}", screen.styled(STRONG, &report.name))?;
    message::scale(out, report, screen)?;
    message::findings(out, &report.findings, screen)?;
    if let Some(build) = &report.build {
        message::build(out, build, screen)?;
    }
    case::groups(out, &report.groups, domain, screen)?;
    if let Some(own) = &report.own {
        case::own(out, own, domain, screen)?;
    }
    if let Some(leaks) = &report.leaks {
        self::leaks(out, leaks, screen)?;
    }
    if let Some(tests) = &report.tests {
        self::tests(out, tests, noun, screen)?;
    }
    if report.refused || !has_points { Ok(()) } else { points(out, &report.points, screen) }
}

/// Writes a heading after an empty line.
fn heading(out: &mut String, text: &str, screen: Screen) -> fmt::Result {
    writeln!(out, "\n{}", screen.styled(STRONG, text))
}

/// On how many of the checked cases a program leaks.
pub(super) fn leaking(leaks: &LeaksReport) -> String {
    let LeaksReport { checked, clean, unchecked, evaded, .. } = leaks;
    match (*checked, checked - clean) {
        (0, _) if unchecked.is_none() && evaded.is_none() => {
            "no case was passed that could be checked".to_owned()
        }
        (0, _) => "not checked".to_owned(),
        (all, 0) => format!("none in {}", counted(all, "checked case")),
        (all, some) => format!("in {some} of {}", counted(all, "checked case")),
    }
}

fn leaks(out: &mut String, leaks: &LeaksReport, screen: Screen) -> fmt::Result {
    heading(out, &format!("Leaks: {}", leaking(leaks)), screen)?;
    for leak in &leaks.leaks {
        let label = format!("  {} ", screen.styled(BAD, &format!("{}:", leak.kind)));
        let text = format!("{} bytes on {}", leak.bytes, leak.case);
        screen.field(out, &label, &text)?;
        place(out, &leak.place, screen)?;
    }
    for error in &leaks.errors {
        let label = format!("  {} ", screen.styled(WARNING, "memory error:"));
        screen.field(out, &label, &format!("{} on {}", error.message, error.case))?;
        place(out, &error.place, screen)?;
    }
    if let Some(why) = &leaks.evaded {
        let label = format!("  {} ", screen.styled(BAD, "no points:"));
        screen.field(out, &label, &format!("a case cannot be checked: {why}"))?;
    }
    match &leaks.unchecked {
        Some(why) => screen.field(out, "  note: ", &format!("a case was not checked: {why}")),
        None => Ok(()),
    }
}

/// Writes the functions that led to a leak or an error.
fn place(out: &mut String, place: &[String], screen: Screen) -> fmt::Result {
    place.iter().try_for_each(|function| screen.cut(out, &format!("    in {function}")))
}

fn tests(out: &mut String, tests: &SuiteReport, noun: &str, screen: Screen) -> fmt::Result {
    let (valid, rejected) = (counted(tests.valid_tests(), "valid test"), tests.rejected_tests());
    heading(out, &format!("Tests: {valid}, {rejected} rejected"), screen)?;
    if let Some(score) = &tests.score {
        screen.field(out, "  ", &share_exposed(score, noun))?;
    }
    for test in tests.rejected() {
        screen.field(out, &format!("  {}: ", test.file), &super::words::reason(test))?;
        let hint = test.hint.iter().map(|hint| format!("hint: {hint}"));
        hint.into_iter().try_for_each(|hint| screen.field(out, "    ", &hint))?;
    }
    if !tests.exposed_by.is_empty() {
        let ids: Vec<_> = tests.exposed_by.keys().map(String::as_str).collect();
        screen.prose(out, &format!("  exposed: {}", ids.join(", ")))?;
    }
    let Some(coverage) = &tests.coverage else { return Ok(()) };
    screen.field(out, "  coverage: ", &covered(coverage))?;
    coverage.missed.iter().try_for_each(|(file, ranges)| {
        screen.field(out, &format!("    {file}, not reached: "), &lines(ranges))
    })
}

fn points(out: &mut String, points: &PointsReport, screen: Screen) -> fmt::Result {
    let total = format!("Points: {} of {}", number(points.earned), number(points.max));
    heading(out, &total, screen)?;
    let mut table = Table::new(2).right_aligned(&[1]);
    for Part { name, earned, max } in &points.parts {
        let earned = earned.map_or_else(|| "-".to_owned(), number);
        let of = if *max > 0.0 { format!("of {}", number(*max)) } else { String::new() };
        table.row([name.clone(), earned, of]);
    }
    table.write(out, screen)?;
    match points.parts.iter().filter(|part| part.earned.is_none()).count() {
        0 => Ok(()),
        count => writeln!(out, "  {} not graded yet", counted(count, "part")),
    }
}

/// Points that cannot be compared with the others of a class.
pub(super) fn of_other_scale(points: &PointsReport) -> String {
    format!("{}/{}", number(points.earned), number(points.max))
}

/// Writes a line for each submission.
fn class(out: &mut String, title: &str, all: &[SubmissionReport], screen: Screen) -> fmt::Result {
    writeln!(out, "{}", screen.styled(STRONG, title))?;
    let mut table = Table::new(2).right_aligned(&[1, 2, 3, 4]);
    let scored = format!("{}s", scored_in(all));
    table.row(["submission", "points", "cases", "leaks", &scored, ""].map(str::to_owned));
    for report in all {
        let (passed, total) = report
            .groups
            .iter()
            .fold((0, 0), |(passed, total), group| (passed + group.passed, total + group.total));
        let score = report.tests.as_ref().and_then(|tests| tests.score.as_ref());
        let leaks = report.leaks.as_ref().filter(|leaks| leaks.checked > 0);
        let none = || "-".to_owned();
        let points = match report {
            _ if report.refused => none(),
            _ if report.other_scale => of_other_scale(&report.points),
            _ => number(report.points.earned),
        };
        table.row([
            report.name.clone(),
            points,
            if total > 0 { format!("{passed}/{total}") } else { none() },
            leaks.map_or_else(none, |leaks| (leaks.checked - leaks.clean).to_string()),
            score.map_or_else(none, |score| score.exposed.to_string()),
            message::first(report).unwrap_or_default(),
        ]);
    }
    table.write(out, screen)?;
    let comparable = all.iter().filter(|report| !report.other_scale);
    let points: Vec<f64> = comparable.map(|report| report.points.earned).collect();
    let mean = match points.len() {
        0 => "-".to_owned(),
        count => format!("{} points", number(points.iter().sum::<f64>() / count as f64)),
    };
    let refused = all.iter().filter(|report| report.refused).count();
    heading(out, &format!("Mean: {mean}"), screen)?;
    let style = if refused == 0 { GOOD } else { WARNING };
    let refused = screen.styled(style, &format!("{refused} not graded"));
    writeln!(out, "  {}, {refused}", counted(all.len(), "submission"))?;
    match all.len() - points.len() {
        0 => Ok(()),
        others => screen.field(
            out,
            &format!("  {} ", screen.styled(WARNING, &format!("{others} on another scale:"))),
            "the points of the course changed, so they are not in the mean; `--regrade` shows \
             their points now",
        ),
    }
}
