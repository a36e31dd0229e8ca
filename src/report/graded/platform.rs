//! The result of a whole submission in the formats of grading platforms.

use super::{OTHER_SCALE, case, leaks, message, tests};
use crate::domain::Domain;
use crate::report::platform::{Part, PlatformKind, Submission};
use crate::report::screen::Screen;
use crate::report::words::counted;
use crate::result::graded::{GroupReport, SubmissionReport};
use std::fmt::{self, Write};
use std::io;

/// The documents of submissions, one after the other.
pub(in crate::report) fn documents(
    kind: PlatformKind,
    submissions: &[SubmissionReport],
    domain: &dyn Domain,
    noun: &str,
) -> io::Result<String> {
    let documents = submissions.iter().map(|report| document(kind, report, domain, noun));
    Ok(documents.collect::<Result<Vec<_>, _>>()?.join("\n") + "\n")
}

fn document(
    kind: PlatformKind,
    report: &SubmissionReport,
    domain: &dyn Domain,
    noun: &str,
) -> serde_json::Result<String> {
    let text = |write: &dyn Fn(&mut String) -> fmt::Result| {
        let mut text = String::new();
        write(&mut text).expect("a `String` takes any text");
        text.trim().to_owned()
    };
    let screen = Screen::default();
    let group = |group: &GroupReport| Part {
        name: format!("{}: {} of {} right", group.name, group.passed, group.total),
        earned: group.points,
        max: if group.extra { 0.0 } else { group.max_points },
        output: text(&|out| case::cases(out, group, domain, screen)),
    };
    let mut parts: Vec<_> = report.groups.iter().map(group).collect();
    let mut part = |name: &str, output: String| {
        let known = report.points.parts.iter().find(|part| part.name == name);
        if let Some((part, earned)) = known.and_then(|part| Some((part, part.earned?))) {
            parts.push(Part { name: name.to_owned(), earned, max: part.max, output });
        }
    };
    if let Some(found) = &report.leaks {
        part("leaks", text(&|out| leaks(out, found, screen)));
    }
    if let Some(found) = &report.tests {
        part("tests", text(&|out| tests(out, found, noun, screen)));
    }
    part("deductions", "The messages say what they are for.".to_owned());
    let messages = text(&|out| {
        if report.other_scale {
            writeln!(out, "warning: {OTHER_SCALE}")?;
        }
        message::findings(out, &report.findings, screen)?;
        report.build.iter().try_for_each(|build| message::build(out, build, screen))?;
        report.own.iter().try_for_each(|own| case::own(out, own, domain, screen))?;
        let by_hand = report.points.parts.iter().filter(|part| part.earned.is_none()).count();
        if by_hand > 0 {
            writeln!(out, "\n{} not graded yet", counted(by_hand, "part"))?;
        }
        Ok(())
    });
    (kind.submission)(&Submission {
        earned: report.points.earned,
        max: report.points.max,
        messages,
        is_graded: !report.refused,
        parts,
        leaderboard: leaderboard(report),
    })
}

/// The sums of the times and the most memory of all cases, if they were asked for and all cases were passed.
fn leaderboard(report: &SubmissionReport) -> Vec<(&'static str, f64)> {
    let cases = || report.groups.iter().flat_map(|group| &group.cases);
    let is_right = cases().all(|case| case.verdict.is_right());
    let measures: Option<Vec<_>> = cases().map(|case| case.measures.as_ref()).collect();
    let Some(measures) = measures.filter(|all| is_right && !all.is_empty()) else {
        return Vec::new();
    };
    let seconds: f64 = measures.iter().map(|one| one.seconds).sum();
    let megabytes = measures.iter().map(|one| one.megabytes).fold(0.0, f64::max);
    vec![("seconds", (seconds * 1000.0).round() / 1000.0), ("megabytes", megabytes)]
}
