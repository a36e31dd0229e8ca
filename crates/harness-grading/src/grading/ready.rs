//! An assignment that is ready to grade: its programs are built, its mutants are checked, and its cases are made.

use super::cut::Cut;
use super::digest;
use super::observer::Observer;
use super::opened::{self, Opened};
use super::stage::{Stage, StageWatch};
use super::submissions::rules;
use super::suites::Suites;
use super::uncounted;
use crate::catalogue::Mutant;
use crate::course::cases::{CaseGroup, RightAnswer};
use crate::course::submission::Rule;
use crate::course::{Assignment, Audience, Course, Submission};
use crate::diagnostic::Failure;
use crate::result::graded::{
    CaseReport, Finding, GroupReport, OwnReport, Severity, SubmissionReport, Verdict,
};
use crate::result::record::{Digests, Record};
use crate::run::cancellation::Cancellation;
use crate::run::work::Work;
use crate::sandbox::Sandbox;
use crate::submission::Contents;
use crate::submission::case::{MadeCase, Maker};
use crate::submission::check;
use crate::submission::cores::{Held, Turn};
use crate::submission::store::Store;
use crate::submission::trial::Bench;
use crate::submission::trials::{self, Trials};
use std::path::Path;
use std::sync::Arc;

/// An assignment that is ready to grade submissions, any number of them, from any thread.
pub struct Ready {
    bench: Bench,
    store: Store,
    suites: Suites,
    /// The cases of each group.
    cases: Vec<Vec<MadeCase>>,
    /// The digest of what the course says.
    version: String,
}

/// How submissions are graded.
pub struct Settings {
    /// What the programs of the course run for.
    pub work: Work,
    /// What holds their programs.
    pub sandbox: Arc<Sandbox>,
    /// What is kept, so that nothing is found out twice.
    pub store: Store,
    /// The seed of random spellings.
    pub seed: u64,
    /// Whether times are wanted also where they cost no points.
    pub shows_times: bool,
}

impl Ready {
    /// Builds the programs of the assignment, checks its mutants, and makes its cases.
    ///
    /// # Errors
    /// If there is no such assignment, the course is broken, or the machine fails.
    pub fn build(
        course: &Course,
        assignment: &str,
        settings: Settings,
        on: &dyn Observer,
    ) -> Result<Self, Failure> {
        let Settings { work, sandbox, store, seed, shows_times } = settings;
        let assignment = course.assignment(assignment)?;
        let submission = rules(assignment)?;
        let suites = Suites::build(&work, course, Arc::new(assignment.clone()), seed, on)?;
        on.begin("making the cases", None);
        let bench = Bench::build(&work, course, assignment, submission, sandbox, shows_times)?;
        if let Some(outcome) = bench.reference.rejects_all(&suites.witnesses())? {
            return Err(uncounted::rejects_all(assignment, &outcome));
        }
        let maker = Maker { work: &work, course, assignment, seed };
        let groups = submission.cases.iter();
        let cases = groups
            .map(|group| maker.group(group, &mut |case| bench.reference.accepts(case)))
            .collect::<Result<Vec<_>, _>>()?;
        on.end();
        let version = digest::of_course(&bench, &suites, &cases);
        Ok(Self { bench, store, suites, cases, version })
    }

    /// The digest of all that the course says about these submissions.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The digest of this program. Empty if nothing is kept.
    pub fn harness(&self) -> &str {
        self.store.harness()
    }

    /// The mutants that count.
    pub fn mutants(&self) -> &[Mutant] {
        &self.suites.mutants
    }

    pub fn assignment(&self) -> &Assignment {
        &self.bench.assignment
    }

    pub fn submission(&self) -> &Submission {
        &self.bench.submission
    }

    /// Reads and checks the submission in a folder or an archive.
    pub fn open(&self, path: &Path) -> Opened {
        self.check(Contents::read(path, &self.bench.submission))
    }

    /// Checks a submission.
    pub fn check(&self, contents: Contents) -> Opened {
        Opened::new(contents, &self.bench.assignment, &self.bench.submission)
    }

    /// The digest of the sources of a submission: those with the same digest are built once.
    pub fn sources_key(&self, opened: &Opened) -> String {
        trials::sources_key(&self.store, &opened.checked.sources, &self.bench.submission)
    }

    /// Scores the tests of a submission, so that the store has their score.
    ///
    /// # Errors
    /// If the machine or the course fails.
    pub fn score(&self, opened: &Opened) -> Result<(), Failure> {
        self.suites.score(opened.name(), &opened.checked.tests, &self.store).map(|_| ())
    }

    /// Grades a submission. What it is built and run by uses only the core that is held. The record is complete, and so only for staff.
    ///
    /// # Errors
    /// If the machine or the course fails, or this grading is asked to end.
    pub fn grade(
        &self,
        opened: Opened,
        held: &Held,
        cancellation: &Cancellation,
    ) -> Result<Record, Failure> {
        self.grade_watched(opened, held, cancellation, &mut |_, _| Ok(()))
    }

    /// Grades a submission as [`grade`](Self::grade) does. After each stage, `watch` gets the report of what is known until then: its
    /// parts are final, what is not known yet is missing, and there are no points. A submission whose files are refused has no stages.
    ///
    /// # Errors
    /// As `grade`, and with the failure of `watch`, which ends the grading.
    pub fn grade_watched(
        &self,
        opened: Opened,
        held: &Held,
        cancellation: &Cancellation,
        watch: &mut StageWatch<'_>,
    ) -> Result<Record, Failure> {
        let digests = Digests {
            submission: opened.digest.clone(),
            course: self.version.clone(),
            harness: self.store.harness().to_owned(),
        };
        let turn = Turn { core: Some(held.core), cancellation: Some(cancellation) };
        cancellation.check()?;
        let report = self.report(opened, turn, watch)?;
        Ok(Record::new(&self.bench.assignment.id, digests, report))
    }

    /// What a reader may see of a record.
    ///
    /// # Errors
    /// If two mutants have the same pseudonym.
    pub fn shown(&self, record: &Record, to: Audience) -> Result<SubmissionReport, Failure> {
        let (mutants, shows_times) = (self.mutants(), self.bench.shows_times);
        let cut = Cut::new(self.assignment(), self.submission(), mutants, to, shows_times)?;
        Ok(cut.submission(&record.report))
    }

    fn report(
        &self,
        opened: Opened,
        turn: Turn<'_>,
        watch: &mut StageWatch<'_>,
    ) -> Result<SubmissionReport, Failure> {
        let submission = &*self.bench.submission;
        let Opened { mut report, checked, .. } = opened;
        if !report.refused {
            let (suite, own) = self.suites.score(&report.name, &checked.tests, &self.store)?;
            report.tests = Some(suite);
            watch(Stage::Tests, &opened::so_far(&report))?;
            let mut trials = Trials::begin(&self.bench, &self.store, &checked.sources, turn)?;
            let mut found = check::listed(submission, trials.built.broken.clone());
            if !trials.built.report.built {
                found.iter_mut().for_each(spare);
            }
            report.findings.extend(found);
            let mut build = trials.built.report.clone();
            if let Some(error) = &mut build.error {
                error.hint =
                    check::cause(&checked, submission, &error.message).or(error.hint.take());
            }
            report.build = Some(build);
            watch(Stage::Build, &opened::so_far(&report))?;
            self.run(&mut report, &own, &mut trials, watch)?;
            report.refused = opened::is_refused(&report.findings);
            trials.keep()?;
        }
        opened::end(&mut report, submission);
        Ok(report)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_may_share_it_between_threads() {
        fn is_shared<T: Send + Sync + 'static>() {}
        is_shared::<Ready>();
    }
}
