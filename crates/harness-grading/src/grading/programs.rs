//! The programs of submissions: building them, running them on the cases, and checking them for leaks.

use super::observer::Observer;
use super::opened;
use super::ready::Settings;
use super::stage::{Stage, StageWatch};
use super::suites::Suites;
use super::uncounted;
use crate::course::cases::{CaseGroup, RightAnswer};
use crate::course::submission::Rule;
use crate::course::{Assignment, Course, Submission};
use crate::diagnostic::Failure;
use crate::result::graded::{
    CaseReport, Finding, GroupReport, OwnReport, Severity, SubmissionReport, Verdict,
};
use crate::submission::case::{MadeCase, Maker};
use crate::submission::check::{self, Checked};
use crate::submission::trial::Bench;
use crate::submission::trials::Trials;

/// What the programs of submissions run on.
pub(super) struct Programs {
    pub(super) bench: Bench,
    /// The cases of each group.
    pub(super) cases: Vec<Vec<MadeCase>>,
}

impl Programs {
    /// Builds the reference, and makes the cases.
    ///
    /// # Errors
    /// If a build fails, the reference rejects every witness, or a case cannot be made.
    pub(super) fn build(
        course: &Course,
        assignment: &Assignment,
        submission: &Submission,
        suites: &Suites,
        settings: &Settings,
        on: &dyn Observer,
    ) -> Result<Self, Failure> {
        let Settings { work, sandbox, seed, shows_times, .. } = settings;
        on.begin("making the cases", None);
        let sandbox = sandbox.clone();
        let bench = Bench::build(work, course, assignment, submission, sandbox, *shows_times)?;
        if let Some(outcome) = bench.reference.rejects_all(&suites.witnesses())? {
            return Err(uncounted::rejects_all(assignment, &outcome));
        }
        let maker = Maker { work, course, assignment, seed: *seed };
        let groups = submission.cases.iter();
        let cases = groups
            .map(|group| maker.group(group, &mut |case| bench.reference.accepts(case)))
            .collect::<Result<Vec<_>, _>>()?;
        on.end();
        Ok(Self { bench, cases })
    }

    /// Adds to the report what comes of building and running the programs of a submission.
    ///
    /// # Errors
    /// If the machine or the reference fails.
    pub(super) fn try_on(
        &self,
        report: &mut SubmissionReport,
        checked: &Checked,
        own: &[MadeCase],
        mut trials: Trials<'_>,
        watch: &mut StageWatch<'_>,
    ) -> Result<(), Failure> {
        let mut found = check::listed(&self.bench.submission, trials.built.broken.clone());
        if !trials.built.report.built {
            found.iter_mut().for_each(spare);
        }
        report.findings.extend(found);
        let mut build = trials.built.report.clone();
        if let Some(error) = &mut build.error {
            error.hint = check::cause(checked, &self.bench.submission, &error.message)
                .or_else(|| check::misnamed(checked))
                .or(error.hint.take());
        }
        report.build = Some(build);
        watch(Stage::Build, &opened::so_far(report))?;
        self.run(report, own, &mut trials, watch)?;
        report.refused = opened::is_refused(&report.findings);
        trials.keep()
    }

    /// Runs the programs on the cases and on the student's own tests, and checks them for leaks.
    fn run(
        &self,
        report: &mut SubmissionReport,
        own: &[MadeCase],
        trials: &mut Trials<'_>,
        watch: &mut StageWatch<'_>,
    ) -> Result<(), Failure> {
        let submission = &*self.bench.submission;
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
            watch(Stage::Cases, &opened::so_far(report))?;
        }
        let broken = trials.says_too_much();
        report.findings.extend(check::listed(submission, broken.into_iter().collect()));
        passed.truncate(submission.leaks.cases);
        if submission.points.leaks() > 0.0 {
            report.leaks = Some(trials.leaks(&passed)?);
            watch(Stage::Leaks, &opened::so_far(report))?;
        }
        report.own = Self::own(own, trials)?;
        Ok(())
    }

    /// The first of the student's tests on which the student's program is wrong.
    fn own(own: &[MadeCase], trials: &mut Trials<'_>) -> Result<Option<OwnReport>, Failure> {
        for made in own {
            let case = trials.case(made, true)?;
            if !case.verdict.is_right() && case.verdict != Verdict::NotRun {
                let CaseReport { name: file, verdict, command, shown, .. } = case;
                return Ok(shown.map(|shown| OwnReport { file, verdict, command, shown }));
            }
        }
        Ok(None)
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
        let submission = &*self.bench.submission;
        let usual = || submission.cases.iter().filter(|group| group.extra.is_none());
        let weights: f64 = usual().map(|group| group.weight).sum();
        let max_points = match group.extra {
            Some(extra) => extra,
            None if weights > 0.0 => submission.points.cases() * group.weight / weights,
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

/// Makes a finding about a build without a program a warning, because the program is lost already. What is banned was handed in all the
/// same.
fn spare(finding: &mut Finding) {
    if finding.rule != Rule::Banned {
        finding.severity = Severity::Warning;
        finding.points = None;
    }
}
