//! Builds and tries the programs. What a program did is kept at once, so that an interrupted run continues.

use super::programs::Given;
use crate::mining::trial::Candidate;
use crate::mining::{Corpus, Trial};
use harness::course::Course;
use harness::diagnostic::progress::Progress;
use harness::diagnostic::{Failure, Problem};
use harness::files;
use harness::generate::Evaluator;
use harness::hash::Digest;
use harness::run::build::Runnable;
use harness::run::parallel;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A program that was built and ran.
#[derive(Clone)]
pub(super) struct Tried {
    pub(super) runnable: Runnable,
    pub(super) trial: Trial,
}

/// What came of a program. `None` if the time was up before. A program that cannot be built or run has a problem.
pub(super) type Attempt = Option<Result<Tried, Problem>>;

/// What the programs run on, and where results are kept.
pub(super) struct Trials<'a> {
    pub(super) course: &'a Course,
    pub(super) evaluator: &'a Evaluator<'a>,
    pub(super) corpus: &'a Corpus,
    pub(super) jobs: usize,
    /// The folder of results, if they are kept.
    pub(super) kept: Option<PathBuf>,
}

impl Trials<'_> {
    /// Builds and tries each program, those that are the same once.
    pub(super) fn all(&self, given: &[Given]) -> Result<Vec<Attempt>, Failure> {
        let digests: Vec<_> = given.iter().map(Given::digest).collect();
        let mut numbers = BTreeMap::new();
        let mut distinct = Vec::new();
        for (given, digest) in given.iter().zip(&digests) {
            numbers.entry(digest).or_insert_with(|| {
                distinct.push((given, digest));
                distinct.len() - 1
            });
        }
        let cases = self.corpus.digest();
        let progress = Progress::new("programs", Some(distinct.len() as u64));
        let tried = parallel::map(distinct.len(), self.jobs, |at| {
            let (given, digest) = distinct[at];
            let key = Digest::default().with(&cases).with(digest).with(env!("CARGO_PKG_VERSION"));
            let file = self.kept.as_ref().map(|kept| kept.join(format!("{}.json", key.hex())));
            let tried = self.one(given, file.as_deref());
            progress.add(1);
            tried
        })?;
        Ok(digests.iter().map(|digest| tried[numbers[digest]].clone()).collect())
    }

    /// Builds and tries a program, unless its result is kept in `file`.
    fn one(&self, given: &Given, file: Option<&Path>) -> Result<Attempt, Failure> {
        if self.evaluator.out_of_time() {
            return Ok(None);
        }
        let runnable = match given.build(
            self.evaluator.programs.work(),
            self.course,
            self.evaluator.assignment,
        ) {
            Ok(runnable) => runnable,
            Err(problem) => return Ok(Some(Err(problem))),
        };
        let kept = file.and_then(|file| fs::read(file).ok());
        if let Some(trial) = kept.and_then(|text| serde_json::from_slice(&text).ok()) {
            return Ok(Some(Ok(Tried { runnable, trial })));
        }
        match self.tried(&runnable) {
            Err(failure) => {
                let first = failure.problems.into_iter().next();
                Ok(Some(Err(first.unwrap_or_else(|| Problem::new("it cannot be run")))))
            }
            Ok(None) => Ok(None),
            Ok(Some(trial)) => {
                if let Some(file) = file {
                    keep(file, &trial)?;
                }
                Ok(Some(Ok(Tried { runnable, trial })))
            }
        }
    }

    fn tried(&self, runnable: &Runnable) -> Result<Option<Trial>, Failure> {
        let judge = self.evaluator.programs.judge();
        let (work, assignment) = (self.evaluator.programs.work(), self.evaluator.assignment);
        let mut candidate = Candidate::new(work, self.course, assignment, judge, runnable)?;
        candidate.run(self.corpus, || self.evaluator.out_of_time())
    }
}

fn keep(file: &Path, trial: &Trial) -> Result<(), Failure> {
    let text = serde_json::to_string(trial).expect("every key is a number");
    let folder = files::folder_of(file);
    let written = fs::create_dir_all(folder).and_then(|()| files::replace(file, text.as_bytes()));
    written.map_err(|error| Failure::machine(format!("write {}", file.display()), error))
}
