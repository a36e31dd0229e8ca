//! A submission whose files were read and checked, before anything is built or run, and the beginning and end of its report.

use super::digest;
use crate::course::{Assignment, Submission};
use crate::diagnostic::printable;
use crate::result::graded::points::{self, Points, Results, hundredths};
use crate::result::graded::{Finding, Severity, SubmissionReport};
use crate::submission::Contents;
use crate::submission::check::{self, Checked};
use std::path::PathBuf;

/// A submission whose files were read and checked.
pub struct Opened {
    /// What the checks alone say, without points.
    pub(super) report: SubmissionReport,
    pub(super) checked: Checked,
    /// The digest of its files and of what is wrong with them.
    pub(super) digest: String,
}

impl Opened {
    pub(super) fn new(
        contents: Contents,
        assignment: &Assignment,
        submission: &Submission,
    ) -> Self {
        let digest = digest::of_contents(&contents);
        let (report, checked) = begin(contents, assignment, submission);
        Self { report, checked, digest }
    }

    /// The same submission, of a student with this name.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.report.name = printable(name);
        self
    }

    /// The name of the student.
    pub fn name(&self) -> &str {
        &self.report.name
    }

    /// The digest of its files and of what is wrong with them.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// How many bytes of files it holds.
    pub(super) fn bytes(&self) -> usize {
        let files = self.checked.sources.iter().chain(&self.checked.tests);
        files.map(|file| file.bytes.len()).sum()
    }
}

/// The reports of submissions that are all refused for their files alone, so that nothing needs to be built or run. `None` if one is not.
pub fn refused(
    paths: &[PathBuf],
    assignment: &Assignment,
    submission: &Submission,
) -> Option<Vec<SubmissionReport>> {
    let refused = |path: &PathBuf| {
        let contents = Contents::read(path, submission);
        let mut report = Opened::new(contents, assignment, submission).report;
        end(&mut report, submission);
        report.refused.then_some(report)
    };
    paths.iter().map(refused).collect()
}

/// The report of a submission whose files were checked, and what the checks say.
fn begin(
    contents: Contents,
    assignment: &Assignment,
    submission: &Submission,
) -> (SubmissionReport, Checked) {
    let (name, digest) = (contents.name.clone(), contents.digest());
    let mut checked = check::check(contents, assignment, submission);
    let findings = std::mem::take(&mut checked.findings);
    let report = SubmissionReport {
        name,
        digest,
        refused: is_refused(&findings),
        other_scale: false,
        findings,
        build: None,
        groups: Vec::new(),
        leaks: None,
        tests: None,
        own: None,
        points: Points { earned: 0.0, max: 0.0, parts: Vec::new() },
    };
    (report, checked)
}

/// A report of what is known until now. It has no points.
pub(super) fn so_far(report: &SubmissionReport) -> SubmissionReport {
    let mut seen = report.clone();
    seen.refused = is_refused(&seen.findings);
    points::charge(&mut seen.findings);
    round(&mut seen);
    seen
}

/// Computes the points.
pub(super) fn end(report: &mut SubmissionReport, submission: &Submission) {
    points::charge(&mut report.findings);
    let results = Results {
        refused: report.refused,
        findings: &report.findings,
        groups: &report.groups,
        leaks: report.leaks.as_ref(),
        tests: report.tests.as_ref(),
    };
    report.points = Points::of(&results, &submission.points);
    // The sum is rounded, and not the sum of rounded points.
    round(report);
}

fn round(report: &mut SubmissionReport) {
    for group in &mut report.groups {
        group.points = hundredths(group.points);
        group.max_points = hundredths(group.max_points);
    }
}

pub(super) fn is_refused(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Refusal)
}
