//! Scores the tests of submissions against the mutants.

use super::counted::{self, Counted};
use super::digest;
use super::observer::Observer;
use crate::catalogue::Mutant;
use crate::course::cases::RightAnswer;
use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::hash::Digest;
use crate::result::SuiteReport;
use crate::result::grade;
use crate::run::programs::Programs;
use crate::run::work::Work;
use crate::submission::SourceFile;
use crate::submission::case::MadeCase;
use crate::submission::store::{KeptKind, Store};
use crate::suite::decode::{self, Spelled};
use crate::suite::spelling::Spelling;
use crate::suite::{Suite, Test};
use crate::unit::Variants;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};
use subject::Case;

/// The mutants of an assignment, ready to run.
pub(super) struct Suites {
    assignment: Arc<Assignment>,
    pub(super) mutants: Vec<Mutant>,
    tested: Tested,
    seed: u64,
    /// The digest of all that a score depends on.
    digest: String,
}

/// The programs that tests are run on.
enum Tested {
    Inputs(Mutex<Programs>),
    Unit(Variants),
}

/// A score as it is kept.
#[derive(Serialize, Deserialize)]
struct KeptScore {
    report: SuiteReport,
    /// The names of the valid tests.
    valid: Vec<String>,
}

impl Suites {
    /// Builds the mutants. Those that do not count are left out, and `on` hears of them.
    ///
    /// # Errors
    /// If a build fails, or the reference rejects every witness.
    pub(super) fn build(
        work: &Work,
        course: &Course,
        assignment: Arc<Assignment>,
        seed: u64,
        on: &dyn Observer,
    ) -> Result<Self, Failure> {
        let Counted { mutants, programs } = Counted::build(work, course, &assignment, on)?;
        let tested = match programs {
            counted::Tested::Inputs(programs) => Tested::Inputs(Mutex::new(programs)),
            counted::Tested::Unit(variants) => Tested::Unit(variants),
        };
        let Assignment { tests, refusals, run, scoring, judge, unit, .. } = &*assignment;
        let coverage = unit.as_ref().is_some_and(|unit| unit.coverage);
        let digest = Digest::default()
            .with(digest::of_mutants(course, &assignment, &mutants)?)
            .with(format!("{:?} {seed}", (tests, refusals, run, scoring, judge, coverage)))
            .hex();
        Ok(Self { assignment, mutants, tested, seed, digest })
    }

    /// The digest of the mutants and of how tests are scored.
    pub(super) fn digest(&self) -> &str {
        &self.digest
    }

    /// The witnesses of the mutants, which the reference must accept.
    pub(super) fn witnesses(&self) -> Vec<Case> {
        let witnesses = self.mutants.iter().filter_map(|mutant| mutant.witness.as_ref());
        witnesses.map(|it| decode::case_of_draft(&self.assignment, &it.draft())).collect()
    }

    /// Scores the tests `files`, unless the store knows their score. Also gives the valid ones, as cases for the student's own program.
    pub(super) fn score(
        &self,
        name: &str,
        files: &[SourceFile],
        store: &Store,
    ) -> Result<(SuiteReport, Vec<MadeCase>), Failure> {
        let held = files.iter().map(|file| (file.name.as_str(), &file.bytes[..]));
        let suite = Suite::of_files(name, held, &self.assignment);
        let made: Vec<_> = suite.tests.iter().map(|test| self.case(test)).collect();
        let digest = store.digest().with(&self.digest);
        let add = |digest: Digest, file: &SourceFile| digest.with(&file.name).with(&file.bytes);
        let key = files.iter().fold(digest, add).hex();
        let known = store.read(KeptKind::Suite, &key);
        let KeptScore { report, valid } = if let Some(known) = known {
            known
        } else {
            let kept = self.run(suite, &made)?;
            store.write(KeptKind::Suite, &key, &kept)?;
            kept
        };
        let made = made.into_iter().filter(|made| valid.contains(&made.name)).collect();
        Ok((SuiteReport { name: name.to_owned(), ..report }, made))
    }

    /// A test as a case.
    fn case(&self, test: &Test) -> MadeCase {
        let spelled = Spelled { spelling: Spelling::Mixed, file: &test.file, seed: self.seed };
        let flags = &test.name.flags;
        let case = decode::case(&self.assignment, flags, test.input.clone(), &spelled);
        let case = case.expect("the name was read before");
        let answer = RightAnswer::Reference;
        let (name, file) = (test.file.clone(), test.input.clone());
        MadeCase::new(name, flags.clone(), file, case, answer)
    }

    /// Runs the mutants on the tests of a suite.
    fn run(&self, suite: Suite, made: &[MadeCase]) -> Result<KeptScore, Failure> {
        match &self.tested {
            Tested::Inputs(programs) => self.run_inputs(programs, suite, made),
            // The student's own program runs on inputs only.
            Tested::Unit(variants) => {
                let report = counted::graded(variants, suite, &self.mutants, &self.assignment)?;
                Ok(KeptScore { report, valid: Vec::new() })
            }
        }
    }

    fn run_inputs(
        &self,
        programs: &Mutex<Programs>,
        suite: Suite,
        made: &[MadeCase],
    ) -> Result<KeptScore, Failure> {
        let cases: Vec<_> = made.iter().map(|made| made.case.clone()).collect();
        let rows = programs.lock().unwrap_or_else(PoisonError::into_inner).rows(&cases)?;
        let valid = suite
            .tests
            .iter()
            .zip(&rows)
            .filter(|(test, row)| row.is_test(&self.assignment, &test.name.flags, &test.input));
        let valid = valid.map(|(test, _)| test.file.clone()).collect();
        let arguments = cases.into_iter().map(|case| case.args).collect();
        let report = grade::grade(suite, arguments, &rows, &self.mutants, &self.assignment);
        Ok(KeptScore { report, valid })
    }
}
