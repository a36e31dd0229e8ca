//! The messages of a report: what the checks found, and what the build said.

use crate::diagnostic::Excerpt;
use crate::report::graded::diagnostic;
use crate::report::words::{counted, number};
use crate::result::graded::{BuildReport, Diagnostic, Finding, Severity};

/// A finding of the checks.
pub(super) struct Message<'a> {
    /// A class of the style.
    pub(super) class: &'static str,
    /// What it does, with a sign, because colour alone does not suffice.
    pub(super) word: String,
    pub(super) text: &'a str,
    /// `file:line:column`.
    pub(super) place: String,
    /// The text before the mark, what is marked, and the text behind it.
    pub(super) excerpt: Option<(&'a str, &'a str, &'a str)>,
    pub(super) hint: Option<&'a str>,
}

/// How the build went.
pub(super) struct Build<'a> {
    pub(super) command: &'a str,
    pub(super) built: bool,
    pub(super) error: Option<(String, Option<&'a str>)>,
    /// The number of warnings in words, and those that are listed.
    pub(super) counted: String,
    pub(super) warnings: Vec<String>,
    pub(super) more_warnings: usize,
}

impl<'a> Message<'a> {
    /// `refused` says whether the submission was, so that nothing cost points.
    pub(super) fn of(finding: &'a Finding, refused: bool) -> Self {
        let Finding { severity, points, file, line, column, excerpt, message, hint, .. } = finding;
        let (class, word) = match (severity, points) {
            (Severity::Refusal, _) => ("refusal", "✗ refused".to_owned()),
            (Severity::Deduction, _) if refused => ("deduction", "▼ would cost points".to_owned()),
            (Severity::Deduction, Some(points)) => {
                ("deduction", format!("▼ costs points: −{}", number(*points)))
            }
            (Severity::Deduction, None) => ("deduction", "▼ costs points, counted once".to_owned()),
            (Severity::Warning, _) => ("warning", "▲ warning, costs nothing".to_owned()),
        };
        let numbers = [line, column].into_iter().flatten().map(|number| format!(":{number}"));
        Self {
            class,
            word,
            text: message,
            place: file.iter().cloned().chain(numbers).collect(),
            excerpt: excerpt.as_ref().map(Excerpt::around_mark),
            hint: hint.as_deref(),
        }
    }
}

impl<'a> Build<'a> {
    pub(super) fn of(build: &'a BuildReport) -> Self {
        let error = |error: &'a Diagnostic| (diagnostic(error), error.hint.as_deref());
        Self {
            command: &build.command,
            built: build.built,
            error: build.error.as_ref().map(error),
            counted: counted(build.warnings.len() + build.more_warnings, "warning"),
            warnings: build.warnings.iter().map(diagnostic).collect(),
            more_warnings: build.more_warnings,
        }
    }
}
