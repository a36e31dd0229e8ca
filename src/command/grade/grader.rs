//! Grades one submission: reads and checks it, scores its tests, builds it, and runs it.

use super::suites::Suites;
use crate::course::Course;
use crate::course::cases::CaseGroup;
use crate::problem::Failure;
use crate::result::graded::points::{self, Points, Results, hundredths};
use crate::result::graded::{
    CaseReport, Finding, GroupReport, LeaksReport, OwnReport, Severity, SubmissionReport, Verdict,
};
use crate::submission::build::{self, Built};
use crate::submission::case::{MadeCase, Maker};
use crate::submission::check::{self, Checked};
use crate::submission::trial::{Bench, Tried};
use crate::submission::{Contents, leak};
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;

/// Everything that grading the submissions for one assignment needs.
pub(super) struct Grader<'a> {
    bench: Bench<'a>,
    suites: &'a Suites<'a>,
    /// The cases of each group.
    cases: Vec<Vec<MadeCase>>,
}

/// The programs of a submission, each in a folder of its own.
type Executables = BTreeMap<String, TempDir>;

impl<'a> Grader<'a> {
    /// Makes the cases.
    pub(super) fn new(
        bench: Bench<'a>,
        suites: &'a Suites<'a>,
        course: &Course,
        seed: u64,
    ) -> Result<Self, Failure> {
        let maker = Maker { course, assignment: bench.assignment, seed };
        let groups = &bench.submission.cases;
        let cases = groups
            .iter()
            .map(|group| maker.group(group, &mut |case| bench.reference.accepts(case)))
            .collect::<Result<_, _>>()?;
        Ok(Self { bench, suites, cases })
    }

    /// The digest of the reference.
    pub(super) fn reference_digest(&self) -> &str {
        self.bench.reference.digest()
    }

    /// The cases of each group.
    pub(super) fn cases(&self) -> &[Vec<MadeCase>] {
        &self.cases
    }

    /// Reads the submission in a folder or an archive.
    pub(super) fn read(&self, path: &Path) -> Contents {
        Contents::read(path, self.bench.submission)
    }

    /// Grades a submission. Timed runs use only `core`.
    pub(super) fn grade(
        &self,
        contents: Contents,
        core: Option<usize>,
    ) -> Result<SubmissionReport, Failure> {
        let Bench { assignment, submission, .. } = self.bench;
        let (name, digest) = (contents.name.clone(), contents.digest());
        let Checked { mut findings, sources, tests } =
            check::check(contents, assignment, submission);
        let is_refused = |findings: &[Finding]| {
            findings.iter().any(|finding| finding.severity == Severity::Refusal)
        };
        let mut report = SubmissionReport {
            name,
            digest,
            refused: is_refused(&findings),
            findings: Vec::new(),
            build: None,
            groups: Vec::new(),
            leaks: None,
            tests: None,
            own: None,
            points: Points { earned: 0.0, max: 0.0, parts: Vec::new() },
        };
        if !report.refused {
            let (suite, own) = self.suites.score(&report.name, &tests)?;
            report.tests = Some(suite);
            let Built { report: build, broken, programs } =
                build::build(self.bench.sandbox, &sources, submission)?;
            findings.extend(check::listed(submission, broken));
            report.build = Some(build);
            report.refused = is_refused(&findings);
            self.run(&mut report, &own, &programs, core)?;
        }
        points::charge(&mut findings);
        report.findings = findings;
        let results = Results {
            refused: report.refused,
            findings: &report.findings,
            groups: &report.groups,
            leaks: report.leaks.as_ref(),
            tests: report.tests.as_ref(),
        };
        report.points = Points::of(&results, &submission.points);
        // The sum is rounded, and not the sum of rounded points.
        for group in &mut report.groups {
            group.points = hundredths(group.points);
            group.max_points = hundredths(group.max_points);
        }
        Ok(report)
    }

    /// Runs the programs on the cases and on the student's own tests.
    fn run(
        &self,
        report: &mut SubmissionReport,
        own: &[MadeCase],
        programs: &Executables,
        core: Option<usize>,
    ) -> Result<(), Failure> {
        let submission = self.bench.submission;
        let mut passed = Vec::new();
        for (group, cases) in submission.cases.iter().zip(&self.cases) {
            let reports = self.group(cases, programs, core)?;
            let is_checked = submission.leaks.groups.contains(&group.name);
            let right =
                cases.iter().zip(&reports).filter(|(_, it)| is_checked && it.verdict.is_right());
            passed.extend(right.map(|(made, _)| made));
            report.groups.push(self.weighed(group, reports));
        }
        passed.truncate(submission.leaks.cases);
        if submission.points.leaks > 0.0 {
            report.leaks = Some(self.leaks(&passed, programs, core)?);
        }
        for made in own {
            let tried = self.bench.try_case(made, programs, core)?;
            if !tried.report.verdict.is_right() && tried.report.verdict != Verdict::NotRun {
                report.own = self.own(made, tried)?;
                break;
            }
        }
        Ok(())
    }

    /// The results of the cases of a group. The first one that fails is shown in full.
    fn group(
        &self,
        cases: &[MadeCase],
        programs: &Executables,
        core: Option<usize>,
    ) -> Result<Vec<CaseReport>, Failure> {
        let mut reports: Vec<CaseReport> = Vec::new();
        for made in cases {
            let mut tried = self.bench.try_case(made, programs, core)?;
            let is_first = reports.iter().all(|report| report.shown.is_none());
            if is_first && !tried.report.verdict.is_right() {
                tried.report.shown = self.bench.shown(made, &tried)?;
            }
            reports.push(tried.report);
        }
        Ok(reports)
    }

    /// The group with its points: its share of the points for cases, or its extra points.
    fn weighed(&self, group: &CaseGroup, cases: Vec<CaseReport>) -> GroupReport {
        let submission = self.bench.submission;
        let usual = || submission.cases.iter().filter(|group| group.extra.is_none());
        let weights: f64 = usual().map(|group| group.weight).sum();
        let max_points = match group.extra {
            Some(extra) => extra,
            None if weights > 0.0 => submission.points.cases * group.weight / weights,
            None => 0.0,
        };
        let share: f64 =
            cases.iter().map(|case| case.share).sum::<f64>() / cases.len().max(1) as f64;
        GroupReport {
            name: group.name.clone(),
            extra: group.extra.is_some(),
            points: max_points * share,
            max_points,
            passed: cases.iter().filter(|case| case.verdict.is_right()).count(),
            total: cases.len(),
            cases,
        }
    }

    fn leaks(
        &self,
        passed: &[&MadeCase],
        programs: &Executables,
        core: Option<usize>,
    ) -> Result<LeaksReport, Failure> {
        leak::check(&self.bench, passed, programs, core)
    }

    fn own(&self, made: &MadeCase, tried: Tried) -> Result<Option<OwnReport>, Failure> {
        let shown = self.bench.shown(made, &tried)?;
        let CaseReport { verdict, command, .. } = tried.report;
        Ok(shown.map(|shown| OwnReport { file: made.name.clone(), verdict, command, shown }))
    }
}
