//! Grades one submission: reads and checks it, scores its tests, builds it, and runs it.

use super::digest;
use super::layout::Class;
use super::suites::Suites;
use crate::course::cases::{CaseGroup, RightAnswer};
use crate::course::submission::Rule;
use crate::course::{Assignment, Course, Submission};
use crate::diagnostic::{Failure, Problem};
use crate::result::graded::points::{self, Points, Results, hundredths};
use crate::result::graded::{
    CaseReport, Finding, GroupReport, OwnReport, Severity, SubmissionReport, Verdict,
};
use crate::submission::Contents;
use crate::submission::case::{MadeCase, Maker};
use crate::submission::check::{self, Checked};
use crate::submission::store::Store;
use crate::submission::trial::Bench;
use crate::submission::trials::{self, Trials};
use std::path::Path;

/// Everything that grading the submissions for one assignment needs.
pub(super) struct Grader<'a> {
    bench: Bench<'a>,
    store: Store,
    suites: &'a Suites<'a>,
    /// The cases of each group.
    cases: Vec<Vec<MadeCase>>,
    /// The digest of what the course says.
    digest: String,
}

impl<'a> Grader<'a> {
    /// Makes the cases.
    pub(super) fn new(
        (bench, store): (Bench<'a>, Store),
        suites: &'a Suites<'a>,
        course: &Course,
        seed: u64,
    ) -> Result<Self, Failure> {
        let maker = Maker { course, assignment: bench.assignment, seed };
        let groups = &bench.submission.cases;
        let cases = groups
            .iter()
            .map(|group| maker.group(group, &mut |case| bench.reference.accepts(case)))
            .collect::<Result<Vec<_>, _>>()?;
        let digest = digest::of_course(&bench, suites, &cases);
        Ok(Self { bench, store, suites, cases, digest })
    }

    /// The digest of all that the course says about these submissions.
    pub(super) fn digest(&self) -> &str {
        &self.digest
    }

    /// Reads the submission in a folder or an archive.
    pub(super) fn read(&self, path: &Path) -> Contents {
        Contents::read(path, self.bench.submission)
    }

    /// The digest of the sources of a submission.
    pub(super) fn sources_key(&self, contents: Contents) -> String {
        let Bench { assignment, submission, .. } = self.bench;
        let sources = check::check(contents, assignment, submission).sources;
        trials::sources_key(&self.store, &sources, submission)
    }

    /// Scores the tests of a submission, so that the store has their score.
    pub(super) fn score(&self, contents: Contents) -> Result<(), Failure> {
        let Bench { assignment, submission, .. } = self.bench;
        let name = contents.name.clone();
        let tests = check::check(contents, assignment, submission).tests;
        self.suites.score(&name, &tests, &self.store).map(|_| ())
    }

    /// Grades a submission. What it is built and run by uses only `core`.
    pub(super) fn grade(
        &self,
        contents: Contents,
        core: Option<usize>,
    ) -> Result<SubmissionReport, Failure> {
        let Bench { assignment, submission, .. } = self.bench;
        let (mut report, mut checked) = begin(contents, assignment, submission);
        let mut findings = std::mem::take(&mut checked.findings);
        if !report.refused {
            let (suite, own) = self.suites.score(&report.name, &checked.tests, &self.store)?;
            report.tests = Some(suite);
            let mut trials = Trials::begin((&self.bench, &self.store), &checked.sources, core)?;
            let mut found = check::listed(submission, trials.built.broken.clone());
            if !trials.built.report.built {
                found.iter_mut().for_each(spare);
            }
            findings.extend(found);
            let mut build = trials.built.report.clone();
            if let Some(error) = &mut build.error {
                error.hint = check::cause(&checked, &error.message).or(error.hint.take());
            }
            report.build = Some(build);
            let broken = self.run(&mut report, &own, &mut trials)?;
            findings.extend(check::listed(submission, broken.into_iter().collect()));
            report.refused = is_refused(&findings);
            trials.keep()?;
        }
        end(&mut report, findings, submission);
        Ok(report)
    }

    /// Runs the programs on the cases and on the student's own tests. Gives what is wrong with all runs on cases.
    fn run(
        &self,
        report: &mut SubmissionReport,
        own: &[MadeCase],
        trials: &mut Trials<'_>,
    ) -> Result<Option<(Rule, Problem)>, Failure> {
        let submission = self.bench.submission;
        let mut passed = Vec::new();
        for (group, cases) in submission.cases.iter().zip(&self.cases) {
            let reports = Self::group(cases, trials)?;
            let is_checked = submission.leaks.groups.contains(&group.name);
            // Whether a program does the same under valgrind, only an answer of the reference tells.
            let right = cases.iter().zip(&reports).filter(|(made, it)| {
                is_checked && it.verdict.is_right() && made.answer == RightAnswer::Reference
            });
            passed.extend(right.map(|(made, _)| made));
            report.groups.push(self.weighed(group, reports));
        }
        let broken = trials.says_too_much();
        passed.truncate(submission.leaks.cases);
        if submission.points.leaks > 0.0 {
            report.leaks = Some(trials.leaks(&passed)?);
        }
        for made in own {
            let case = trials.case(made, true)?;
            if !case.verdict.is_right() && case.verdict != Verdict::NotRun {
                let CaseReport { name: file, verdict, command, shown, .. } = case;
                report.own = shown.map(|shown| OwnReport { file, verdict, command, shown });
                break;
            }
        }
        Ok(broken)
    }

    /// The results of the cases of a group. The first one that fails is shown in full.
    fn group(cases: &[MadeCase], trials: &mut Trials<'_>) -> Result<Vec<CaseReport>, Failure> {
        let mut reports: Vec<CaseReport> = Vec::new();
        for made in cases {
            let is_first = reports.iter().all(|report| report.shown.is_none());
            reports.push(trials.case(made, is_first)?);
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
}

/// The reports of submissions that are all refused for their files alone, so that nothing needs to be built or run. `None` if one is not.
pub(super) fn refused(class: &Class<'_>) -> Option<Vec<SubmissionReport>> {
    let Class { assignment, submission, ref paths, .. } = *class;
    let refused = |path| {
        let contents = Contents::read(path, submission);
        let (mut report, checked) = begin(contents, assignment, submission);
        end(&mut report, checked.findings, submission);
        report.refused.then_some(report)
    };
    paths.iter().map(|path| refused(path)).collect()
}

/// The report of a submission whose files were checked, and what the checks say.
fn begin(
    contents: Contents,
    assignment: &Assignment,
    submission: &Submission,
) -> (SubmissionReport, Checked) {
    let (name, digest) = (contents.name.clone(), contents.digest());
    let checked = check::check(contents, assignment, submission);
    let report = SubmissionReport {
        name,
        digest,
        refused: is_refused(&checked.findings),
        other_scale: false,
        findings: Vec::new(),
        build: None,
        groups: Vec::new(),
        leaks: None,
        tests: None,
        own: None,
        points: Points { earned: 0.0, max: 0.0, parts: Vec::new() },
    };
    (report, checked)
}

/// Computes the points.
fn end(report: &mut SubmissionReport, mut findings: Vec<Finding>, submission: &Submission) {
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
}

/// Makes a finding about a build without a program a warning, because the program is lost already. What is banned was handed in all the
/// same.
fn spare(finding: &mut Finding) {
    if finding.rule != Rule::Banned {
        finding.severity = Severity::Warning;
        finding.points = None;
    }
}

fn is_refused(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Refusal)
}
