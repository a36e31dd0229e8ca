//! Scores the tests of submissions against the mutants.

use super::digest;
use crate::catalogue::Mutant;
use crate::command::uncounted;
use crate::course::cases::RightAnswer;
use crate::course::{Assignment, Course};
use crate::diagnostic::Failure;
use crate::files;
use crate::hash::Digest;
use crate::result::SuiteReport;
use crate::result::grade;
use crate::run::prepare;
use crate::run::programs::{Plan, Programs};
use crate::submission::SourceFile;
use crate::submission::case::MadeCase;
use crate::submission::store::{Kind, Store};
use crate::suite::decode::{self, Spelled};
use crate::suite::spelling::Spelling;
use crate::suite::{Suite, Test};
use serde::{Deserialize, Serialize};
use std::fs;
use std::sync::{Mutex, PoisonError};
use subject::Case;

/// The mutants of an assignment, ready to run.
pub(super) struct Suites<'a> {
    assignment: &'a Assignment,
    pub(super) mutants: Vec<Mutant>,
    programs: Mutex<Programs>,
    seed: u64,
    /// The digest of all that a score depends on.
    digest: String,
}

/// A score as it is kept.
#[derive(Serialize, Deserialize)]
struct KeptScore {
    report: SuiteReport,
    /// The names of the valid tests.
    valid: Vec<String>,
}

impl<'a> Suites<'a> {
    /// Builds the mutants. Those that do not count are left out, and staff is warned.
    pub(super) fn build(
        course: &Course,
        assignment: &'a Assignment,
        seed: u64,
        is_for_staff: bool,
    ) -> Result<Self, Failure> {
        if is_for_staff {
            uncounted::warn_of_differences(course, assignment)?;
        }
        let mut mutants = prepare::bugs(course, assignment)?;
        let mut programs = Programs::build(&Plan::new(course, assignment, &mutants))?;
        let uncounted = uncounted::find(assignment, &mutants, &mut programs)?;
        if !uncounted.is_empty() {
            if is_for_staff {
                anstream::eprintln!("{}", uncounted::warning(assignment, &uncounted));
            }
            mutants.retain(|mutant| uncounted.iter().all(|other| other.id != mutant.id));
            programs = Programs::build(&Plan::new(course, assignment, &mutants))?;
        }
        let Assignment { tests, run, scoring, judge, .. } = assignment;
        let digest = Digest::default()
            .with(digest::of_mutants(course, assignment, &mutants)?)
            .with(format!("{:?} {seed}", (tests, run, scoring, judge)))
            .hex();
        Ok(Self { assignment, mutants, programs: Mutex::new(programs), seed, digest })
    }

    /// The digest of the mutants and of how tests are scored.
    pub(super) fn digest(&self) -> &str {
        &self.digest
    }

    /// The witnesses of the mutants, which the reference must accept.
    pub(super) fn witnesses(&self) -> Vec<Case> {
        let witnesses = self.mutants.iter().filter_map(|mutant| mutant.witness.as_ref());
        witnesses.map(|it| decode::case_of_draft(self.assignment, &it.draft())).collect()
    }

    /// Scores the tests `files`, unless the store knows their score. Also gives the valid ones, as cases for the student's own program.
    pub(super) fn score(
        &self,
        name: &str,
        files: &[SourceFile],
        store: &Store,
    ) -> Result<(SuiteReport, Vec<MadeCase>), Failure> {
        let folder = files::temporary_folder()
            .map_err(|error| Failure::machine("make a temporary folder", error))?;
        for file in files {
            fs::write(folder.path().join(&file.name), &file.bytes)
                .map_err(|error| Failure::machine("write a temporary file", error))?;
        }
        let suite = Suite { name: name.to_owned(), ..Suite::read(folder.path(), self.assignment)? };
        let made: Vec<_> = suite.tests.iter().map(|test| self.case(test)).collect();
        let digest = store.digest().with(&self.digest);
        let add = |digest: Digest, file: &SourceFile| digest.with(&file.name).with(&file.bytes);
        let key = files.iter().fold(digest, add).hex();
        let known = store.read(Kind::Suite, &key);
        let KeptScore { report, valid } = if let Some(known) = known {
            known
        } else {
            let kept = self.run(suite, &made)?;
            store.write(Kind::Suite, &key, &kept)?;
            kept
        };
        let made = made.into_iter().filter(|made| valid.contains(&made.name)).collect();
        Ok((SuiteReport { name: name.to_owned(), ..report }, made))
    }

    /// A test as a case.
    fn case(&self, test: &Test) -> MadeCase {
        let spelled = Spelled { spelling: Spelling::Mixed, file: &test.file, seed: self.seed };
        let flags = &test.name.flags;
        let case = decode::case(self.assignment, flags, test.input.clone(), &spelled);
        let case = case.expect("the name was read before");
        let answer = RightAnswer::Reference;
        MadeCase { name: test.file.clone(), flags: flags.clone(), case, answer }
    }

    /// Runs the mutants on the tests of a suite.
    fn run(&self, suite: Suite, made: &[MadeCase]) -> Result<KeptScore, Failure> {
        let cases: Vec<_> = made.iter().map(|made| made.case.clone()).collect();
        let rows = {
            let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
            programs.rows(&cases)?
        };
        let valid = made.iter().zip(&rows).filter(|(_, row)| row.is_valid());
        let valid = valid.map(|(made, _)| made.name.clone()).collect();
        let arguments = cases.into_iter().map(|case| case.args).collect();
        let report = grade::grade(suite, arguments, &rows, &self.mutants, self.assignment);
        Ok(KeptScore { report, valid })
    }
}
