//! A submission whose files were read and checked, before anything is built or run, and the beginning and end of its report.

use super::digest;
use crate::course::{Assignment, Submission};
use crate::diagnostic::printable;
use crate::result::graded::points::{self, PointsReport, Results, hundredths};
use crate::result::graded::{Finding, Severity, SubmissionReport};
use crate::submission::Contents;
use crate::submission::check::{self as rules, Checked};
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

/// The report of the checks of the files alone, without an assignment that is ready: nothing is built or run. If it is refused, grading
/// it says the same. Otherwise nothing is earned yet.
pub fn check(
    contents: Contents,
    assignment: &Assignment,
    submission: &Submission,
) -> SubmissionReport {
    let mut report = Opened::new(contents, assignment, submission).report;
    end(&mut report, submission);
    report
}

/// The reports of submissions that are all refused for their files alone, so that nothing needs to be built or run. `None` if one is not.
pub fn refused(
    paths: &[PathBuf],
    assignment: &Assignment,
    submission: &Submission,
) -> Option<Vec<SubmissionReport>> {
    let refused = |path: &PathBuf| {
        let report = check(Contents::read(path, submission), assignment, submission);
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
    let mut checked = rules::check(contents, assignment, submission);
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
        points: PointsReport { earned: 0.0, max: 0.0, parts: Vec::new() },
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
    report.points = PointsReport::of(&Results::of(report), &submission.points);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::Course;
    use crate::course::submission::Rule;
    use crate::files::{self, Archived};
    use std::fs;

    const COURSE: &str = "course: C\nassignments:\n  a:\n    domain: text\n    program: { reference: { run: [sh, a.sh] }, \
        mutant: { run: [sh, a.sh] } }\n    mutants: mutants\n    tests: { files: 9, flags: [] }\n    \
        scoring: { start: 1, full: 1 }\n    submission:\n      program: a\n      kilobytes: 1\n      cases: cases.yaml\n";

    /// What the checks say of these files, which an archive of them must get too.
    fn checked(files: &[(&str, &str)]) -> SubmissionReport {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("mutants")).unwrap();
        for (name, text) in [
            ("harness.yaml", COURSE),
            ("a.sh", ""),
            ("cases.yaml", "g: { cases: { A: { flags: '', text: '1' } } }\n"),
        ] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let course = Course::read(folder.path()).unwrap_or_else(|it| panic!("{:?}", it.problems));
        let assignment = &course.assignments[0];
        let submission = assignment.submission.as_ref().unwrap();
        let file = |(name, text): &(&str, &str)| Archived {
            path: name.into(),
            bytes: text.as_bytes().to_vec(),
            is_program: false,
        };
        let files: Vec<_> = files.iter().map(file).collect();
        let report = check(Contents::of_files("ann", &files, submission), assignment, submission);
        if let Ok(archive) = files::archive(&files) {
            let contents = Contents::of_archive("ann.tar.gz", &archive[..], submission);
            assert_eq!(check(contents, assignment, submission), report);
        }
        report
    }

    fn rules(report: &SubmissionReport) -> Vec<Rule> {
        report.findings.iter().map(|finding| finding.rule).collect()
    }

    #[test]
    fn loose_files_are_checked_like_an_archive_of_them() {
        let fine = [("main.cpp", "int main() {}"), ("Makefile", "a:\n"), ("test-1.txt", "1")];
        let report = checked(&fine);
        assert_eq!((report.refused, rules(&report)), (false, vec![]));
        assert_eq!((report.name.as_str(), report.points.earned), ("ann", 0.0));
        let (large, endless) = ("x".repeat(2000), "x".repeat(5000));
        for (files, rule) in [
            (&[][..], Rule::Readable),
            (&[("Makefile", ""), ("../main.cpp", "")], Rule::Readable),
            (&[("Makefile", ""), ("/main.cpp", "")], Rule::Readable),
            (&[("Makefile", ""), ("Makefile", "")], Rule::Readable),
            (&[("Makefile", &large)], Rule::Size),
            (&[("Makefile", &endless)], Rule::Readable),
        ] {
            let report = checked(files);
            assert!(report.refused && rules(&report)[0] == rule, "{files:?}: {report:?}");
        }
        let report = checked(&[("mine/Makefile", ""), ("mine/main.cpp", "")]);
        assert_eq!((report.refused, rules(&report)), (false, vec![Rule::Folders]));
    }

    #[test]
    fn the_order_of_files_does_not_matter() {
        let report = checked(&[("b.cpp", ""), ("a.cpp", ""), ("Makefile", "")]);
        assert_eq!(report, checked(&[("Makefile", ""), ("b.cpp", ""), ("a.cpp", "")]));
    }
}
