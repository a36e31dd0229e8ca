//! The messages of a report: what the checks found, and how the build went.

use super::heading;
use crate::diagnostic::{Place, Problem, Warning};
use crate::report::screen::{Screen, WARNING};
use crate::report::words::{counted, number};
use crate::result::graded::{BuildReport, Diagnostic, Finding, Severity, SubmissionReport};
use std::fmt::{self, Write};
use std::path::PathBuf;

pub(in crate::report) const OTHER_SCALE: &str =
    "these points are on another scale: the points of the course changed since";
/// The most characters of the build's command that are shown.
const MOST_OF_A_COMMAND: usize = 40;

/// Writes that the points are on another scale than the course's now, if they are.
pub(super) fn scale(out: &mut String, report: &SubmissionReport, screen: Screen) -> fmt::Result {
    if !report.other_scale {
        return Ok(());
    }
    let problem =
        Problem::new(OTHER_SCALE).hint("`--regrade` shows its points on the present scale");
    writeln!(out, "\n{}", screen.fit(&Warning(problem).to_string()))
}

/// Writes what the checks found.
pub(super) fn findings(out: &mut String, findings: &[Finding], screen: Screen) -> fmt::Result {
    if findings.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    findings.iter().try_for_each(|finding| writeln!(out, "{}", screen.fit(&text(finding))))
}

/// A finding in the form of every other message.
fn text(finding: &Finding) -> String {
    let cost = match finding.points {
        Some(points) => format!(" (-{} points)", number(points)),
        None => String::new(),
    };
    let mut problem: Problem = finding.problem();
    problem.message += &cost;
    if let (Some(file), Some(line)) = (&finding.file, finding.line) {
        let text = finding.excerpt.as_ref().map(|excerpt| excerpt.text.clone());
        let mark = finding.excerpt.as_ref().and_then(|excerpt| excerpt.mark);
        let is_whole = mark.is_some_and(|mark| Some(mark.start + 1) == finding.column);
        let (file, column) = (PathBuf::from(file), finding.column);
        problem = problem.at(Place { file, line, column, text: text.filter(|_| is_whole) });
    }
    match finding.severity {
        Severity::Warning => Warning(problem).to_string(),
        Severity::Refusal | Severity::Deduction => problem.to_string(),
    }
}

/// Writes how the build went.
pub(super) fn build(out: &mut String, build: &BuildReport, screen: Screen) -> fmt::Result {
    let warnings = build.warnings.len() + build.more_warnings;
    let how = if build.built { "built" } else { "failed" };
    let command = match build.command.char_indices().nth(MOST_OF_A_COMMAND) {
        Some((end, _)) => format!("{}…", &build.command[..end]),
        None => build.command.clone(),
    };
    let heads = match (build.command.as_str(), build.built) {
        ("", true) => "Build: nothing to build".to_owned(),
        ("", false) => format!("Build: {how}"),
        _ => format!("Build: `{command}` {how}, {}", counted(warnings, "warning")),
    };
    heading(out, &heads, screen)?;
    if let Some(error) = &build.error {
        screen.field(out, "  error: ", &diagnostic(error))?;
        if let Some(hint) = &error.hint {
            screen.field(out, "  hint: ", hint)?;
        }
    }
    let label = format!("  {} ", screen.styled(WARNING, "warning:"));
    for warning in &build.warnings {
        screen.field(out, &label, &diagnostic(warning))?;
    }
    match build.more_warnings {
        0 => Ok(()),
        more => writeln!(out, "  and {}", counted(more, "more warning")),
    }
}

/// A message of a compiler with its place.
pub(in crate::report) fn diagnostic(diagnostic: &Diagnostic) -> String {
    let Diagnostic { file, line, column, message, hint: _ } = diagnostic;
    let numbers = [line, column].into_iter().flatten().map(|number| format!(":{number}"));
    let place = file.iter().cloned().chain(numbers).collect::<String>();
    if place.is_empty() { message.clone() } else { format!("{place}: {message}") }
}

/// The message that matters most.
pub(in crate::report) fn first(report: &SubmissionReport) -> Option<String> {
    let serious = report.findings.iter().find(|finding| finding.severity < Severity::Warning);
    let build = report.build.as_ref().and_then(|build| build.error.as_ref());
    let build = build.map(|error| format!("build: {}", diagnostic(error)));
    let failed = report.groups.iter().flat_map(|group| {
        group.cases.iter().filter(|case| case.share < 1.0).map(move |case| (group, case))
    });
    let failed = failed.map(|(_, case)| format!("{}: {}", case.name, case.verdict.word())).next();
    let leak = || {
        let leaks = report.leaks.as_ref()?.leaks.first()?;
        Some(format!("leaks on {}", leaks.case))
    };
    // Where no program runs on cases, what matters is what became of the tests.
    let rejected = || {
        let tests = report.tests.as_ref().filter(|_| report.groups.is_empty())?;
        if tests.tests.is_empty() {
            return Some("it has no tests".to_owned());
        }
        let mut rejected = tests.rejected();
        let first = format!("rejected: {}", rejected.next()?.file);
        Some(match rejected.count() {
            0 => first,
            more => format!("{first} and {more} more"),
        })
    };
    let serious = serious.map(|finding| finding.message.clone());
    serious.or(build).or(failed).or_else(leak).or_else(rejected)
}
