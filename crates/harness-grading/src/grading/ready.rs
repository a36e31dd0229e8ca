//! An assignment that is ready to grade: its programs are built, its mutants are checked, and its cases are made.

use super::cut::Cut;
use super::digest;
use super::observer::Observer;
use super::opened::{self, Opened};
use super::programs::Programs;
use super::stage::{Stage, StageWatch};
use super::submissions::rules;
use super::suites::Suites;
use crate::catalogue::Mutant;
use crate::course::{Assignment, Audience, Course, Submission};
use crate::diagnostic::Failure;
use crate::result::graded::SubmissionReport;
use crate::result::record::{Digests, Record};
use crate::run::cancellation::Cancellation;
use crate::run::work::Work;
use crate::sandbox::Sandbox;
use crate::submission::Contents;
use crate::submission::cores::{Held, Turn};
use crate::submission::store::Store;
use crate::submission::trials::{self, Trials};
use std::path::Path;
use std::sync::Arc;

/// An assignment that is ready to grade submissions, any number of them, from any thread.
pub struct Ready {
    assignment: Arc<Assignment>,
    submission: Arc<Submission>,
    /// What builds and runs programs, where programs are handed in.
    programs: Option<Programs>,
    /// Whether times are wanted also where they cost no points.
    shows_times: bool,
    store: Store,
    suites: Suites,
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
        let assignment = Arc::new(course.assignment(assignment)?.clone());
        let submission = Arc::new(rules(&assignment)?.clone());
        let (work, seed) = (&settings.work, settings.seed);
        let suites = Suites::build(work, course, assignment.clone(), seed, on)?;
        let programs = if submission.has_program() {
            Some(Programs::build(course, &assignment, &submission, &suites, &settings, on)?)
        } else {
            None
        };
        let ran = programs.as_ref().map(|it| (&it.bench.reference, &it.cases[..]));
        let version = digest::of_course(&assignment, &submission, &suites, ran);
        let Settings { store, shows_times, .. } = settings;
        Ok(Self { assignment, submission, programs, shows_times, store, suites, version })
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
        &self.assignment
    }

    pub fn submission(&self) -> &Submission {
        &self.submission
    }

    /// Reads and checks the submission in a folder or an archive.
    pub fn open(&self, path: &Path) -> Opened {
        self.check(Contents::read(path, &self.submission))
    }

    /// Checks a submission.
    pub fn check(&self, contents: Contents) -> Opened {
        Opened::new(contents, &self.assignment, &self.submission)
    }

    /// The digest of the sources of a submission: those with the same digest are built once.
    pub fn sources_key(&self, opened: &Opened) -> String {
        trials::sources_key(&self.store, &opened.checked.sources, &self.submission)
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
        Ok(Record::new(&self.assignment.id, digests, report))
    }

    /// What a reader may see of a record.
    ///
    /// # Errors
    /// If two mutants have the same pseudonym.
    pub fn shown(&self, record: &Record, to: Audience) -> Result<SubmissionReport, Failure> {
        let (mutants, shows_times) = (self.mutants(), self.shows_times);
        let cut = Cut::new(self.assignment(), self.submission(), mutants, to, shows_times)?;
        Ok(cut.submission(&record.report))
    }

    fn report(
        &self,
        opened: Opened,
        turn: Turn<'_>,
        watch: &mut StageWatch<'_>,
    ) -> Result<SubmissionReport, Failure> {
        let Opened { mut report, checked, .. } = opened;
        if !report.refused {
            let (suite, own) = self.suites.score(&report.name, &checked.tests, &self.store)?;
            report.tests = Some(suite);
            watch(Stage::Tests, &opened::so_far(&report))?;
            if let Some(programs) = &self.programs {
                let trials = Trials::begin(&programs.bench, &self.store, &checked.sources, turn)?;
                programs.try_on(&mut report, &checked, &own, trials, watch)?;
            }
        }
        opened::end(&mut report, &self.submission);
        Ok(report)
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
